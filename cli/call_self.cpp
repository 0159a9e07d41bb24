#include "call_self.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstring>

#include "command.h"
#include "scene/document.h"
#include "talus/error.h"

extern char** environ;

namespace talus::cli {
namespace {

/// File actions that are released however the call ends.
class Actions {
public:
    Actions() { posix_spawn_file_actions_init(&actions_); }
    ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;
    posix_spawn_file_actions_t* get() { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

pid_t start(const std::vector<std::string>& words, const std::string& folder, const std::string& output) {
    Actions actions;
    // Opened before the folder changes: `output` may be relative.
    posix_spawn_file_actions_addopen(actions.get(), 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(actions.get(), 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(actions.get(), 1, 2);
    posix_spawn_file_actions_addchdir_np(actions.get(), folder.c_str());
    std::vector<char*> arguments;
    std::string name = "talus";
    arguments.push_back(name.data());
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int code = posix_spawn(&child, "/proc/self/exe", actions.get(), nullptr, arguments.data(), environ);
    if (code != 0) throw IoError("talus " + words.front() + ": cannot be started: " + std::strerror(code));
    return child;
}

std::string last_lines(const std::string& text, std::size_t most) {
    return text.size() > most ? "…" + text.substr(text.size() - most) : text;
}

}  // namespace

Answer call_self(const std::vector<std::string>& words, const std::string& folder, const std::string& output) {
    const pid_t child = start(words, folder, output);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!WIFEXITED(status)) throw IoError("talus " + words.front() + ": ended by a signal; its words are in " + output);
    Answer answer{WEXITSTATUS(status), {}};
    if (answer.exit_code == kInterrupted) return answer;
    const std::string text = scene::file_text(output);
    const auto end = text.find_last_not_of('\n');
    const auto begin = end == std::string::npos ? std::string::npos : text.rfind('\n', end);
    if (end != std::string::npos)
        answer.json = nlohmann::json::parse(text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin + 1) + 1), nullptr, false);
    if (!answer.json.is_object()) throw IoError("talus " + words.front() + ": gave no result:\n" + last_lines(text, 2000));
    return answer;
}

}  // namespace talus::cli

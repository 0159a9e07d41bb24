// The program `talus`: parses the command line, runs one subcommand, turns exceptions into exit codes.

#include <fmt/format.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>

#include "command.h"
#include "talus/error.h"
#include "talus/version.h"

namespace talus::cli {
namespace {

std::string quoted(const std::string& word) {
    if (word.find_first_of(" \t\"'$\\*?[]{}()<>|&;") == std::string::npos && !word.empty()) return word;
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string command_line(int argc, char** argv) {
    std::string line = "talus";
    for (int i = 1; i < argc; ++i) line += " " + quoted(argv[i]);
    return line;
}

/// "unknown command 'x'; ..." when a word that should be a command is none; else CLI11's own words.
std::string explain(const CLI::App& app, const CLI::ParseError& error, char** words) {
    const CLI::App* at = &app;
    for (; *words != nullptr && !at->get_subcommands().empty(); ++words) at = at->get_subcommands().front();
    const auto commands = at->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty() || *words == nullptr || **words == '-' || **words == '\0') return error.what();
    std::string known;
    for (const CLI::App* command : commands) known += (known.empty() ? "" : ", ") + command->get_name();
    return fmt::format("unknown command '{}'; commands are {}", *words, known);
}

/// CLI11's own codes say which rule was broken; to the caller all of them are bad usage.
int parse_failure(const CLI::App& app, const CLI::ParseError& error, char** words) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);  // --help, --version
    fmt::print(stderr, "talus: {}\nSee talus --help, or talus COMMAND --help.\n", explain(app, error, words));
    return kBadInput;
}

int say(int code, const std::string& message) {
    fmt::print(stderr, "{}\n", message);
    return code;
}

int guarded(const Action& action) {
    try {
        const int code = action();
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return say(kInputOutput, "standard output: cannot write");
        return code;
    } catch (const InputError& error) {
        return say(kBadInput, error.what());
    } catch (const IoError& error) {
        return say(kInputOutput, error.what());
    } catch (const RunFailed& error) {
        return say(kCheckFailed, error.what());
    } catch (const std::bad_alloc&) {
        return say(kCheckFailed, "talus: out of memory");
    } catch (const std::exception& error) {
        return say(kCheckFailed, std::string("talus: internal error: ") + error.what());
    }
}

int run_program(int argc, char** argv) {
    // A full disk or a closed pipe is an error to report, not a reason to die in silence.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    const Invocation invocation{command_line(argc, argv)};
    Action action;
    CLI::App app("A laboratory for Contact Dynamics: rigid bodies, unilateral contact, dry friction.", "talus");
    app.set_version_flag("--version", std::string("talus ") + TALUS_VERSION);
    app.require_subcommand(1);
    add_run(app, invocation, action);
    add_check(app, action);
    add_info(app, action);
    add_export(app, action);
    add_observe(app, action);
    add_solve(app, action);
    add_explore(app, invocation, action);
    add_sweep(app, action);
    add_reproduce(app, invocation, action);
    add_plot(app, action);
    add_bench(app, action);
    add_view(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return parse_failure(app, error, argv + 1);
    }
    return guarded(action);
}

}  // namespace
}  // namespace talus::cli

int main(int argc, char** argv) {
#ifdef __GLIBC__
    // Large arrays that outgrow their place leave it to the system: among others it would stay a hole. Smaller ones, such as the buffers of a
    // frame, are kept for the next: to ask the system for them again costs more than they are worth.
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
    return talus::cli::run_program(argc, argv);
}

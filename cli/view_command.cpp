// talus view RUN.h5: a run in the browser, or as one page.

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "command.h"
#include "interrupt.h"
#include "talus/error.h"
#include "view/page.h"
#ifdef TALUS_VIEWER
#include "view/server.h"
#endif

extern char** environ;

namespace talus::cli {
namespace {

struct Options {
    std::string run, html;
    int port = 0;
    double megabytes = static_cast<double>(view::kPageBytes >> 20);
    bool quiet = false, json = false;
};

int write_html(const Options& o) {
    const auto bytes = static_cast<std::size_t>(o.megabytes * static_cast<double>(1u << 20));
    const std::string notes = view::write_page(o.run, o.html, {bytes});
    const double size = static_cast<double>(std::filesystem::file_size(o.html)) / static_cast<double>(1u << 20);
    fmt::print("{}: {:.1f} MB{}{}\n", o.html, size, notes.empty() ? "" : "\n", notes);
    if (o.json) fmt::print("{}\n", nlohmann::json{{"html", o.html}, {"megabytes", size}, {"notes", notes}}.dump());
    return kDone;
}

#ifdef TALUS_VIEWER
/// Asks the desktop to open the address; without a desktop the printed address is all there is.
void open_browser(const std::string& url) {
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
    std::string program = "xdg-open", address = url;
    char* arguments[] = {program.data(), address.data(), nullptr};
    pid_t child = 0;
    if (posix_spawnp(&child, "xdg-open", nullptr, nullptr, arguments, environ) == 0)
        std::thread([child] { waitpid(child, nullptr, 0); }).detach();
}

int serve(const Options& o) {
    const InterruptGuard guard;
    view::Server server(o.run, o.port);
    fmt::print("{}\nOpen this address in a browser on this machine; Ctrl-C ends.\n", server.url());
    if (o.json) fmt::print("{}\n", nlohmann::json{{"url", server.url()}, {"port", server.port()}}.dump());
    std::fflush(stdout);
    if (!o.quiet) open_browser(server.url());
    std::thread answering([&server] { server.serve(); });
    while (!InterruptGuard::was_interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    server.stop();
    answering.join();
    return kDone;
}
#else
int serve(const Options&) { return kDone; }   // refused before
#endif

int show(const Options& o) {
    if (!view::has_viewer()) {
        throw InputError(std::string(view::kNoViewer) + ", or look at report.html beside the run file");
    }
    return o.html.empty() ? serve(o) : write_html(o);
}

}  // namespace

void add_view(CLI::App& app, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("view", "Show a run in the browser, also while it is going on");
    command->add_option("RUN", o->run, "Run file (run.h5)")->required();
    command->add_option("--html", o->html, "Write one page that stands alone to this file, instead");
    command->add_option("--max-mb", o->megabytes, "With --html: largest size of the page [MB]; frames and forces are thinned to fit [38]")->check(CLI::Range(1.0, 2000.0));
    command->add_option("--port", o->port, "Port on 127.0.0.1 [any free one]")->check(CLI::Range(1, 65535));
    command->add_flag("--no-open", o->quiet, "Print the address, open no browser");
    command->add_flag("--json", o->json, "One JSON object as the last line of standard output (before it serves)");
    command->callback([o, &action] { action = [o] { return show(*o); }; });
}

}  // namespace talus::cli

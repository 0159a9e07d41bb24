#include "interrupt.h"

#include <csignal>

#include <signal.h>

namespace talus::cli {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;  // a signal handler can reach nothing else

void set_handler(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

void on_signal(int) {
    g_interrupted = 1;
    set_handler(SIG_DFL);  // the next one kills
}

}  // namespace

InterruptGuard::InterruptGuard() { set_handler(on_signal); }
InterruptGuard::~InterruptGuard() { set_handler(SIG_DFL); }
bool InterruptGuard::was_interrupted() { return g_interrupted != 0; }

}  // namespace talus::cli

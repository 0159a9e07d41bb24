#include "provenance.h"

#include <sys/utsname.h>

#include <ctime>
#include <fstream>

#include "talus/version.h"

#ifndef TALUS_GIT_HASH
#define TALUS_GIT_HASH ""  // set by builds that know it
#endif

namespace talus::cli {
namespace {

std::string processor() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("model name", 0) != 0) continue;
        const auto colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown processor";
}

std::string machine() {
    utsname names{};
    if (uname(&names) != 0) return processor();
    return std::string(names.nodename) + ", " + processor() + ", " + names.sysname + " " + names.release;
}

std::string now() {
    const std::time_t seconds = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    char text[32];
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

}  // namespace

record::Provenance provenance(const std::string& command_line, std::uint64_t seed, int threads) {
    return {TALUS_VERSION, TALUS_GIT_HASH, machine(), now(), command_line, seed, threads};
}

}  // namespace talus::cli

#include "gallery/find.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "scene/diagnostics.h"
#include "talus/error.h"

#ifndef TALUS_GALLERY_SOURCE
#define TALUS_GALLERY_SOURCE "gallery"
#endif

namespace talus::gallery {

namespace fs = std::filesystem;

std::string find_gallery() {
    std::error_code code;
    if (const char* named = std::getenv("TALUS_GALLERY")) {
        if (fs::is_directory(named, code)) return named;
        throw IoError(std::string(named) + ": no such folder, though TALUS_GALLERY names it");
    }
    const fs::path program = fs::read_symlink("/proc/self/exe", code);
    const fs::path installed = program.parent_path().parent_path() / "share/talus/gallery";
    for (const fs::path& place : {installed, fs::path(TALUS_GALLERY_SOURCE)})
        if (fs::is_directory(place, code)) return place.lexically_normal().string();
    throw IoError("no gallery in " + installed.string() + " nor in " + TALUS_GALLERY_SOURCE + "; set TALUS_GALLERY to its folder");
}

std::vector<Place> list_experiments(const std::string& gallery) {
    std::vector<Place> all;
    for (const auto& paper : fs::directory_iterator(gallery)) {
        if (!paper.is_directory()) continue;
        for (const auto& experiment : fs::directory_iterator(paper.path()))
            if (fs::is_regular_file(experiment.path() / "expect.yaml"))
                all.push_back({paper.path().filename().string() + "-" + experiment.path().filename().string(), experiment.path().string()});
    }
    std::sort(all.begin(), all.end(), [](const Place& a, const Place& b) { return a.name < b.name; });
    return all;
}

std::string find_experiment(const std::string& name) {
    if (fs::is_regular_file(fs::path(name) / "expect.yaml")) return name;
    if (fs::is_directory(name) && name.find('/') != std::string::npos) throw InputError(name + ": holds no expect.yaml");
    std::vector<std::string> names;
    for (const auto& place : list_experiments(find_gallery())) {
        if (place.name == name) return place.folder;
        names.push_back(place.name);
    }
    throw InputError("no experiment '" + name + "'; " + scene::suggest(name, names, "experiments"));
}

}  // namespace talus::gallery

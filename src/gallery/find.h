#pragma once
/// \file
/// Where the gallery is, and which experiments it holds.
///
/// Looked for in this order: the folder that TALUS_GALLERY names; `../share/talus/gallery` beside the program (installed);
/// `gallery` of the source tree the program was built from. An experiment is a folder `<paper>/<experiment>` with an `expect.yaml`.

#include <string>
#include <vector>

namespace talus::gallery {

/// The gallery's folder. \throws IoError when there is none.
[[nodiscard]] std::string find_gallery();

struct Place {
    std::string name;     ///< paper-experiment
    std::string folder;
};
/// All experiments of a gallery by name.
[[nodiscard]] std::vector<Place> list_experiments(const std::string& gallery);

/// Folder of the experiment called `name`, which may also be a path of a folder with an `expect.yaml`.
/// \throws InputError when there is none, with the likeliest name.
[[nodiscard]] std::string find_experiment(const std::string& name);

}  // namespace talus::gallery

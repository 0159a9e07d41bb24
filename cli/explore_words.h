#pragma once
/// \file
/// What the options of `talus explore` name: contacts, walls, cuts and loads, in the words of the command line.

#include <string>
#include <vector>

#include "explore/exploration.h"
#include "scene/simulation.h"

namespace talus::cli {

struct ExploreWords {
    std::vector<std::string> contacts;    ///< A,B or A,B,K, and :component
    std::vector<std::string> walls;       ///< NAME, and :axis
    std::vector<std::string> cuts;        ///< x=0.5, or "0,0 to 1,1", and :component
    std::vector<std::string> collapses;   ///< "acceleration x", "force NAME x", "torque NAME"
    [[nodiscard]] bool names_quantities() const { return !contacts.empty() || !walls.empty() || !cuts.empty(); }
};

/// Adds all that the words name to an explorer; bodies are named as in the scene or by their number.
/// \throws InputError on words that name nothing, saying what to write.
template <int Dim>
void add_named(const scene::Simulation<Dim>& simulation, const ExploreWords& words, explore::Explorer<Dim>& explorer);

/// Named bodies by id.
template <int Dim>
[[nodiscard]] std::vector<std::pair<BodyId, std::string>> body_names(const scene::Simulation<Dim>& simulation);

extern template void add_named<2>(const scene::Simulation<2>&, const ExploreWords&, explore::Explorer<2>&);
extern template void add_named<3>(const scene::Simulation<3>&, const ExploreWords&, explore::Explorer<3>&);
extern template std::vector<std::pair<BodyId, std::string>> body_names<2>(const scene::Simulation<2>&);
extern template std::vector<std::pair<BodyId, std::string>> body_names<3>(const scene::Simulation<3>&);

}  // namespace talus::cli

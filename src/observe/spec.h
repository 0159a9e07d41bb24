#pragma once
/// \file
/// What a scene says about one measurement: which observable, with which parameters.
///
/// Parameters stay as they were written, in the scene's units; the observable itself knows which of
/// them is a length and which a pure number, and converts. This is what allows a scene reader to hand
/// over any observable, known to it or not.

#include <cstdint>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "observe/units.h"

namespace talus::observe {

struct Spec {
    std::string name;                          ///< a file of `src/observe/`
    nlohmann::json parameters = nlohmann::json::object();  ///< as written, in `units`
    std::string where;                         ///< `file:line:col` of the entry; may be empty
    std::map<std::string, std::string> where_key;  ///< `file:line:col` of its keys, where known
    UnitSystem units = UnitSystem::si;         ///< units of the parameters, and of printed results
    std::map<std::string, std::int32_t> tags;  ///< names that stand for tags
    std::string label;                         ///< name in results; empty: `name`
};

}  // namespace talus::observe

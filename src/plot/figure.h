#pragma once
/// \file
/// Figures by name, drawn as SVG. One file of this folder that defines `register_<name>` is one figure.
///
/// A figure is a function of plain data (a frame, the step reports) and parameters, so that it can be
/// drawn from a run file, from a running world, or from numbers made up by a test.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "observe/parameters.h"
#include "observe/spec.h"
#include "plot/drawing.h"
#include "step/snapshot.h"
#include "talus/report.h"

namespace talus::plot {

/// What a figure may be drawn from. Pointers may be null; a figure that needs them says so.
struct FigureData {
    const Snapshot<2>* plane = nullptr;               ///< the frame of a run in the plane
    const Snapshot<3>* space = nullptr;               ///< the frame of a run in space
    const std::vector<StepReport>* reports = nullptr; ///< one row a reported step
    observe::UnitSystem units = observe::UnitSystem::si;  ///< of axes and labels
    std::string title;                                ///< of `bodies2d`; empty: its own
    const std::vector<ForceSegment>* segments = nullptr;  ///< forces [N] that `bodies2d` draws instead of the contacts' own [m]

    [[nodiscard]] int dim() const { return plane ? 2 : 3; }
};

/// Draws the figure `spec.name`; its parameters are checked like those of observables.
/// \throws InputError on an unknown figure or parameter, or when the data it needs are missing.
[[nodiscard]] std::string draw(const observe::Spec& spec, const FigureData& data);

struct FigureDescription {
    std::string name;
    std::string summary;
};
[[nodiscard]] std::vector<FigureDescription> list_figures();

}  // namespace talus::plot

namespace talus {

/// Where the files of this folder announce themselves.
class FigureRegistry {
public:
    using Drawer = std::function<std::string(const plot::FigureData&, observe::Parameters&)>;
    struct Entry {
        std::string summary;
        Drawer draw;
    };
    void add(const std::string& name, const std::string& summary, Drawer drawer) { entries_[name] = {summary, std::move(drawer)}; }
    [[nodiscard]] const std::map<std::string, Entry>& entries() const { return entries_; }

private:
    std::map<std::string, Entry> entries_;
};

/// Written by the build from the files of this folder.
void register_members(FigureRegistry& registry);

}  // namespace talus

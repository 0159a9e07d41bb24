#pragma once
/// \file
/// Figures by name, drawn as SVG. One file of this folder that defines `register_<name>` is one figure.
///
/// A figure is a function of plain data (a frame, the step reports, whole runs) and options, so that it can be
/// drawn from a run file, from a running world, or from numbers made up by a test. It lists its options; those it
/// does not list are refused.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "observe/spec.h"
#include "plot/drawing.h"
#include "plot/options.h"
#include "plot/run_data.h"
#include "step/snapshot.h"
#include "talus/report.h"

namespace talus::plot {

/// What a figure may be drawn from. Pointers may be null; a figure that needs them says so.
struct FigureData {
    const Snapshot<2>* plane = nullptr;               ///< the frame of a run in the plane
    const Snapshot<3>* space = nullptr;               ///< the frame of a run in space
    const std::vector<StepReport>* reports = nullptr; ///< one row a reported step
    observe::UnitSystem units = observe::UnitSystem::si;  ///< of axes and labels
    std::string title;                                ///< of pictures of grains; empty: their own
    const std::vector<ForceSegment>* segments = nullptr;  ///< forces [N] that `forces` draws instead of the contacts' own [m]
    const std::vector<RunData>* runs = nullptr;       ///< the first is the one that frames come from

    [[nodiscard]] int dim() const { return plane ? 2 : space ? 3 : runs && !runs->empty() ? runs->front().dim : 3; }
    /// The run that frames come from. \throws InputError when there is none.
    [[nodiscard]] const RunData& run(const std::string& figure) const;
};

/// Draws the figure `spec.name`. A figure of one frame takes `data.plane` or `data.space`, or else the frame of
/// the first run that the options `frame` or `time` name (the last).
/// \throws InputError on an unknown figure or option, or when the data it needs are missing.
[[nodiscard]] std::string draw(const observe::Spec& spec, const FigureData& data);

/// The frame that the options `frame` or `time` name; else the last.
[[nodiscard]] std::size_t chosen_frame(const RunData& run, Options& options);

struct FigureDescription {
    std::string name;
    std::string summary;
    OptionList options;
};
[[nodiscard]] std::vector<FigureDescription> list_figures();

}  // namespace talus::plot

namespace talus {

/// Where the files of this folder announce themselves.
class FigureRegistry {
public:
    using Drawer = std::function<std::string(const plot::FigureData&, plot::Options&)>;
    enum class Of { frame, runs };   ///< what it is drawn from
    struct Entry {
        std::string summary;
        Of of = Of::frame;
        plot::OptionList options;
        Drawer draw;
    };
    void add(const std::string& name, Entry entry) { entries_[name] = std::move(entry); }
    [[nodiscard]] const std::map<std::string, Entry>& entries() const { return entries_; }

private:
    std::map<std::string, Entry> entries_;
};

/// Written by the build from the files of this folder.
void register_members(FigureRegistry& registry);

}  // namespace talus

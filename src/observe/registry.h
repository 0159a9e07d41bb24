#pragma once
/// \file
/// Observables by name. One file of this folder that defines `register_<name>` is one observable; the
/// build collects them (cmake/TalusOpenSet.cmake).
///
/// An observable is made from its parameters first, which checks them, and can then measure any frame:
/// of a running world (`take_snapshot`) or of a run file. One that compares instants has a memory
/// (memory.h), fed by `Observers` (observers.h) while a world runs and from the frames of a run file.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "observe/memory.h"
#include "observe/parameters.h"
#include "observe/result.h"
#include "observe/spec.h"
#include "step/snapshot.h"

namespace talus::observe {

/// An observable whose parameters are set: a function of one frame, or a memory that is shown several.
template <int Dim>
class Measurement {
public:
    template <class Function>
        requires std::is_invocable_r_v<Result, Function, const Snapshot<Dim>&>
    Measurement(Function function) : function_(std::move(function)) {}  // NOLINT: made from a lambda
    Measurement(std::shared_ptr<Memory<Dim>> memory) : memory_(std::move(memory)) {}  // NOLINT

    [[nodiscard]] Result operator()(const Snapshot<Dim>& snapshot) const;
    /// What it remembers; null: nothing.
    [[nodiscard]] Memory<Dim>* memory() const { return memory_.get(); }
    void name(std::string observable, std::string label) {
        observable_ = std::move(observable);
        label_ = std::move(label);
    }

private:
    std::function<Result(const Snapshot<Dim>&)> function_;
    std::shared_ptr<Memory<Dim>> memory_;
    std::string observable_, label_;
};

/// Reads the parameters and gives the measurement.
template <int Dim>
using Maker = std::function<Measurement<Dim>(Parameters&)>;

/// Reads and checks the parameters of `spec` and gives a measurement for any number of frames.
/// \throws InputError on an unknown observable or parameter.
template <int Dim>
[[nodiscard]] Measurement<Dim> prepare(const Spec& spec);

/// Measures one frame; one with a memory is shown this frame and no other.
template <int Dim>
[[nodiscard]] Result measure(const Spec& spec, const Snapshot<Dim>& snapshot);

struct Description {
    std::string name;
    std::string summary;   ///< one line
    Needs needs = Needs::frame;
    bool in_2d = false, in_3d = false;
};

/// All observables, by name.
[[nodiscard]] std::vector<Description> list_observables();

}  // namespace talus::observe

namespace talus {

/// Where the files of this folder announce themselves.
class ObservableRegistry {
public:
    /// Both dimensions with one template.
    void add(const std::string& name, const std::string& summary, observe::Maker<2> plane, observe::Maker<3> space,
             observe::Needs needs = observe::Needs::frame);

    struct Entry {
        std::string summary;
        observe::Maker<2> plane;   ///< empty: not in 2D
        observe::Maker<3> space;   ///< empty: not in 3D
        observe::Needs needs = observe::Needs::frame;
    };
    [[nodiscard]] const std::map<std::string, Entry>& entries() const { return entries_; }

private:
    std::map<std::string, Entry> entries_;
};

/// Written by the build from the files of this folder.
void register_members(ObservableRegistry& registry);

}  // namespace talus

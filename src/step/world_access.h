#pragma once
/// \file
/// The inside of a world, for the laboratory's own questions: the one friend of World.

#include "step/world_impl.h"

namespace talus {

struct WorldAccess {
    template <int Dim>
    static typename World<Dim>::Impl& impl(World<Dim>& world) {
        return *world.impl_;
    }
    template <int Dim>
    static const typename World<Dim>::Impl& impl(const World<Dim>& world) {
        return *world.impl_;
    }
};

}  // namespace talus

/// \file
/// The spheres of peers.py in ODE: its quick step (projected Gauss-Seidel), `iterations` a step of `step`, double precision.
///
/// Settings: contacts with `dContactApprox1` (the friction pyramid scales with the normal force), no bounce, ERP 0.2 and CFM 1e-10 (near
/// to rigid), hash space. ODE has no warm start of contacts. SI units; nothing is disabled when at rest.

#include <ode/ode.h>

#include "job.h"

namespace {

struct OdeWorld {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    double friction;
};

void touch(void* data, dGeomID a, dGeomID b) {
    auto& ode = *static_cast<OdeWorld*>(data);
    dContact contact[4];
    const int count = dCollide(a, b, 4, &contact[0].geom, sizeof(dContact));
    for (int k = 0; k < count; ++k) {
        contact[k].surface.mode = dContactApprox1;
        contact[k].surface.mu = ode.friction;
        dJointAttach(dJointCreateContact(ode.world, ode.contacts, &contact[k]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

void write(peers::Frames& frames, double t, const std::vector<dBodyID>& bodies) {
    for (const dBodyID body : bodies) {
        const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
        frames.add(t, {x[0], x[1], x[2]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]});
    }
}

}  // namespace

int main(int argc, char** argv) {
    const peers::Job job = peers::read_job(argc, argv);
    dInitODE2(0);
    OdeWorld ode{dWorldCreate(), dHashSpaceCreate(nullptr), dJointGroupCreate(0), job["friction"]};
    dWorldSetGravity(ode.world, 0, 0, -job["gravity"]);
    dWorldSetQuickStepNumIterations(ode.world, static_cast<int>(job["iterations"]));
    dWorldSetERP(ode.world, 0.2);
    dWorldSetCFM(ode.world, 1e-10);
    const double width = job["width"], d = job["diameter"];
    dHashSpaceSetLevels(ode.space, static_cast<int>(std::floor(std::log2(d))), static_cast<int>(std::ceil(std::log2(d))) + 1);
    dCreatePlane(ode.space, 0, 0, 1, 0);
    dCreatePlane(ode.space, 1, 0, 0, 0);
    dCreatePlane(ode.space, -1, 0, 0, -width);
    dCreatePlane(ode.space, 0, 1, 0, 0);
    dCreatePlane(ode.space, 0, -1, 0, -width);
    std::vector<dBodyID> bodies;
    for (const auto& s : job.bodies) {
        const dBodyID body = dBodyCreate(ode.world);
        dMass mass;
        dMassSetSphere(&mass, job["density"], 0.5 * d);
        dBodySetMass(body, &mass);
        dGeomSetBody(dCreateSphere(ode.space, 0.5 * d), body);
        dBodySetPosition(body, s.x[0], s.x[1], s.x[2]);
        dBodySetLinearVel(body, s.v[0], s.v[1], s.v[2]);
        bodies.push_back(body);
    }
    peers::Frames frames(job);
    const double h = job["step"], duration = job["duration"];
    for (long k = 1; h * static_cast<double>(k) < duration + 0.5 * h; ++k) {
        dSpaceCollide(ode.space, &ode, touch);
        dWorldQuickStep(ode.world, h);
        dJointGroupEmpty(ode.contacts);
        const double t = h * static_cast<double>(k);
        if (frames.is_due(t, h)) write(frames, t, bodies);
    }
    dCloseODE();
}

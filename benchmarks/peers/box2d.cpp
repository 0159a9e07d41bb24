/// \file
/// The disks of peers.py in Box2D 2.4: `iterations` of velocity and `position_iterations` of position a step of `step`, warm start, float.
///
/// Lengths in units of `unit` metres, because Box2D is made for bodies of 0.1 to 10 units: slop (0.005), margin and speed limits keep
/// their defaults. Friction of a pair is the root of the product: both have that of the job. Nothing sleeps. x and z of the job are its x and y.

#include <box2d/box2d.h>

#include "job.h"

namespace {

void add_edge(b2Body& ground, b2Vec2 from, b2Vec2 to, float friction) {
    b2EdgeShape edge;
    edge.SetTwoSided(from, to);
    b2FixtureDef fixture;
    fixture.shape = &edge;
    fixture.friction = friction;
    ground.CreateFixture(&fixture);
}

b2Body* add_disk(b2World& world, const peers::Start& s, const peers::Job& job) {
    const double unit = job["unit"];
    b2BodyDef definition;
    definition.type = b2_dynamicBody;
    definition.position.Set(static_cast<float>(s.x[0] / unit), static_cast<float>(s.x[2] / unit));
    definition.linearVelocity.Set(static_cast<float>(s.v[0] / unit), static_cast<float>(s.v[2] / unit));
    definition.allowSleep = false;
    b2CircleShape circle;
    circle.m_radius = static_cast<float>(0.5 * job["diameter"] / unit);
    b2FixtureDef fixture;
    fixture.shape = &circle;
    fixture.density = 1.0F;
    fixture.friction = static_cast<float>(job["friction"]);
    b2Body* body = world.CreateBody(&definition);
    body->CreateFixture(&fixture);
    return body;
}

}  // namespace

int main(int argc, char** argv) {
    const peers::Job job = peers::read_job(argc, argv);
    const double unit = job["unit"], h = job["step"], duration = job["duration"];
    b2World world(b2Vec2(0.0F, static_cast<float>(-job["gravity"] / unit)));
    world.SetAllowSleeping(false);
    b2BodyDef fixed;
    b2Body& ground = *world.CreateBody(&fixed);
    const auto friction = static_cast<float>(job["friction"]);
    const auto width = static_cast<float>(job["width"] / unit), high = static_cast<float>(1e3);
    add_edge(ground, {0, 0}, {width, 0}, friction);
    add_edge(ground, {0, 0}, {0, high}, friction);
    add_edge(ground, {width, 0}, {width, high}, friction);
    std::vector<b2Body*> disks;
    for (const auto& s : job.bodies) disks.push_back(add_disk(world, s, job));
    peers::Frames frames(job);
    for (long k = 1; h * static_cast<double>(k) < duration + 0.5 * h; ++k) {
        world.Step(static_cast<float>(h), static_cast<int>(job["iterations"]), static_cast<int>(job["position_iterations"]));
        const double t = h * static_cast<double>(k);
        if (!frames.is_due(t, h)) continue;
        for (const b2Body* disk : disks) {
            const b2Vec2 x = disk->GetPosition(), v = disk->GetLinearVelocity();
            frames.add(t, {unit * x.x, 0.0, unit * x.y}, {unit * v.x, 0.0, unit * v.y}, {0.0, disk->GetAngularVelocity(), 0.0});
        }
    }
}

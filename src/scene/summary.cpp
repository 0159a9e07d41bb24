#include "scene/summary.h"

#include <algorithm>
#include <cmath>

#include "scene/quantity.h"
#include "scene/read.h"

namespace talus::scene {

namespace {

double solid_mass(double mass, const ShapeSpec& shape, int material, const Scene& scene) {
    if (mass > 0.0) return mass;
    return volume_of(shape, scene.dimension) * scene.materials[static_cast<std::size_t>(material)].density;
}

double ball_mass(double mass, double radius, int material, const Scene& scene) {
    if (mass > 0.0) return mass;
    const double volume = scene.dimension == 2 ? M_PI * radius * radius : 4.0 / 3.0 * M_PI * radius * radius * radius;
    return volume * scene.materials[static_cast<std::size_t>(material)].density;
}

void count_bodies(const Scene& scene, Summary& s) {
    for (const auto& body : scene.bodies) {
        const bool free = body.can_move();
        if (body.is_solid && free) {
            ++s.free_solids;
            s.mass += solid_mass(body.mass, body.shape, body.material, scene);
        } else if (!body.is_ball) {
            ++s.boundaries;
        }
        if (!body.is_ball) continue;
        ++(free ? s.free_balls : s.fixed_balls);
        if (free) s.mass += ball_mass(body.mass, body.radius, body.material, scene);
    }
    for (const auto& ball : scene.grains) {
        const bool free = !ball.fixed && ball.glued_to < 0;
        if (ball.shape >= 0) {
            ++(free ? s.free_solids : s.fixed_solids);
            const ShapeSpec& shape = scene.shapes[static_cast<std::size_t>(ball.shape)];
            if (free) s.mass += solid_mass(ball.mass, shape, ball.material, scene);
            continue;
        }
        ++(free ? s.free_balls : s.fixed_balls);
        if (free) s.mass += ball_mass(ball.mass, ball.radius, ball.material, scene);
    }
    for (const auto& group : scene.groups)
        s.groups.push_back((group.name.empty() ? "(unnamed)" : group.name) + ": " + std::to_string(group.count));
}

/// Grains an emitter makes at most while the scene lasts.
std::int64_t most_grains(const EmitterPlan& emitter, double duration) {
    const double time = std::min(emitter.stop, duration) - emitter.start;
    if (!std::isfinite(time)) return emitter.count;
    const double most = std::max(0.0, std::floor(time * emitter.rate + 1e-9) + 1.0);
    return std::min(emitter.count, static_cast<std::int64_t>(most));
}

void add_times(const Scene& scene, Summary& s) {
    double steps = 0.0;
    for (std::size_t i = 0; i < scene.stages.size(); ++i) {
        const Stage& stage = scene.stages[i];
        s.duration += stage.duration;
        steps += stage.duration / stage.step;
        const double speed = known_speed(scene, i);
        s.top_speed = std::max(s.top_speed, speed);
        if (s.min_diameter > 0.0) s.travel = std::max(s.travel, speed * stage.step / s.min_diameter);
        const std::string until = stage.until.is_set() ? ", until a condition holds" : "";
        if (!stage.name.empty())
            s.stages.push_back(
                stage.name + ": " +
                (std::isfinite(stage.duration) ? "at most " + number_text(stage.duration) + " s" : "no longest time") +
                until);
    }
    if (scene.duration < s.duration) {
        steps = scene.stages.size() == 1 ? scene.duration / s.step : -1.0;
        s.duration = scene.duration;
    }
    s.steps = std::isfinite(steps) ? static_cast<std::int64_t>(std::llround(steps)) : -1;
}

void add_notes(const Scene& scene, Summary& s) {
    if (s.free_balls + s.free_solids + s.emitted == 0 && !scene.start)
        s.notes.emplace_back("nothing can move: there is no free ball or other body and no emitter");
    if (s.travel > 0.05)
        s.notes.push_back("in one step a body travels up to " + number_text(s.travel, 2) +
                          " of the smallest diameter; below 0.05 overlaps stay small");
    if (scene.record.every == 0.0)
        s.notes.emplace_back("only the first and the last frame are recorded; set record.every for more");
    for (std::size_t i = 0; i < scene.emitters.size(); ++i)
        if (scene.emitters[i].count == std::numeric_limits<std::int64_t>::max() && !std::isfinite(s.duration))
            s.notes.push_back("emitter '" + scene.emitters[i].name + "' has no end");
    if (s.min_diameter > 0.0 && s.max_diameter > 100.0 * s.min_diameter)
        s.notes.emplace_back("diameters differ by more than a factor of 100");
}

}  // namespace

Summary summary(const Scene& scene) {
    Summary s;
    s.title = scene.title;
    s.dimension = scene.dimension;
    count_bodies(scene, s);
    diameters(scene, s.min_diameter, s.max_diameter);
    for (const auto& material : scene.materials) s.materials.push_back(material.name);
    s.step = scene.stages.front().step;
    add_times(scene, s);
    for (const auto& emitter : scene.emitters) {
        const auto n = most_grains(emitter, s.duration);
        s.emitted = n > std::numeric_limits<std::int64_t>::max() - s.emitted ? std::numeric_limits<std::int64_t>::max()
                                                                             : s.emitted + n;
    }
    add_notes(scene, s);
    return s;
}

nlohmann::json to_json(const Summary& s) {
    const auto finite = [](double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(nullptr); };
    return {{"title", s.title},
            {"dimension", s.dimension},
            {"free_balls", s.free_balls},
            {"fixed_balls", s.fixed_balls},
            {"free_solids", s.free_solids},
            {"fixed_solids", s.fixed_solids},
            {"boundaries", s.boundaries},
            {"emitted", s.emitted == std::numeric_limits<std::int64_t>::max() ? nlohmann::json(nullptr)
                                                                              : nlohmann::json(s.emitted)},
            {"min_diameter", s.min_diameter},
            {"max_diameter", s.max_diameter},
            {"mass", s.mass},
            {"materials", s.materials},
            {"groups", s.groups},
            {"stages", s.stages},
            {"step", s.step},
            {"top_speed", s.top_speed},
            {"travel", s.travel},
            {"duration", finite(s.duration)},
            {"steps", s.steps >= 0 ? nlohmann::json(s.steps) : nlohmann::json(nullptr)},
            {"notes", s.notes}};
}

std::string to_text(const Summary& s, observe::UnitSystem units) {
    const bool cgs = units == observe::UnitSystem::cgs;
    const std::string length = cgs ? " cm" : " m", mass = cgs ? " g" : " kg";
    const auto in = [&](double x, Quantity q) { return number_text(from_si(x, q, units), 6); };
    std::string text;
    const auto line = [&](const std::string& name, const std::string& value) {
        text += name + std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') + value + "\n";
    };
    if (!s.title.empty()) line("title", s.title);
    line("dimension", std::to_string(s.dimension));
    line("balls", std::to_string(s.free_balls) + " free, " + std::to_string(s.fixed_balls) + " fixed or glued");
    if (s.free_solids + s.fixed_solids > 0)
        line("other bodies", std::to_string(s.free_solids) + " free, " + std::to_string(s.fixed_solids) + " fixed");
    line("boundaries", std::to_string(s.boundaries));
    if (s.emitted > 0)
        line("emitted", s.emitted == std::numeric_limits<std::int64_t>::max() ? "without end"
                                                                              : "at most " + std::to_string(s.emitted));
    if (s.max_diameter > 0.0)
        line("diameters", in(s.min_diameter, quantity::length) +
                              (s.max_diameter > s.min_diameter ? " to " + in(s.max_diameter, quantity::length) : "") +
                              length);
    line("mass", in(s.mass, quantity::mass) + mass + " of free bodies at the start");
    line("materials", join(s.materials));
    for (const auto& group : s.groups) line("generated", group);
    for (const auto& stage : s.stages) line("stage", stage);
    line("step", number_text(s.step) + " s");
    if (s.top_speed > 0.0)
        line("known speed", in(s.top_speed, quantity::velocity) + length + "/s, " + number_text(s.travel, 3) +
                                " of the smallest diameter in a step");
    line("duration", std::isfinite(s.duration)
                         ? number_text(s.duration, 9) + " s" +
                               (s.steps >= 0 ? ", at most " + std::to_string(s.steps) + " steps" : "")
                         : "until the stages end");
    for (const auto& note : s.notes) line("note", note);
    return text;
}

}  // namespace talus::scene

#include "explore_words.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "math/frame.h"
#include "observe/units.h"
#include "talus/error.h"

namespace talus::cli {
namespace {

constexpr std::string_view axis_letters = "xyz";

std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, by);) parts.push_back(part);
    return parts;
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; stream >> part;) parts.push_back(part);
    return parts;
}

bool read_number(const std::string& text, double& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

bool read_whole(const std::string& text, std::int64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// Takes ":component" off the end; empty when there is none.
std::string take_component(std::string& text) {
    const auto colon = text.rfind(':');
    if (colon == std::string::npos) return "";
    const std::string component = text.substr(colon + 1);
    text.resize(colon);
    return component;
}

template <int Dim>
int axis_of(const std::string& word) {
    const auto at = word.size() == 1 ? axis_letters.find(word[0]) : std::string_view::npos;
    return at < static_cast<std::size_t>(Dim) ? static_cast<int>(at) : -1;
}

template <int Dim>
class Reader {
public:
    Reader(const scene::Simulation<Dim>& simulation, explore::Explorer<Dim>& explorer)
        : simulation_(simulation), world_(simulation.world()), explorer_(explorer),
          metres_(observe::metres_per_length(simulation.scene().units)) {}

    void add_contact(std::string text) {
        const std::string whole = text, component = take_component(text);
        const auto parts = split(text, ',');
        std::int64_t number = 0;
        if (parts.size() < 2 || parts.size() > 3 || (parts.size() == 3 && !read_whole(parts[2], number)))
            throw InputError("--contact " + whole + ": write two bodies, A,B, or A,B,K for the K-th of their contacts");
        const std::size_t first = body(parts[0], "--contact"), second = body(parts[1], "--contact");
        const auto chosen = contacts_between(explorer_.set(), first, second, static_cast<int>(number));
        const auto wanted = [&](const std::string& c) { return component.empty() || component == c; };
        bool any = false;
        const auto add = [&](const std::string& c, auto&& make) {
            if (!wanted(c)) return;
            explorer_.add_quantity(make("contact " + text + ": " + c));
            any = true;
        };
        add("normal", [&](std::string name) { return explore::normal_force<Dim>(explorer_.set(), chosen, std::move(name)); });
        if (!component.empty() || spin_size<Dim> == 1)
            add("tangent", [&](std::string name) { return explore::tangential_force<Dim>(explorer_.set(), chosen, std::move(name)); });
        for (int k = 0; k < Dim; ++k)
            if (!component.empty() || spin_size<Dim> > 1)
                add(std::string(1, axis_letters[static_cast<std::size_t>(k)]), [&](std::string name) {
                    return explore::force_on<Dim>(explorer_.set(), chosen, first, k, std::move(name));
                });
        if (!any) throw InputError("--contact " + whole + ": components are normal, tangent and the axes");
    }

    void add_wall(std::string text) {
        const std::string whole = text, component = take_component(text);
        const std::size_t wall = body(text, "--wall");
        bool any = false;
        for (int k = 0; k < Dim; ++k) {
            const std::string axis(1, axis_letters[static_cast<std::size_t>(k)]);
            if (!component.empty() && component != axis) continue;
            explorer_.add_quantity(explore::total_force<Dim>(explorer_.set(), wall, k, "wall " + text + ": " + axis));
            any = true;
        }
        if (!any) throw InputError("--wall " + whole + ": components are the axes");
    }

    void add_cut(std::string text) {
        const std::string whole = text, component = take_component(text);
        const explore::Cut<Dim> cut = read_cut(text, whole);
        const auto& periodic = world_.settings().periodic;
        for (int k = 0; k < Dim; ++k)
            if (periodic[static_cast<std::size_t>(k)] && cut.normal[k] != 0.0)
                throw InputError("--cut " + whole + ": space repeats across this cut, so it does not part the bodies; name contacts instead");
        bool any = false;
        const auto add = [&](const std::string& c, const Vec<Dim>& direction) {
            if (!component.empty() && component != c) return;
            explorer_.add_quantity(explore::cut_force<Dim>(explorer_.set(), world_, cut, direction, "cut " + text + ": " + c));
            any = true;
        };
        if (component == "normal" || cut.length > 0.0) add("normal", cut.normal);
        for (int k = 0; k < Dim; ++k) add(std::string(1, axis_letters[static_cast<std::size_t>(k)]), Vec<Dim>::Unit(k));
        if (!any) throw InputError("--cut " + whole + ": components are normal and the axes");
    }

    void add_collapse(const std::string& text) {
        const auto words = words_of(text);
        const auto& set = explorer_.set();
        if (words.size() == 2 && words[0] == "acceleration") {
            explorer_.add_collapse(explore::body_force<Dim>(set, world_, direction(words[1], text), text));
        } else if (words.size() == 3 && words[0] == "force") {
            const auto [axis, sign] = signed_axis(words[2], text);
            explorer_.add_collapse(explore::point_force<Dim>(set, body(words[1], "--collapse"), axis, sign, text));
        } else if (words.size() >= 2 && words.size() <= 3 && words[0] == "torque") {
            const bool plane = spin_size<Dim> == 1;
            const auto [axis, sign] = words.size() == 3 ? signed_turn(words[2], text) : std::pair{0, 1.0};
            if (!plane && words.size() == 2) throw InputError("--collapse " + text + ": name the axis of the torque: x, y or z");
            explorer_.add_collapse(explore::point_force<Dim>(set, body(words[1], "--collapse"), Dim + axis, sign, text));
        } else {
            throw InputError("--collapse " + text + ": write \"acceleration x\", \"force BODY x\" or \"torque BODY\" (a minus before the axis turns it)");
        }
    }

private:
    [[nodiscard]] std::size_t body(const std::string& word, const std::string& option) const {
        std::int64_t number = 0;
        if (read_whole(word, number)) {
            if (!world_.contains(number)) throw InputError(option + ": there is no body number " + word);
            return world_.index_of(number);
        }
        const BodyId id = simulation_.body(word);
        if (!world_.contains(id)) throw InputError(option + ": the body '" + word + "' is gone");
        return world_.index_of(id);
    }

    [[nodiscard]] std::pair<int, double> signed_axis(const std::string& word, const std::string& text) const {
        const bool minus = !word.empty() && word[0] == '-';
        const int axis = axis_of<Dim>(minus || (!word.empty() && word[0] == '+') ? word.substr(1) : word);
        if (axis < 0) throw InputError("--collapse " + text + ": '" + word + "' is no axis");
        return {axis, minus ? -1.0 : 1.0};
    }
    /// In the plane there is one axis to turn about, z or -z.
    [[nodiscard]] std::pair<int, double> signed_turn(const std::string& word, const std::string& text) const {
        if (spin_size<Dim> > 1) return signed_axis(word, text);
        if (word != "z" && word != "-z" && word != "+z") throw InputError("--collapse " + text + ": in the plane torques are about z");
        return {0, word[0] == '-' ? -1.0 : 1.0};
    }

    [[nodiscard]] Vec<Dim> direction(const std::string& word, const std::string& text) const {
        if (word.find(',') == std::string::npos) {
            const auto [axis, sign] = signed_axis(word, text);
            return sign * Vec<Dim>::Unit(axis);
        }
        const Vec<Dim> v = read_vector(word, "--collapse " + text);
        if (!(v.norm() > 0.0)) throw InputError("--collapse " + text + ": the direction is zero");
        return v.normalized();
    }

    [[nodiscard]] Vec<Dim> read_vector(const std::string& word, const std::string& where) const {
        const auto parts = split(word, ',');
        Vec<Dim> v;
        bool fits = parts.size() == static_cast<std::size_t>(Dim);
        for (int k = 0; fits && k < Dim; ++k) fits = read_number(parts[static_cast<std::size_t>(k)], v[k]);
        if (!fits) throw InputError(fmt::format("{}: '{}' should be {} numbers with commas between", where, word, Dim));
        return v;
    }

    [[nodiscard]] explore::Cut<Dim> read_cut(const std::string& text, const std::string& whole) const {
        explore::Cut<Dim> cut;
        const auto equals = text.find('=');
        double at = 0.0;
        if (equals != std::string::npos && axis_of<Dim>(text.substr(0, equals)) >= 0 && read_number(text.substr(equals + 1), at)) {
            cut.normal = Vec<Dim>::Unit(axis_of<Dim>(text.substr(0, equals)));
            cut.point = at * metres_ * cut.normal;
            return cut;
        }
        const auto words = words_of(text);
        if (spin_size<Dim> > 1 || words.size() != 3 || words[1] != "to")
            throw InputError("--cut " + whole + ": write a plane as x=0.5" + (spin_size<Dim> == 1 ? ", or a segment as \"0,0 to 1,1\"" : ""));
        cut.point = metres_ * read_vector(words[0], "--cut " + whole);
        const Vec<Dim> across = metres_ * read_vector(words[2], "--cut " + whole) - cut.point;
        cut.length = across.norm();
        if (!(cut.length > 0.0)) throw InputError("--cut " + whole + ": the segment has no length");
        cut.along = across / cut.length;
        cut.normal = frame_of<Dim>(cut.along).row(1).transpose();   // to the left of the segment
        return cut;
    }

    const scene::Simulation<Dim>& simulation_;
    const World<Dim>& world_;
    explore::Explorer<Dim>& explorer_;
    double metres_;
};

}  // namespace

template <int Dim>
void add_named(const scene::Simulation<Dim>& simulation, const ExploreWords& words, explore::Explorer<Dim>& explorer) {
    Reader<Dim> reader(simulation, explorer);
    for (const auto& text : words.contacts) reader.add_contact(text);
    for (const auto& text : words.walls) reader.add_wall(text);
    for (const auto& text : words.cuts) reader.add_cut(text);
    for (const auto& text : words.collapses) reader.add_collapse(text);
}

template <int Dim>
std::vector<std::pair<BodyId, std::string>> body_names(const scene::Simulation<Dim>& simulation) {
    std::vector<std::pair<BodyId, std::string>> names;
    for (const auto& body : simulation.scene().bodies)
        if (!body.name.empty()) names.emplace_back(simulation.body(body.name), body.name);
    return names;
}

template void add_named<2>(const scene::Simulation<2>&, const ExploreWords&, explore::Explorer<2>&);
template void add_named<3>(const scene::Simulation<3>&, const ExploreWords&, explore::Explorer<3>&);
template std::vector<std::pair<BodyId, std::string>> body_names<2>(const scene::Simulation<2>&);
template std::vector<std::pair<BodyId, std::string>> body_names<3>(const scene::Simulation<3>&);

}  // namespace talus::cli

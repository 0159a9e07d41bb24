// The ways of a few grains through the frames of a run, one point a frame (moreau1994, fig. 2: the large disk and a small one
// that began beside it, at every period).

#include <algorithm>
#include <cmath>

#include "observe/result.h"
#include "plot/body_picture.h"
#include "plot/moved.h"
#include "plot/palette.h"

namespace talus {

namespace {

plot::OptionList options() {
    return plot::picture_options({{"grains", "largest|smallest|nearest|ID,…", "which grains; nearest: the one closest to the first named [largest,nearest]"},
                                  {"from", "T", "time of the first point [s] [first frame]"},
                                  {"to", "T", "time of the last point [s] [last frame]"},
                                  {"from_frame", "N", "first point by number of its frame, instead"},
                                  {"to_frame", "N|last", "last point by number of its frame, instead"},
                                  {"every", "N", "take every N-th frame [1]"}});
}

/// The grain of extreme size: `sign` 1 the largest, -1 the smallest.
template <int Dim>
std::size_t extreme(const Snapshot<Dim>& frame, double sign) {
    std::size_t best = frame.size();
    for (std::size_t i = 0; i < frame.size(); ++i)
        if (observe::is_grain(frame, i) && (best == frame.size() || sign * frame.radius[i] > sign * frame.radius[best])) best = i;
    if (best == frame.size()) throw InputError("figure `trajectories`: the first frame has no grains");
    return best;
}

/// The grain whose surface is closest to that of grain `k`.
template <int Dim>
std::size_t neighbour(const Snapshot<Dim>& frame, std::size_t k) {
    std::size_t best = k;
    double least = INFINITY;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        if (i == k || !observe::is_grain(frame, i)) continue;
        const double gap = (frame.position[i] - frame.position[k]).norm() - frame.radius[i] - frame.radius[k];
        if (gap < least) least = gap, best = i;
    }
    return best;
}

struct Chosen {
    BodyId id;
    std::string name;
};

template <int Dim>
std::vector<Chosen> choose(const Snapshot<Dim>& frame, const plot::Options& options) {
    auto words = options.texts("grains");
    if (words.empty()) words = {"largest", "nearest"};
    std::vector<Chosen> chosen;
    for (const std::string& word : words) {
        if (word == "largest" || word == "smallest") {
            chosen.push_back({frame.id[extreme(frame, word == "largest" ? 1.0 : -1.0)], word + " grain"});
        } else if (word == "nearest") {
            const std::size_t first = chosen.empty() ? extreme(frame, 1.0) : static_cast<std::size_t>(frame.index_of(chosen.front().id));
            chosen.push_back({frame.id[neighbour(frame, first)], "one beside it"});
        } else {
            const bool is_number = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
            const BodyId id = is_number ? std::stoll(word) : -1;
            if (frame.index_of(id) < 0) options.fail("grains", "names `" + word + "`, which is neither largest, smallest, nearest nor the id of a body of the first frame");
            chosen.push_back({id, "body " + word});
        }
    }
    return chosen;
}

template <int Dim>
std::string draw_paths(const plot::FigureData& data, plot::Options& options, const plot::RunData& run) {
    auto look = plot::read_picture_options(options, "plain");
    const plot::Span span = plot::read_span(options, run);
    const auto every = static_cast<std::size_t>(options.count("every", 1, 1));
    const Snapshot<Dim> first = plot::frame_at<Dim>(run, span.first);
    look.colouring.plain = "#ececec";
    if (!look.shade) look.shade = false;
    if (look.camera.view == "slab" && !options.has("view")) look.camera.view = "side";
    auto picture = plot::draw_bodies(first, look, data, "Trajectories");
    if (look.colouring.kind == "plain") picture.drawing.outline = "#cfcfcf";
    const auto chosen = choose(first, options);
    for (const Chosen& one : chosen) {
        plot::Strokes path;
        path.colour = plot::hue(picture.drawing.strokes.size());
        path.label = one.name;
        path.width = 1.3;
        path.dot = 3.4;
        path.lines.emplace_back();
        picture.drawing.strokes.push_back(path);
    }
    for (std::size_t k = span.first; k <= span.last; k += every) {
        const Snapshot<Dim> frame = plot::frame_at<Dim>(run, k);
        for (std::size_t c = 0; c < chosen.size(); ++c)
            if (const auto i = frame.index_of(chosen[c].id); i >= 0)
                picture.drawing.strokes[c].lines.front().push_back(picture.camera.at(plot::unwrapped(frame, static_cast<std::size_t>(i))));
    }
    if (look.title == "auto")
        picture.drawing.title = "Trajectories from t = " + observe::format_number(first.time, 4) + " to " + observe::format_number(run.times[span.last], 4) + " s";
    picture.drawing.notes.push_back("one point every " + std::string(every == 1 ? "frame" : std::to_string(every) + " frames") + "; grains where they were at the start");
    return plot::draw_drawing(picture.drawing);
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    const plot::RunData& run = data.run("trajectories");
    return run.dim == 2 ? draw_paths<2>(data, options, run) : draw_paths<3>(data, options, run);
}

}  // namespace

void register_trajectories(FigureRegistry& registry) {
    registry.add("trajectories", {"the ways of a few grains through the frames", FigureRegistry::Of::runs, options(), draw});
}

}  // namespace talus

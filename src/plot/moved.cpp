#include "plot/moved.h"

#include <cmath>

#include <Eigen/LU>

#include "observe/forces.h"
#include "plot/options.h"

namespace talus::plot {

template <int Dim>
Vec<Dim> unwrapped(const Snapshot<Dim>& snapshot, std::size_t i) {
    Vec<Dim> x = snapshot.position[i];
    for (int k = 0; k < Dim; ++k)
        if (snapshot.periodic[static_cast<std::size_t>(k)]) x[k] += snapshot.image[i][k] * (snapshot.cell_high[k] - snapshot.cell_low[k]);
    return x;
}

template <int Dim>
std::vector<Moved<Dim>> moved_between(const Snapshot<Dim>& first, const Snapshot<Dim>& second) {
    std::vector<Moved<Dim>> moved;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (!observe::is_grain(first, i)) continue;
        const std::ptrdiff_t later = second.index_of(first.id[i]);
        if (later < 0) continue;
        // Drawn where the first frame has it; the way it went is that of the unwrapped positions.
        const Vec<Dim> way = unwrapped(second, static_cast<std::size_t>(later)) - unwrapped(first, i);
        moved.push_back({i, first.position[i], first.position[i] + way});
    }
    return moved;
}

template <int Dim>
void subtract(std::vector<Moved<Dim>>& moved, const std::string& what) {
    if (what == "none" || moved.empty()) return;
    Vec<Dim> centre = Vec<Dim>::Zero(), mean = Vec<Dim>::Zero();
    for (const auto& m : moved) {
        centre += m.from / static_cast<double>(moved.size());
        mean += (m.to - m.from) / static_cast<double>(moved.size());
    }
    Mat<Dim> gradient = Mat<Dim>::Zero();
    if (what == "affine") {   // normal equations about the centre: B = (sum u' x'^T)(sum x' x'^T)^-1
        Mat<Dim> xx = Mat<Dim>::Zero(), ux = Mat<Dim>::Zero();
        for (const auto& m : moved) {
            const Vec<Dim> x = m.from - centre, u = m.to - m.from - mean;
            xx += x * x.transpose();
            ux += u * x.transpose();
        }
        const bool spans = std::abs(xx.determinant()) > 1e-12 * std::pow(xx.trace(), Dim);   // grains on a line have no gradient across it
        if (spans) gradient = ux * xx.inverse();
    }
    for (auto& m : moved) m.to -= mean + gradient * (m.from - centre);
}

Span read_span(Options& options, const RunData& run) {
    const auto frame = [&](const std::string& time, const std::string& number, const std::string& otherwise) {
        if (options.has(time) && options.has(number)) options.fail(number, "is given as well as `" + time + "`; give one of them");
        return options.has(time) ? nearest_frame(run, options.number(time, 0.0)) : numbered_frame(run, options.text(number, otherwise));
    };
    const Span span{frame("from", "from_frame", "0"), frame("to", "to_frame", "last")};
    if (span.first >= span.last)
        options.fail("to", "must name a later frame than `from`; frames " + std::to_string(span.first) + " and " + std::to_string(span.last) + " are the nearest");
    return span;
}

template Vec<2> unwrapped<2>(const Snapshot<2>&, std::size_t);
template Vec<3> unwrapped<3>(const Snapshot<3>&, std::size_t);
template std::vector<Moved<2>> moved_between<2>(const Snapshot<2>&, const Snapshot<2>&);
template std::vector<Moved<3>> moved_between<3>(const Snapshot<3>&, const Snapshot<3>&);
template void subtract<2>(std::vector<Moved<2>>&, const std::string&);
template void subtract<3>(std::vector<Moved<3>>&, const std::string&);

}  // namespace talus::plot

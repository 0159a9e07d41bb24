// The band in which grains hardly move while the rest is deformed [moreau-jean1996, fig. 3]. Its angle is
// the direction e in which the second moment of the displacement's magnitude about the centre is least,
// over that of the grains themselves: sum |d| (e.x)^2 / sum (e.x)^2, x from the centre, over the grains in
// a disk. Contrast: (largest - least) / (largest + least), 0 where there is no band.

#include <Eigen/Eigenvalues>

#include "observe/forces.h"
#include "observe/region.h"
#include "observe/tensor.h"
#include "observe/track.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Options {
    observe::TrackOptions track;
    std::optional<Vec<2>> centre;
    std::optional<double> radius;   ///< [m]
    bool relative = false;
};

class Stagnation final : public observe::Tracker<2> {
public:
    explicit Stagnation(const Options& options) : observe::Tracker<2>(options.track), options_(options) {}

    [[nodiscard]] observe::Result measure(const Snapshot<2>& now) const override {
        return report(is_open() ? moves_to(now) : last_);
    }
    void save(ByteWriter& out) const override {
        observe::Tracker<2>::save(out);
        last_.save(out);
    }
    void load(ByteReader& in) override {
        observe::Tracker<2>::load(in);
        last_.load(in);
    }

protected:
    [[nodiscard]] bool counts(const Snapshot<2>& snapshot, std::size_t i) const override { return observe::is_grain(snapshot, i); }
    void finish_interval(const Snapshot<2>&, const observe::Moves<2>& moves) override { last_ = moves; }

private:
    [[nodiscard]] observe::Result report(const observe::Moves<2>& moves) const;

    Options options_;
    observe::Moves<2> last_;
};

/// The largest circle in the box about the centres.
struct Disk {
    Vec<2> centre = Vec<2>::Zero();
    double radius = nan;
};
Disk inscribed(const observe::Moves<2>& moves) {
    if (moves.start.empty()) return {};
    Vec<2> low = moves.start[0], high = moves.start[0];
    for (const Vec<2>& x : moves.start) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    return {0.5 * (low + high), 0.5 * (high - low).minCoeff()};
}

observe::Result Stagnation::report(const observe::Moves<2>& moves) const {
    const Disk fitted = inscribed(moves);
    const Vec<2> centre = options_.centre.value_or(fitted.centre);
    const double radius = options_.radius.value_or(fitted.radius);
    Vec<2> mean = Vec<2>::Zero();
    if (options_.relative) {
        for (const Vec<2>& move : moves.move) mean += move;
        mean /= static_cast<double>(moves.move.size());
    }
    Mat<2> moved = Mat<2>::Zero(), still = Mat<2>::Zero();
    double grains = 0.0;
    for (std::size_t k = 0; k < moves.id.size(); ++k) {
        const Vec<2> x = moves.start[k] - centre;
        if (!(x.norm() <= radius)) continue;
        moved += (moves.move[k] - mean).norm() * x * x.transpose();
        still += x * x.transpose();
        ++grains;
    }
    double angle = nan, contrast = nan;
    if (grains >= 3.0 && still.determinant() > 1e-12 * still.trace() * still.trace() && moved.trace() > 0.0) {
        const Eigen::GeneralizedSelfAdjointEigenSolver<Mat<2>> solved(moved, still);
        const Vec<2> least = solved.eigenvectors().col(0);
        angle = observe::line_angle(least.x(), least.y());
        contrast = (solved.eigenvalues()[1] - solved.eigenvalues()[0]) / (solved.eigenvalues()[1] + solved.eigenvalues()[0]);
    }
    observe::Result result;
    result.add("band_angle", angle, "deg");
    result.add("band_contrast", contrast);
    result.add("grains", grains);
    result.add("begin", moves.id.empty() ? nan : moves.begin, "s");
    result.add("end", moves.id.empty() ? nan : moves.end, "s");
    return result;
}

observe::Measurement<2> make(observe::Parameters& parameters) {
    Options options;
    options.track = observe::read_track_options(parameters, "stagnation");
    if (parameters.has("centre")) options.centre = parameters.point<2>("centre", Vec<2>::Zero());
    options.radius = parameters.positive_length("radius");
    options.relative = parameters.flag("relative", false);
    if (options.centre && !options.radius) parameters.fail("radius", "is missing; give it: it goes with `centre`");
    return std::shared_ptr<observe::Memory<2>>(std::make_shared<Stagnation>(options));
}

}  // namespace

void register_stagnation(ObservableRegistry& registry) {
    registry.add("stagnation", "angle of the band of least displacement between instants", make, {}, observe::Needs::frames);
}

}  // namespace talus

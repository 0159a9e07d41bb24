// Directions of contacts. In the plane: the rose of moreau2001, fig. 2 (24 sectors of 15 degrees, each
// contact counted with n and -n) and the density P(theta) = (1 + sum a_k cos 2k theta + b_k sin 2k theta) / 2 pi.
// The coefficients are moments, a_k = 2 <cos 2k theta>, which is the least-squares fit to the contacts
// themselves, not to sectors. In space: fabric tensors of order two and four, and the distribution of the
// inclination from the vertical over that of an isotropic one, 1 + sum (4k + 1) c_2k P_2k(cos), with
// c_2k = <P_2k(cos)> and Legendre's polynomials. Errors by bootstrap over the contacts.

#include <array>

#include "observe/bootstrap.h"
#include "observe/fabric.h"
#include "observe/registry.h"
#include "observe/table.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;

template <int Dim>
struct Options {
    observe::FabricOptions<Dim> fabric;
    std::size_t bins = 24, order = 3, samples = 200;
    std::uint64_t seed = 1;
};

// --- the plane ------------------------------------------------------------------------------------------

/// Coefficients a_1 b_1 a_2 b_2 ... of a density on the circle.
using Fourier = std::vector<double>;

/// cos 2k theta and sin 2k theta of every contact, row by row.
std::vector<Fourier> harmonics(const std::vector<Vec<2>>& normals, std::size_t order) {
    std::vector<Fourier> rows;
    for (const Vec<2>& n : normals) {
        const double theta = std::atan2(n.y(), n.x());
        Fourier row;
        for (std::size_t k = 1; k <= order; ++k) {
            row.push_back(std::cos(2.0 * static_cast<double>(k) * theta));
            row.push_back(std::sin(2.0 * static_cast<double>(k) * theta));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

double density(const Fourier& fit, double theta) {
    double sum = 1.0;
    for (std::size_t k = 0; 2 * k < fit.size(); ++k) {
        const double angle = 2.0 * static_cast<double>(k + 1) * theta;
        sum += fit[2 * k] * std::cos(angle) + fit[2 * k + 1] * std::sin(angle);
    }
    return sum / (2.0 * pi);
}

struct Peaks {
    double vertical = nan, max = nan;      ///< densities [1/rad]
    double left = nan, right = nan;        ///< from the vertical [deg]: the highest maximum on each side
};

/// By values on a grid of half degrees about the vertical, the places refined by a parabola.
Peaks find_peaks(const Fourier& fit, double vertical) {
    constexpr int steps = 360;
    constexpr double width = pi / steps;
    const auto at = [&](int k) { return density(fit, vertical + k * width); };
    Peaks peaks;
    peaks.vertical = density(fit, vertical);
    double left = 0.0, right = 0.0;
    for (int k = -steps / 2; k < steps / 2; ++k) {
        const double before = at(k - 1), here = at(k), after = at(k + 1);
        if (std::isnan(peaks.max) || here > peaks.max) peaks.max = here;
        if (!(here > before && here >= after)) continue;
        const double angle = (k + 0.5 * (before - after) / (before - 2.0 * here + after)) * width * observe::degrees;
        double& best = angle >= 0.0 ? left : right;
        if (here <= best) continue;
        best = here;
        (angle >= 0.0 ? peaks.left : peaks.right) = std::abs(angle);
    }
    return peaks;
}

observe::Table sector_table(const std::vector<Vec<2>>& normals, std::size_t sectors) {
    std::vector<double> counts(sectors, 0.0);
    const double width = 2.0 * pi / static_cast<double>(sectors);
    for (const Vec<2>& n : normals)
        for (const double sign : {1.0, -1.0}) {
            double theta = std::atan2(sign * n.y(), sign * n.x());
            if (theta < 0.0) theta += 2.0 * pi;
            ++counts[std::min(sectors - 1, static_cast<std::size_t>(theta / width))];
        }
    observe::TableBuilder table("rose");
    table.column("sector_low", "deg").column("sector_high", "deg").column("count").column("density");
    for (std::size_t k = 0; k < sectors; ++k) {
        const double low = static_cast<double>(k) * width;
        table.put(low * observe::degrees).put((low + width) * observe::degrees).put(counts[k]);
        table.put(counts[k] / (2.0 * static_cast<double>(normals.size()) * width));
    }
    return table.take();
}

Fourier mean_of(const std::vector<Fourier>& rows, const std::vector<std::size_t>& chosen, std::size_t size) {
    Fourier sum(size, 0.0);
    for (const std::size_t i : chosen)
        for (std::size_t k = 0; k < size; ++k) sum[k] += rows[i][k];
    for (double& s : sum) s *= 2.0 / static_cast<double>(chosen.size());
    return sum;
}

observe::Result measure(const Snapshot<2>& snapshot, const Options<2>& options) {
    const auto normals = observe::contact_normals(snapshot, options.fabric);
    const Vec<2> up = observe::vertical(snapshot, Vec<2>::Zero().eval()).up;
    const double vertical = std::atan2(up.y(), up.x());
    const auto rows = harmonics(normals, options.order);
    const std::size_t size = 2 * options.order;
    std::vector<std::size_t> all(normals.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    const Fourier fit = mean_of(rows, all, size);
    const Peaks peaks = find_peaks(fit, vertical);
    auto sigma = observe::bootstrap(normals.size(), options.samples, options.seed, [&](const auto& chosen) {
        Fourier again = mean_of(rows, chosen, size);
        const Peaks found = find_peaks(again, vertical);
        again.push_back(found.max - found.vertical);
        return again;
    });
    sigma.resize(size + 1, nan);
    observe::Result result;
    result.add("contacts", static_cast<double>(normals.size()));
    for (std::size_t k = 0; k < size; ++k)
        result.add((k % 2 ? "b_" : "a_") + std::to_string(k / 2 + 1), fit[k]);
    for (std::size_t k = 0; k < size; ++k)
        result.add((k % 2 ? "sigma_b_" : "sigma_a_") + std::to_string(k / 2 + 1), sigma[k]);
    result.add("p_vertical", peaks.vertical);
    result.add("p_max", peaks.max);
    result.add("contrast", peaks.max - peaks.vertical);
    result.add("contrast_sigma", sigma[size]);
    result.add("contrast_over_sigma", (peaks.max - peaks.vertical) / sigma[size]);
    result.add("max_left", peaks.left, "deg");
    result.add("max_right", peaks.right, "deg");
    observe::add_fabric(result, normals, up);
    result.tables.push_back(sector_table(normals, options.bins));
    observe::TableBuilder curve("fit");
    curve.column("angle", "deg").column("density");
    for (int k = 0; k <= 120; ++k) curve.put(3.0 * k).put(density(fit, 3.0 * k / observe::degrees));
    result.tables.push_back(curve.take());
    return result;
}

// --- space ----------------------------------------------------------------------------------------------

/// P_0 P_2 P_4 P_6 ... at x.
std::vector<double> even_legendre(double x, std::size_t order) {
    std::vector<double> even{1.0};
    double before = 1.0, now = x;
    for (std::size_t n = 1; n < 2 * order; ++n) {
        const double next = ((2.0 * static_cast<double>(n) + 1.0) * x * now - static_cast<double>(n) * before) / static_cast<double>(n + 1);
        before = now;
        now = next;
        if ((n + 1) % 2 == 0) even.push_back(next);
    }
    return even;
}

/// Density at this inclination over the isotropic one.
double relative_density(const std::vector<double>& c, double cosine) {
    const auto p = even_legendre(cosine, c.size());
    double sum = 1.0;
    for (std::size_t k = 0; k < c.size(); ++k) sum += (4.0 * static_cast<double>(k + 1) + 1.0) * c[k] * p[k + 1];
    return sum;
}

struct Top {
    double value = nan, inclination = nan;   ///< [-], [deg]
};

Top find_top(const std::vector<double>& c) {
    Top top;
    for (int k = 0; k <= 180; ++k) {
        const double value = relative_density(c, std::cos(0.5 * k / observe::degrees));
        if (std::isnan(top.value) || value > top.value) top = {value, 0.5 * k};
    }
    return top;
}

std::vector<double> legendre_means(const std::vector<std::vector<double>>& rows, const std::vector<std::size_t>& chosen, std::size_t order) {
    std::vector<double> sum(order, 0.0);
    for (const std::size_t i : chosen)
        for (std::size_t k = 0; k < order; ++k) sum[k] += rows[i][k + 1];
    for (double& s : sum) s /= static_cast<double>(chosen.size());
    return sum;
}

observe::Table inclination_table(const std::vector<Vec<3>>& normals, const Vec<3>& up, const std::vector<double>& c, std::size_t bins) {
    std::vector<double> counts(bins, 0.0);
    const double width = 0.5 * pi / static_cast<double>(bins);
    for (const Vec<3>& n : normals)
        ++counts[std::min(bins - 1, static_cast<std::size_t>(observe::angle_from(n, up) / observe::degrees / width))];
    observe::TableBuilder table("inclination");
    table.column("low", "deg").column("high", "deg").column("count").column("density").column("fit");
    for (std::size_t k = 0; k < bins; ++k) {
        const double low = static_cast<double>(k) * width, share = std::cos(low) - std::cos(low + width);
        table.put(low * observe::degrees).put((low + width) * observe::degrees).put(counts[k]);
        table.put(counts[k] / (static_cast<double>(normals.size()) * share)).put(relative_density(c, std::cos(low + 0.5 * width)));
    }
    return table.take();
}

/// Mean of n (x) n (x) n (x) n: its 15 different components.
void add_fourth(observe::Result& result, const std::vector<Vec<3>>& normals) {
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            for (int k = j; k < 3; ++k)
                for (int l = k; l < 3; ++l) {
                    double sum = 0.0;
                    for (const Vec<3>& n : normals) sum += n[i] * n[j] * n[k] * n[l];
                    std::string name = "fourth_";
                    for (const int m : {i, j, k, l}) name += observe::axis_names[static_cast<std::size_t>(m)];
                    result.add(name, sum / static_cast<double>(normals.size()));
                }
}

observe::Result measure(const Snapshot<3>& snapshot, const Options<3>& options) {
    const auto normals = observe::contact_normals(snapshot, options.fabric);
    const Vec<3> up = observe::vertical(snapshot, Vec<3>::Zero().eval()).up;
    std::vector<std::vector<double>> rows;
    std::vector<std::size_t> all;
    for (const Vec<3>& n : normals) {
        all.push_back(rows.size());
        rows.push_back(even_legendre(n.dot(up), options.order));
    }
    const auto c = legendre_means(rows, all, options.order);
    const Top top = find_top(c);
    const double vertical = relative_density(c, 1.0);
    auto sigma = observe::bootstrap(normals.size(), options.samples, options.seed, [&](const auto& chosen) {
        auto again = legendre_means(rows, chosen, options.order);
        const double contrast = find_top(again).value - relative_density(again, 1.0);
        again.push_back(contrast);
        return again;
    });
    sigma.resize(options.order + 1, nan);
    observe::Result result;
    result.add("contacts", static_cast<double>(normals.size()));
    observe::add_fabric(result, normals, up);
    add_fourth(result, normals);
    for (std::size_t k = 0; k < options.order; ++k) result.add("legendre_" + std::to_string(2 * k + 2), c[k]);
    for (std::size_t k = 0; k < options.order; ++k) result.add("sigma_legendre_" + std::to_string(2 * k + 2), sigma[k]);
    result.add("p_vertical", vertical);
    result.add("p_max", top.value);
    result.add("max_inclination", top.inclination, "deg");
    result.add("contrast", top.value - vertical);
    result.add("contrast_sigma", sigma[options.order]);
    result.add("contrast_over_sigma", (top.value - vertical) / sigma[options.order]);
    result.tables.push_back(inclination_table(normals, up, c, options.bins));
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters, const char* bins, std::int64_t otherwise) {
    Options<Dim> options;
    options.fabric = observe::read_fabric_options<Dim>(parameters);
    options.bins = static_cast<std::size_t>(parameters.count(bins, otherwise, 2));
    options.order = static_cast<std::size_t>(parameters.count("order", 3, 1));
    options.samples = static_cast<std::size_t>(parameters.count("bootstrap", 200, 2));
    options.seed = static_cast<std::uint64_t>(parameters.count("seed", 1, 0));
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_rose(ObservableRegistry& registry) {
    registry.add("rose", "directions of contacts: rose with Fourier fit (2D), fabric and inclination (3D)",
                 [](observe::Parameters& parameters) { return make<2>(parameters, "sectors", 24); },
                 [](observe::Parameters& parameters) { return make<3>(parameters, "bins", 9); });
}

}  // namespace talus

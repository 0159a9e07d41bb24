#include "scene/diagnostics.h"

#include <algorithm>

#include "talus/error.h"

namespace talus::scene {

std::string Mark::text() const {
    const std::string name = source ? *source : std::string("scene");
    if (line == 0) return name;
    return name + ":" + std::to_string(line) + ":" + std::to_string(column);
}

void Diagnostics::add(const Mark& mark, const std::string& message) { entries_.push_back({mark, message}); }

void Diagnostics::raise() const {
    if (entries_.empty()) return;
    constexpr std::size_t most = 20;  // more than a screen helps nobody
    auto sorted = entries_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
        return std::pair(a.mark.line, a.mark.column) < std::pair(b.mark.line, b.mark.column);
    });
    std::string text;
    std::vector<std::string> said;
    for (const auto& entry : sorted) {
        const std::string line = entry.mark.text() + ": " + entry.message;
        if (std::find(said.begin(), said.end(), line) != said.end()) continue;
        if (said.size() == most) {
            text += "\n... and more: " + std::to_string(sorted.size()) + " in all";
            break;
        }
        text += (text.empty() ? "" : "\n") + line;
        said.push_back(line);
    }
    throw InputError(text);
}

namespace {

/// Letters to insert, drop, replace or swap with a neighbour.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t same = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + same});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
    if (word.size() > 64) return {};
    std::size_t best = (word.size() < 3 ? 0 : word.size() == 3 ? 1 : std::max<std::size_t>(2, word.size() / 3)) + 1;
    std::string found;
    for (const auto& name : known) {
        const std::size_t d = edit_distance(word, name);
        if (d < best) {
            best = d;
            found = name;
        }
    }
    return found;
}

std::string suggest(std::string_view word, const std::vector<std::string>& known, const std::string& plural) {
    const std::string near = nearest(word, known);
    if (!near.empty()) return "did you mean '" + near + "'?";
    if (known.empty()) return "there are no " + plural + " here";
    return "known " + plural + ": " + join(known);
}

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

}  // namespace talus::scene

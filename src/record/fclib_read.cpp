#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "record/fclib.h"
#include "record/h5.h"
#include "talus/error.h"

namespace talus::record {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// A problem file that is being read: every complaint names the file and the place in it.
class ProblemFile {
public:
    explicit ProblemFile(h5::File file) : file_(std::move(file)) {}

    [[noreturn]] void refuse(const std::string& place, const std::string& what) const {
        throw InputError(file_.path() + ": " + place + ": " + what);
    }
    [[nodiscard]] bool has(const std::string& place) const { return h5::exists(file_, place); }
    /// Names of the groups and datasets at the top.
    [[nodiscard]] std::vector<std::string> top() const;
    [[nodiscard]] std::vector<double> numbers(const std::string& place) const;
    [[nodiscard]] std::vector<int> integers(const std::string& place) const;
    [[nodiscard]] int integer(const std::string& place) const;
    /// "" where there is none.
    [[nodiscard]] std::string text(const std::string& place) const;
    /// All finite, and as many as `count`.
    [[nodiscard]] Eigen::VectorXd vector(const std::string& place, Eigen::Index count, const char* reason) const;
    [[nodiscard]] Sparse matrix(const std::string& group) const;

private:
    [[nodiscard]] h5::Handle dataset(const std::string& place) const;
    template <class T>
    [[nodiscard]] std::vector<T> read(const std::string& place, H5T_class_t kind, hid_t memory_type) const;

    h5::File file_;
};

std::vector<std::string> ProblemFile::top() const {
    std::vector<std::string> names;
    const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
    };
    if (H5Literate(file_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names) < 0) {
        H5Eclear2(H5E_DEFAULT);
        refuse("/", "cannot be listed; the file is damaged");
    }
    return names;
}

h5::Handle ProblemFile::dataset(const std::string& place) const {
    const hid_t id = has(place) ? H5Dopen2(file_.id(), place.c_str(), H5P_DEFAULT) : -1;
    H5Eclear2(H5E_DEFAULT);
    if (id < 0) refuse(place, "the dataset is missing or unreadable");
    return {id, H5Dclose};
}

template <class T>
std::vector<T> ProblemFile::read(const std::string& place, H5T_class_t kind, hid_t memory_type) const {
    const h5::Handle set = dataset(place);
    const h5::Handle type(H5Dget_type(set.get()), H5Tclose), space(H5Dget_space(set.get()), H5Sclose);
    const auto stored = H5Tget_class(type.get());
    if (stored != kind && !(kind == H5T_FLOAT && stored == H5T_INTEGER))
        refuse(place, kind == H5T_FLOAT ? "is not of numbers" : "is not of integers");
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    constexpr hssize_t most = hssize_t{1} << 31;  // indices are 32-bit integers
    if (count < 0 || count >= most) refuse(place, "has an impossible size");
    // An array that was declared and never written has no bytes in the file, and reads as zeros (FCLIB leaves
    // its /solution so); one that claims more than any problem needs is damage.
    constexpr hssize_t most_unwritten = 100'000'000;
    if (count > most_unwritten && H5Dget_storage_size(set.get()) == 0) refuse(place, "holds no data");
    std::vector<T> values(static_cast<std::size_t>(count));
    if (count > 0 && H5Dread(set.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
        H5Eclear2(H5E_DEFAULT);
        refuse(place, "cannot be read; the file is damaged");
    }
    return values;
}

std::vector<double> ProblemFile::numbers(const std::string& place) const {
    return read<double>(place, H5T_FLOAT, H5T_NATIVE_DOUBLE);
}
std::vector<int> ProblemFile::integers(const std::string& place) const {
    return read<int>(place, H5T_INTEGER, H5T_NATIVE_INT);
}

int ProblemFile::integer(const std::string& place) const {
    const auto values = integers(place);
    if (values.size() != 1) refuse(place, "has " + std::to_string(values.size()) + " values instead of 1");
    return values.front();
}

std::string ProblemFile::text(const std::string& place) const {
    if (!has(place)) return "";
    const h5::Handle set = dataset(place);
    const h5::Handle type(H5Dget_type(set.get()), H5Tclose), space(H5Dget_space(set.get()), H5Sclose);
    if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1)
        refuse(place, "is not a text");
    if (H5Tis_variable_str(type.get()) > 0) {  // as h5py writes them
        char* bytes = nullptr;
        const bool read = H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &bytes) >= 0;
        H5Eclear2(H5E_DEFAULT);
        std::string out = read && bytes != nullptr ? bytes : "";
        if (bytes != nullptr) H5free_memory(bytes);
        return out;
    }
    const std::size_t size = H5Tget_size(type.get());
    if (size > (std::size_t{1} << 24)) refuse(place, "has an impossible size");
    std::string out(size, '\0');
    if (H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0) {
        H5Eclear2(H5E_DEFAULT);
        refuse(place, "cannot be read; the file is damaged");
    }
    return out.substr(0, out.find('\0'));
}

Eigen::VectorXd ProblemFile::vector(const std::string& place, Eigen::Index count, const char* reason) const {
    const auto values = numbers(place);
    if (static_cast<Eigen::Index>(values.size()) != count)
        refuse(place, "has " + std::to_string(values.size()) + " values instead of " + std::to_string(count) + ", " + reason);
    for (std::size_t k = 0; k < values.size(); ++k)
        if (!std::isfinite(values[k])) refuse(place, "value " + std::to_string(k) + " is not a finite number");
    return Eigen::Map<const Eigen::VectorXd>(values.data(), count);
}

/// The arrays of a matrix group.
struct StoredMatrix {
    int rows, columns, nz;
    std::vector<int> p, i;
    std::vector<double> x;
};

/// `p` as one index an entry, whichever layout it has.
std::vector<int> spread(const ProblemFile& file, const std::string& group, const StoredMatrix& m) {
    const int lines = m.nz == -1 ? m.columns : m.rows;
    const std::string place = group + "/p", name = m.nz == -1 ? "columns" : "rows";
    if (m.p.size() != static_cast<std::size_t>(lines) + 1)
        file.refuse(place, "has " + std::to_string(m.p.size()) + " values instead of " + std::to_string(lines + 1) +
                               ", one more than the matrix has " + name);
    if (m.p.front() != 0) file.refuse(place, "does not start at 0");
    std::vector<int> line;
    for (int l = 0; l < lines; ++l) {
        if (m.p[l + 1] < m.p[l]) file.refuse(place, "decreases at " + std::to_string(l + 1));
        if (static_cast<std::size_t>(m.p[l + 1]) > std::min(m.i.size(), m.x.size()))
            file.refuse(place, "counts more entries than 'i' and 'x' hold");
        line.resize(m.p[l + 1], l);
    }
    return line;
}

void check_entries(const ProblemFile& file, const std::string& group, const StoredMatrix& m, const std::vector<int>& row,
                   const std::vector<int>& column, std::size_t count) {
    const char* row_name = m.nz == -2 ? "/p" : "/i";
    const char* column_name = m.nz == -2 ? "/i" : "/p";
    for (std::size_t e = 0; e < count; ++e) {
        if (row[e] < 0 || row[e] >= m.rows)
            file.refuse(group + row_name, "entry " + std::to_string(e) + " is row " + std::to_string(row[e]) +
                                              " of a matrix with " + std::to_string(m.rows) + " rows");
        if (column[e] < 0 || column[e] >= m.columns)
            file.refuse(group + column_name, "entry " + std::to_string(e) + " is column " + std::to_string(column[e]) +
                                                 " of a matrix with " + std::to_string(m.columns) + " columns");
        if (!std::isfinite(m.x[e])) file.refuse(group + "/x", "value " + std::to_string(e) + " is not a finite number");
    }
}

Sparse ProblemFile::matrix(const std::string& group) const {
    if (!has(group)) refuse(group, "the matrix is missing");
    StoredMatrix m{integer(group + "/m"), integer(group + "/n"), integer(group + "/nz"), integers(group + "/p"),
                   integers(group + "/i"), numbers(group + "/x")};
    if (m.rows < 0) refuse(group + "/m", "is negative");
    if (m.columns < 0) refuse(group + "/n", "is negative");
    if (m.nz < -2) refuse(group + "/nz", "is " + std::to_string(m.nz) + "; it is the number of triplets, or -1 (by columns) or -2 (by rows)");
    std::vector<int> row, column;
    std::size_t count = 0;
    if (m.nz >= 0) {
        count = static_cast<std::size_t>(m.nz);
        if (m.p.size() < count || m.i.size() < count || m.x.size() < count)
            refuse(group, "'p', 'i' or 'x' hold fewer than the " + std::to_string(m.nz) + " entries that 'nz' counts");
        row = std::move(m.i);
        column = std::move(m.p);
    } else {
        const std::vector<int> line = spread(*this, group, m);
        count = line.size();
        row = m.nz == -1 ? m.i : line;
        column = m.nz == -1 ? line : m.i;
    }
    check_entries(*this, group, m, row, column, count);
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(count);
    for (std::size_t e = 0; e < count; ++e) entries.emplace_back(row[e], column[e], m.x[e]);
    Sparse out(m.rows, m.columns);
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
}

bool is_zero(const Sparse& matrix) {
    for (int j = 0; j < matrix.outerSize(); ++j)
        for (Sparse::InnerIterator e(matrix, j); e; ++e)
            if (e.value() != 0.0) return false;
    return true;
}

void refuse_equalities(const ProblemFile& file, const std::string& group) {
    for (const char* name : {"/V", "/R", "/G"})
        if (file.has(group + name) && !is_zero(file.matrix(group + name)))
            file.refuse(group + name, "equality constraints are not solved; eliminate them before writing the problem");
    for (const char* name : {"/vectors/s", "/vectors/b"}) {
        if (!file.has(group + name)) continue;
        const auto values = file.numbers(group + name);
        if (std::any_of(values.begin(), values.end(), [](double x) { return x != 0.0; }))
            file.refuse(group + name, "equality constraints are not solved; eliminate them before writing the problem");
    }
}

std::vector<double> read_friction(const ProblemFile& file, const std::string& place, Eigen::Index contacts) {
    const Eigen::VectorXd mu = file.vector(place, contacts, "one for each contact");
    for (Eigen::Index k = 0; k < mu.size(); ++k)
        if (mu[k] < 0.0) file.refuse(place, "value " + std::to_string(k) + " is negative");
    return {mu.data(), mu.data() + mu.size()};
}

/// Contacts of a matrix with that many rows of velocity.
Eigen::Index count_contacts(const ProblemFile& file, const std::string& place, Eigen::Index rows, int dimension) {
    if (rows % dimension != 0)
        file.refuse(place, std::to_string(rows) + " is not a multiple of the dimension " + std::to_string(dimension));
    return rows / dimension;
}

void read_local(const ProblemFile& file, FclibProblem& problem) {
    FclibLocal local;
    local.W = file.matrix("/fclib_local/W");
    if (local.W.rows() != local.W.cols())
        file.refuse("/fclib_local/W", "has " + std::to_string(local.W.rows()) + " rows and " +
                                          std::to_string(local.W.cols()) + " columns; it must be square");
    const auto contacts = count_contacts(file, "/fclib_local/W/m", local.W.rows(), problem.dimension);
    local.q = file.vector("/fclib_local/vectors/q", local.W.rows(), "the rows of W");
    problem.mu = read_friction(file, "/fclib_local/vectors/mu", contacts);
    problem.form = std::move(local);
}

void read_global(const ProblemFile& file, FclibProblem& problem) {
    FclibGlobal global;
    global.M = file.matrix("/fclib_global/M");
    global.H = file.matrix("/fclib_global/H");
    if (global.M.rows() != global.M.cols())
        file.refuse("/fclib_global/M", "has " + std::to_string(global.M.rows()) + " rows and " +
                                           std::to_string(global.M.cols()) + " columns; it must be square");
    if (global.H.rows() != global.M.rows())
        file.refuse("/fclib_global/H/m", "is " + std::to_string(global.H.rows()) + "; H must have the " +
                                             std::to_string(global.M.rows()) + " rows of M");
    const auto contacts = count_contacts(file, "/fclib_global/H/n", global.H.cols(), problem.dimension);
    global.f = file.vector("/fclib_global/vectors/f", global.M.rows(), "the rows of M");
    global.w = file.vector("/fclib_global/vectors/w", global.H.cols(), "the columns of H");
    problem.mu = read_friction(file, "/fclib_global/vectors/mu", contacts);
    problem.form = std::move(global);
}

h5::File open_problem(const std::string& path) {
    try {
        return h5::File::open_plain(path);
    } catch (const IoError&) {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(path, ignored) || !std::ifstream(path)) throw;
        throw InputError(path + ": not an FCLIB problem: not HDF5, or damaged");
    }
}

/// "/fclib_local" or "/fclib_global".
std::string find_form(const ProblemFile& file) {
    if (file.has("/fclib_local") && file.has("/fclib_global"))
        file.refuse("/", "holds both fclib_local and fclib_global; leave one");
    if (file.has("/fclib_local")) return "/fclib_local";
    if (file.has("/fclib_global")) return "/fclib_global";
    for (const std::string& name : file.top())
        if (name.find("rolling") != std::string::npos)
            file.refuse("/" + name, "problems with rolling friction are not solved from files");
    file.refuse("/", "not an FCLIB problem: there is neither /fclib_local nor /fclib_global");
}

}  // namespace

FclibProblem read_fclib(const std::string& path) {
    const ProblemFile file(open_problem(path));
    const std::string group = find_form(file);
    FclibProblem problem;
    problem.dimension = file.integer(group + "/spacedim");
    if (problem.dimension != 2 && problem.dimension != 3)
        file.refuse(group + "/spacedim", "is " + std::to_string(problem.dimension) + "; problems of 2 and 3 dimensions are solved");
    problem.title = file.text(group + "/info/title");
    problem.description = file.text(group + "/info/description");
    problem.math_info = file.text(group + "/info/math_info");
    refuse_equalities(file, group);
    if (group == "/fclib_local") read_local(file, problem);
    else read_global(file, problem);
    const auto rows = static_cast<Eigen::Index>(problem.mu.size()) * problem.dimension;
    if (file.has("/guesses") && file.has("/guesses/1") && file.has("/guesses/1/r"))
        problem.guess = file.vector("/guesses/1/r", rows, "the rows of the contacts");
    if (file.has("/solution") && file.has("/solution/r"))
        problem.solution = file.vector("/solution/r", rows, "the rows of the contacts");
    return problem;
}

template <int Dim>
MatrixProblem<Dim> to_matrix_problem(const FclibProblem& problem) {
    const auto& local = std::get<FclibLocal>(problem.form);
    MatrixProblem<Dim> out;
    out.W = to_blocks<Dim>(Eigen::SparseMatrix<double, Eigen::RowMajor>(local.W));
    out.q = to_contacts<Dim>(local.q);
    out.mu = problem.mu;
    out.r.assign(problem.mu.size(), Vec<Dim>::Zero());
    refresh_velocities(out);
    return out;
}

template <int Dim>
GlobalProblem<Dim> to_global_problem(const FclibProblem& problem) {
    const auto& global = std::get<FclibGlobal>(problem.form);
    return {global.M, global.H, global.f, global.w, problem.mu};
}

template MatrixProblem<2> to_matrix_problem(const FclibProblem&);
template MatrixProblem<3> to_matrix_problem(const FclibProblem&);
template GlobalProblem<2> to_global_problem(const FclibProblem&);
template GlobalProblem<3> to_global_problem(const FclibProblem&);

}  // namespace talus::record

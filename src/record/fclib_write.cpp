#include <filesystem>

#include "record/fclib.h"
#include "record/h5.h"
#include "talus/error.h"

namespace talus::record {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using RowSparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

void write_array(const h5::File& file, const std::string& place, hid_t file_type, hid_t memory_type, const void* data,
                 std::size_t count) {
    const hsize_t size = count;
    const h5::Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const h5::Handle set(file.check(H5Dcreate2(file.id(), place.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT,
                                               H5P_DEFAULT), "create a dataset"), H5Dclose);
    if (count > 0) file.check(H5Dwrite(set.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write");
}

void write_integers(const h5::File& file, const std::string& place, const int* data, std::size_t count) {
    write_array(file, place, H5T_STD_I32LE, H5T_NATIVE_INT, data, count);
}
void write_integer(const h5::File& file, const std::string& place, int value) { write_integers(file, place, &value, 1); }
void write_numbers(const h5::File& file, const std::string& place, const double* data, std::size_t count) {
    write_array(file, place, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, data, count);
}
void write_vector(const h5::File& file, const std::string& place, const Eigen::VectorXd& values) {
    write_numbers(file, place, values.data(), static_cast<std::size_t>(values.size()));
}
/// Ends with a zero byte, which readers in C rely on.
void write_words(const h5::File& file, const std::string& place, const std::string& text) {
    h5::write_text(file, place, text, text.size() + 1);
}

void write_heading(const h5::File& file, const std::string& group, const Sparse& matrix, int nz) {
    (void)h5::make_group(file, group);
    write_integer(file, group + "/m", static_cast<int>(matrix.rows()));
    write_integer(file, group + "/n", static_cast<int>(matrix.cols()));
    write_integer(file, group + "/nz", nz);
    write_integer(file, group + "/nzmax", static_cast<int>(matrix.nonZeros()));
}

template <class Compressed>
void write_compressed(const h5::File& file, const std::string& group, const Compressed& matrix) {
    const auto count = static_cast<std::size_t>(matrix.nonZeros());
    write_integers(file, group + "/p", matrix.outerIndexPtr(), static_cast<std::size_t>(matrix.outerSize()) + 1);
    write_integers(file, group + "/i", matrix.innerIndexPtr(), count);
    write_numbers(file, group + "/x", matrix.valuePtr(), count);
}

void write_triplets(const h5::File& file, const std::string& group, const Sparse& matrix) {
    std::vector<int> row, column;
    for (int j = 0; j < matrix.outerSize(); ++j)
        for (Sparse::InnerIterator e(matrix, j); e; ++e) {
            row.push_back(static_cast<int>(e.row()));
            column.push_back(j);
        }
    write_integers(file, group + "/p", column.data(), column.size());
    write_integers(file, group + "/i", row.data(), row.size());
    write_numbers(file, group + "/x", matrix.valuePtr(), row.size());
}

void write_matrix(const h5::File& file, const std::string& group, Sparse matrix, FclibLayout layout) {
    matrix.makeCompressed();
    const int nz = layout == FclibLayout::triplets ? static_cast<int>(matrix.nonZeros())
                   : layout == FclibLayout::columns ? -1 : -2;
    write_heading(file, group, matrix, nz);
    if (layout == FclibLayout::triplets) write_triplets(file, group, matrix);
    else if (layout == FclibLayout::columns) write_compressed(file, group, matrix);
    else write_compressed(file, group, RowSparse(matrix));
}

void write_form(const h5::File& file, const FclibProblem& problem, FclibLayout layout) {
    const std::string group = problem.is_global() ? "/fclib_global" : "/fclib_local";
    (void)h5::make_group(file, group);
    write_integer(file, group + "/spacedim", problem.dimension);
    (void)h5::make_group(file, group + "/vectors");
    write_numbers(file, group + "/vectors/mu", problem.mu.data(), problem.mu.size());
    if (const auto* global = std::get_if<FclibGlobal>(&problem.form)) {
        write_matrix(file, group + "/M", global->M, layout);
        write_matrix(file, group + "/H", global->H, layout);
        write_vector(file, group + "/vectors/f", global->f);
        write_vector(file, group + "/vectors/w", global->w);
    } else {
        const auto& local = std::get<FclibLocal>(problem.form);
        write_matrix(file, group + "/W", local.W, layout);
        write_vector(file, group + "/vectors/q", local.q);
    }
    (void)h5::make_group(file, group + "/info");
    write_words(file, group + "/info/title", problem.title);
    write_words(file, group + "/info/description", problem.description);
    write_words(file, group + "/info/math_info", problem.math_info);
}

void write_solution(const h5::File& file, const FclibSolution& solution) {
    (void)h5::make_group(file, "/solution");
    write_vector(file, "/solution/u", solution.u);
    write_vector(file, "/solution/r", solution.r);
    if (solution.v.size() > 0) write_vector(file, "/solution/v", solution.v);
}

void write_guess(const h5::File& file, const Eigen::VectorXd& guess) {
    (void)h5::make_group(file, "/guesses");
    write_integer(file, "/guesses/number_of_guesses", 1);
    (void)h5::make_group(file, "/guesses/1");
    write_vector(file, "/guesses/1/r", guess);
}

}  // namespace

void write_fclib(const std::string& path, const FclibProblem& problem, FclibLayout layout, const FclibSolution* solution) {
    const std::string part = path + ".part";
    h5::File file = h5::File::create_plain(part);
    try {
        write_form(file, problem, layout);
        if (problem.guess.size() > 0) write_guess(file, problem.guess);
        if (solution != nullptr) write_solution(file, *solution);
        file.close();
    } catch (const IoError&) {
        file.abandon();
        std::error_code ignored;
        std::filesystem::remove(part, ignored);
        throw;
    }
    std::error_code error;
    std::filesystem::rename(part, path, error);
    if (error) throw IoError(path + ": cannot write: " + error.message());
}

}  // namespace talus::record

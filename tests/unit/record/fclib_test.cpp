// FCLIB files: what is written is read back whatever the layout, problems of other programs are read as they are
// meant, and a wrong file is refused with its name, the place in it and what is wrong.
#include "record/fclib.h"

#include <fstream>
#include <functional>
#include <limits>

#include "record/h5.h"
#include "synthetic_run.h"
#include "talus/error.h"

namespace talus::record::testing {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

const std::string problems = std::string(TALUS_SOURCE_DIR) + "/tests/system/problems/";

/// A matrix without symmetry or structure, with empty rows, whose every number is a function of its place.
Sparse matrix(int rows, int columns, int salt) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            if ((i * 7 + j * 3 + salt) % 4 == 1) entries.emplace_back(i, j, number(i, static_cast<std::size_t>(j), salt));
    Sparse out(rows, columns);
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
}

Eigen::VectorXd numbers(int count, int salt) {
    Eigen::VectorXd out(count);
    for (int k = 0; k < count; ++k) out[k] = number(k, 3, salt);
    return out;
}

FclibProblem local_problem(int dimension) {
    FclibProblem p;
    p.dimension = dimension;
    p.title = "made up";
    p.description = "two lines\nand \xc2\xb5";
    p.form = FclibLocal{matrix(4 * dimension, 4 * dimension, 1), numbers(4 * dimension, 2)};
    p.mu = {0.0, 0.1, 0.7, 2.0};
    p.guess = numbers(4 * dimension, 5);
    return p;
}

FclibProblem global_problem(int dimension) {
    FclibProblem p = local_problem(dimension);
    p.form = FclibGlobal{matrix(9, 9, 1), matrix(9, 4 * dimension, 2), numbers(9, 3), numbers(4 * dimension, 4)};
    return p;
}

void expect_equal(const Sparse& a, const Sparse& b) {
    ASSERT_EQ(a.rows(), b.rows());
    ASSERT_EQ(a.cols(), b.cols());
    EXPECT_EQ((Eigen::MatrixXd(a) - Eigen::MatrixXd(b)).norm(), 0.0);
}

TEST(Fclib, what_is_written_is_read_back_in_every_layout) {
    const TemporaryFolder folder;
    const std::string path = folder.file("problem.hdf5");
    for (const int dimension : {2, 3})
        for (const auto layout : {FclibLayout::triplets, FclibLayout::columns, FclibLayout::rows}) {
            const auto p = local_problem(dimension);
            write_fclib(path, p, layout);
            const auto q = read_fclib(path);
            EXPECT_FALSE(q.is_global());
            EXPECT_EQ(q.dimension, dimension);
            EXPECT_EQ(q.title, p.title);
            EXPECT_EQ(q.description, p.description);
            expect_equal(std::get<FclibLocal>(q.form).W, std::get<FclibLocal>(p.form).W);
            EXPECT_EQ(std::get<FclibLocal>(q.form).q, std::get<FclibLocal>(p.form).q);
            EXPECT_EQ(q.mu, p.mu);
            EXPECT_EQ(q.guess, p.guess);
            EXPECT_EQ(q.solution.size(), 0);

            const auto g = global_problem(dimension);
            const FclibSolution solution{numbers(4 * dimension, 7), numbers(4 * dimension, 8), numbers(9, 9)};
            write_fclib(path, g, layout, &solution);
            const auto back = read_fclib(path);
            ASSERT_TRUE(back.is_global());
            expect_equal(std::get<FclibGlobal>(back.form).M, std::get<FclibGlobal>(g.form).M);
            expect_equal(std::get<FclibGlobal>(back.form).H, std::get<FclibGlobal>(g.form).H);
            EXPECT_EQ(std::get<FclibGlobal>(back.form).f, std::get<FclibGlobal>(g.form).f);
            EXPECT_EQ(std::get<FclibGlobal>(back.form).w, std::get<FclibGlobal>(g.form).w);
            EXPECT_EQ(back.solution, solution.r);
        }
}

TEST(Fclib, a_problem_without_contacts_is_a_problem) {
    const TemporaryFolder folder;
    FclibProblem p;
    p.dimension = 3;
    p.form = FclibLocal{Sparse(0, 0), Eigen::VectorXd(0)};
    for (const auto layout : {FclibLayout::triplets, FclibLayout::columns, FclibLayout::rows}) {
        write_fclib(folder.file("empty.hdf5"), p, layout);
        EXPECT_EQ(to_matrix_problem<3>(read_fclib(folder.file("empty.hdf5"))).contacts(), 0U);
    }
}

TEST(Fclib, an_unsymmetric_operator_stays_so) {
    const auto p = local_problem(3);
    const auto m = to_matrix_problem<3>(p);
    const Eigen::MatrixXd W(std::get<FclibLocal>(p.form).W), found(to_sparse<3>(m.W));
    EXPECT_GT((W - W.transpose()).norm(), 0.1);
    EXPECT_EQ((W - found).norm(), 0.0);
}

TEST(Fclib, problems_of_other_programs_are_read) {
    const auto plane = read_fclib(problems + "FrictionContactProblem00031.hdf5");
    EXPECT_EQ(plane.dimension, 2);
    EXPECT_EQ(plane.mu.size(), 11U);
    const auto space = read_fclib(problems + "FC3D_Example1.hdf5");
    EXPECT_EQ(space.dimension, 3);
    EXPECT_EQ(space.mu, std::vector<double>(3, 0.1));
    EXPECT_EQ(space.title, "FC3D_Example1");
}

TEST(Fclib, a_global_problem_condenses_to_what_another_program_made_of_it) {
    // Triplets: `i` is the row and `p` the column. The other way round H would have 93 rows.
    const auto global = read_fclib(problems + "Box_Stacks-global.hdf5");
    const auto local = to_matrix_problem<3>(read_fclib(problems + "Box_Stacks-local.hdf5"));
    EXPECT_EQ(std::get<FclibGlobal>(global.form).H.rows(), 450);
    EXPECT_EQ(std::get<FclibGlobal>(global.form).H.cols(), 93);
    EXPECT_EQ(global.solution.norm(), 0.0);  // left unwritten
    const auto condensed = condense(to_global_problem<3>(global)).problem;
    const Eigen::MatrixXd W(to_sparse<3>(local.W)), found(to_sparse<3>(condensed.W));
    EXPECT_LT((W - found).norm(), 1e-12 * W.norm());
    EXPECT_LT((to_stacked<3>(local.q) - to_stacked<3>(condensed.q)).norm(), 1e-12 * to_stacked<3>(local.q).norm());
    EXPECT_EQ(local.mu, condensed.mu);
}

// --- wrong files -------------------------------------------------------------------------------

std::string refusal(const std::string& path) {
    try {
        (void)read_fclib(path);
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

void remove_link(const h5::File& file, const std::string& place) {
    file.check(H5Ldelete(file.id(), place.c_str(), H5P_DEFAULT), "delete");
}

void copy_group(const h5::File& file, const std::string& from, const std::string& to) {
    file.check(H5Ocopy(file.id(), from.c_str(), file.id(), to.c_str(), H5P_DEFAULT, H5P_DEFAULT), "copy");
}

template <class T>
void put(const h5::File& file, const std::string& place, const std::vector<T>& values) {
    if (h5::exists(file, place)) remove_link(file, place);
    const hsize_t size = values.size();
    const hid_t type = std::is_same_v<T, int> ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    const h5::Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const h5::Handle set(file.check(H5Dcreate2(file.id(), place.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                    "create"), H5Dclose);
    file.check(H5Dwrite(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write");
}

template <class T>
std::vector<T> get(const h5::File& file, const std::string& place) {
    const h5::Handle set = h5::open_dataset(file, place);
    const h5::Handle space(H5Dget_space(set.get()), H5Sclose);
    std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
    file.check(H5Dread(set.get(), std::is_same_v<T, int> ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       values.data()), "read");
    return values;
}

/// Changes one number of an array.
template <class T>
std::function<void(const h5::File&)> set_at(const std::string& place, std::size_t k, T value) {
    return [=](const h5::File& file) {
        auto values = get<T>(file, place);
        values.at(k) = value;
        put(file, place, values);
    };
}

struct Damage {
    std::string says;  ///< what the message must hold, the place in the file first
    std::function<void(const h5::File&)> make;
};

void expect_refused(const FclibProblem& problem, FclibLayout layout, const std::vector<Damage>& damages) {
    const TemporaryFolder folder;
    const std::string path = folder.file("wrong.hdf5");
    for (const auto& damage : damages) {
        write_fclib(path, problem, layout);
        {
            const h5::File file = h5::File::open_to_edit(path);
            damage.make(file);
        }
        const std::string message = refusal(path);
        EXPECT_EQ(message.rfind(path + ": " + damage.says, 0), 0U) << "said: " << message << "\nwanted: " << damage.says;
    }
}

std::function<void(const h5::File&)> without(const std::string& place) {
    return [=](const h5::File& file) { remove_link(file, place); };
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

TEST(FclibDamage, local_problems) {
    const std::string W = "/fclib_local/W", v = "/fclib_local/vectors";
    expect_refused(local_problem(3), FclibLayout::rows, {
        {"/fclib_local/spacedim: is 5", set_at("/fclib_local/spacedim", 0, 5)},
        {"/fclib_local/spacedim: is -1", set_at("/fclib_local/spacedim", 0, -1)},
        {"/fclib_local/spacedim: the dataset is missing", without("/fclib_local/spacedim")},
        {"/fclib_local/spacedim: has 2 values", [](const h5::File& f) { put<int>(f, "/fclib_local/spacedim", {3, 3}); }},
        {W + ": the matrix is missing", without(W)},
        {W + "/m: the dataset is missing", without(W + "/m")},
        {W + "/x: the dataset is missing", without(W + "/x")},
        {W + "/p: the dataset is missing", without(W + "/p")},
        {W + "/m: is negative", set_at(W + "/m", 0, -12)},
        {W + "/p: has 13 values instead of 12", set_at(W + "/m", 0, 11)},
        {W + ": has 12 rows and 13 columns", set_at(W + "/n", 0, 13)},
        {W + "/nz: is -3", set_at(W + "/nz", 0, -3)},
        {W + "/p: does not start at 0", set_at(W + "/p", 0, 1)},
        {W + "/p: decreases at 3", set_at(W + "/p", 3, 0)},
        {W + "/p: counts more entries", set_at(W + "/p", 12, 1000000)},
        {W + "/i: entry 2 is column 12", set_at(W + "/i", 2, 12)},
        {W + "/i: entry 2 is column -1", set_at(W + "/i", 2, -1)},
        {W + "/x: value 4 is not a finite number", set_at(W + "/x", 4, nan)},
        {W + "/i: is not of integers", [&](const h5::File& f) { put<double>(f, W + "/i", {1.0, 2.0}); }},
        {v + "/q: has 11 values instead of 12", [&](const h5::File& f) { put<double>(f, v + "/q", std::vector<double>(11, 1.0)); }},
        {v + "/q: value 7 is not a finite number", set_at(v + "/q", 7, infinity)},
        {v + "/q: the dataset is missing", without(v + "/q")},
        {v + "/q: the dataset is missing", without(v)},
        {v + "/mu: has 5 values instead of 4", [&](const h5::File& f) { put<double>(f, v + "/mu", std::vector<double>(5, 0.3)); }},
        {v + "/mu: value 1 is negative", set_at(v + "/mu", 1, -0.1)},
        {v + "/mu: value 1 is not a finite number", set_at(v + "/mu", 1, nan)},
        {"/guesses/1/r: has 3 values instead of 12", [](const h5::File& f) { put<double>(f, "/guesses/1/r", {1.0, 2.0, 3.0}); }},
        {"/: not an FCLIB problem", without("/fclib_local")},
        {"/: holds both", [](const h5::File& f) { (void)h5::make_group(f, "/fclib_global"); }},
        {"/fclib_global_rolling: problems with rolling friction", [](const h5::File& f) {
            remove_link(f, "/fclib_local");
            (void)h5::make_group(f, "/fclib_global_rolling");
        }},
        {v + "/s: equality constraints", [&](const h5::File& f) { put<double>(f, v + "/s", {0.0, 1.0}); }},
    });
}

TEST(FclibDamage, the_number_of_rows_must_be_a_multiple_of_the_dimension) {
    auto p = local_problem(2);
    p.form = FclibLocal{matrix(8, 8, 1), numbers(8, 2)};
    const TemporaryFolder folder;
    write_fclib(folder.file("p.hdf5"), p);
    {
        const h5::File file = h5::File::open_to_edit(folder.file("p.hdf5"));
        put<int>(file, "/fclib_local/spacedim", {3});
    }
    EXPECT_NE(refusal(folder.file("p.hdf5")).find("/fclib_local/W/m: 8 is not a multiple of the dimension 3"), std::string::npos);
}

TEST(FclibDamage, global_problems_and_triplets) {
    const std::string g = "/fclib_global";
    expect_refused(global_problem(2), FclibLayout::triplets, {
        {g + "/M: the matrix is missing", without(g + "/M")},
        {g + "/H: the matrix is missing", without(g + "/H")},
        {g + "/M: has 9 rows and 10 columns", set_at(g + "/M/n", 0, 10)},
        {g + "/H/m: is 10", set_at(g + "/H/m", 0, 10)},
        {g + "/H/n: 9 is not a multiple", set_at(g + "/H/n", 0, 9)},
        {g + "/H: 'p', 'i' or 'x' hold fewer", set_at(g + "/H/nz", 0, 100000)},
        {g + "/H/i: entry 0 is row 9", set_at(g + "/H/i", 0, 9)},
        {g + "/H/p: entry 0 is column 8", set_at(g + "/H/p", 0, 8)},
        {g + "/M/x: value 0 is not a finite number", set_at(g + "/M/x", 0, -infinity)},
        {g + "/vectors/f: has 1 values instead of 9", [&](const h5::File& f) { put<double>(f, g + "/vectors/f", {1.0}); }},
        {g + "/vectors/w: the dataset is missing", without(g + "/vectors/w")},
        {g + "/vectors/mu: the dataset is missing", without(g + "/vectors/mu")},
        {g + "/G: equality constraints", [&](const h5::File& f) { copy_group(f, g + "/H", g + "/G"); }},
        {g + "/vectors/b: equality constraints", [&](const h5::File& f) { put<double>(f, g + "/vectors/b", {0.0, 1.0}); }},
    });
}

TEST(FclibDamage, equality_constraints_that_are_zero_are_none) {
    const TemporaryFolder folder;
    const std::string path = folder.file("p.hdf5");
    write_fclib(path, global_problem(3));
    {
        const h5::File file = h5::File::open_to_edit(path);
        put<double>(file, "/fclib_global/vectors/b", {0.0, 0.0});
    }
    EXPECT_EQ(refusal(path), "");
}

std::string read_bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST(FclibDamage, what_is_not_hdf5_is_refused_and_what_is_not_there_is_an_io_error) {
    const TemporaryFolder folder;
    EXPECT_THROW((void)read_fclib(folder.file("nothing.hdf5")), IoError);
    EXPECT_THROW((void)read_fclib(folder.file("")), IoError);
    for (const std::string text : {"", "talus: 1\n", "\x89HDF\r\n\x1a\n and no more"}) {
        write_bytes(folder.file("text.hdf5"), text);
        EXPECT_EQ(refusal(folder.file("text.hdf5")), folder.file("text.hdf5") + ": not an FCLIB problem: not HDF5, or damaged");
    }
}

TEST(FclibDamage, a_truncated_file_is_refused_or_whole) {
    const TemporaryFolder folder;
    const std::string whole = read_bytes(problems + "FC3D_Example1.hdf5"), cut = folder.file("cut.hdf5");
    for (int part = 0; part < 60; ++part) {
        write_bytes(cut, whole.substr(0, whole.size() * static_cast<std::size_t>(part) / 60));
        EXPECT_EQ(refusal(cut).rfind(cut + ": ", 0), 0U) << part;
    }
}

TEST(FclibDamage, flipped_bytes_never_crash) {
    // Any answer is right that is a problem or a refusal with the name of the file.
    const TemporaryFolder folder;
    const std::string whole = read_bytes(problems + "FC3D_Example1.hdf5"), path = folder.file("flipped.hdf5");
    for (std::size_t at = 0; at < whole.size(); at += 37) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
        write_bytes(path, bytes);
        const std::string message = refusal(path);
        if (!message.empty()) {
            EXPECT_EQ(message.rfind(path + ": ", 0), 0U) << message;
        }
    }
}

TEST(Fclib, a_file_that_cannot_be_written_is_an_io_error_and_leaves_nothing) {
    const TemporaryFolder folder;
    EXPECT_THROW(write_fclib(folder.file("no/such/folder.hdf5"), local_problem(3)), IoError);
    EXPECT_TRUE(std::filesystem::is_empty(folder.file("")));
}

}  // namespace
}  // namespace talus::record::testing

#pragma once
/// \file
/// Contact problems in the files of FCLIB [Acary, Bremond, Koziara, Perignon: FCLIB, a collection of
/// discrete 3D frictional contact problems, 2014], which Siconos and others read and write.
///
/// Local form: u = W r + q. Global form: M v = H r + f, u = H^T v + w. Contact k has rows d k (normal),
/// d k + 1, ... of u and r, d being 2 or 3, and (u, r) obey Coulomb's law with mu_k.
///
/// A file is checked before it is believed: sizes, indices, signs, and that every number is finite. Equality
/// constraints (V, R, s; G, b) are refused unless they are zero, and so are rolling-friction problems.
///
/// A matrix is three arrays. Triplets: `i` is the row and `p` the column, the opposite of what fclib.h
/// says and what FCLIB's own files do; entries at the same place are added. W need not be symmetric.

#include <Eigen/Sparse>
#include <string>
#include <variant>
#include <vector>

#include "solve/condense.h"

namespace talus::record {

struct FclibLocal {
    Eigen::SparseMatrix<double> W;   ///< [1/kg]
    Eigen::VectorXd q;               ///< [m/s]
};

struct FclibGlobal {
    Eigen::SparseMatrix<double> M;   ///< [kg]
    Eigen::SparseMatrix<double> H;   ///< freedoms x (dimension contacts)
    Eigen::VectorXd f;               ///< [N s]
    Eigen::VectorXd w;               ///< [m/s]
};

struct FclibProblem {
    int dimension = 3;
    std::string title, description, math_info;
    std::variant<FclibLocal, FclibGlobal> form;
    std::vector<double> mu;
    Eigen::VectorXd guess;           ///< impulses of /guesses/1; empty: none [N s]
    Eigen::VectorXd solution;        ///< impulses of /solution; empty: none [N s]

    [[nodiscard]] bool is_global() const { return std::holds_alternative<FclibGlobal>(form); }
};

/// What goes to /solution.
struct FclibSolution {
    Eigen::VectorXd u;   ///< velocities of the contacts [m/s]
    Eigen::VectorXd r;   ///< impulses [N s]
    Eigen::VectorXd v;   ///< velocities of the freedoms; global form only [m/s]
};

/// How a matrix is stored.
enum class FclibLayout { triplets, columns, rows };

/// \throws IoError when there is no such file or it may not be read; InputError with the file's name, the path inside it and
/// what is wrong when it is not a problem that talus solves.
[[nodiscard]] FclibProblem read_fclib(const std::string& path);

/// Writes a file that HDF5 1.8 and later read, replacing one of that name once it is complete. \throws IoError.
void write_fclib(const std::string& path, const FclibProblem& problem, FclibLayout layout = FclibLayout::columns,
                 const FclibSolution* solution = nullptr);

/// The forms that are solved. The dimension and the form must be those of the problem; impulses start from zero.
template <int Dim>
[[nodiscard]] MatrixProblem<Dim> to_matrix_problem(const FclibProblem& problem);
template <int Dim>
[[nodiscard]] GlobalProblem<Dim> to_global_problem(const FclibProblem& problem);

}  // namespace talus::record

#include "bench/stored_packing.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <unistd.h>

#include "bench/converge.h"
#include "talus/error.h"

namespace talus::bench {
namespace {

/// A folder that removes itself.
class Folder {
public:
    Folder() : path_(std::filesystem::temp_directory_path() / ("talus-packings-" + std::to_string(::getpid()))) {}
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

const StoredProblem& find(const std::string& name) {
    for (const auto& problem : stored_problems())
        if (problem.name == name) return problem;
    throw InputError("no problem " + name);
}

TEST(StoredPackings, NamesAreDifferent) {
    std::set<std::string> names;
    for (const auto& problem : stored_problems()) EXPECT_TRUE(names.insert(problem.name).second) << problem.name;
}

TEST(StoredPackings, AColumnHasOneContactASphereAndIsFoundAgainInItsFolder) {
    const Folder folder;
    int made = 0;
    const auto count = [&](const std::string&) { ++made; };
    const auto first = std::get<ContactProblem<3>>(load_problem(find("column_1000"), folder.path(), count));
    EXPECT_EQ(first.contacts(), 1000u);
    for (const auto& contact : first.balls) EXPECT_EQ(contact.pn, 0.0);  // cold
    EXPECT_EQ(made, 1);
    const auto second = std::get<ContactProblem<3>>(load_problem(find("column_1000"), folder.path(), count));
    EXPECT_EQ(second.contacts(), 1000u);
    EXPECT_EQ(made, 1);
}

TEST(StoredPackings, WhatCannotBeReadIsMadeAgain) {
    const Folder folder;
    static_cast<void>(load_problem(find("column_1000"), folder.path(), [](const std::string&) {}));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) std::filesystem::resize_file(entry.path(), 100);
    int made = 0;
    const auto again = load_problem(find("column_1000"), folder.path(), [&](const std::string&) { ++made; });
    EXPECT_EQ(made, 1);
    EXPECT_EQ(std::get<ContactProblem<3>>(again).contacts(), 1000u);
}

TEST(Converge, NewtonSolvesTheColumnAndTighterTolerancesAreTriedInTurn) {
    const Folder folder;
    ConvergeOptions options;
    options.solvers = {"newton"};
    options.problems = {"column_1000"};
    options.tolerances = {1e-6, 1e-2};
    options.folder = folder.path();
    options.limit = 60.0;  // it takes hundredths of a second
    const auto rows = measure_convergence(options, [](const std::string&) {}, [](const ConvergeRow&) {});
    ASSERT_EQ(rows.size(), 1u);
    ASSERT_EQ(rows[0].cells.size(), 2u);
    EXPECT_EQ(rows[0].cells[0].tolerance, 1e-2);
    for (const auto& cell : rows[0].cells) {
        EXPECT_TRUE(cell.reached);
        EXPECT_LE(cell.law_error, cell.tolerance);
    }
}

TEST(Converge, WhatWasNotReachedEndsTheRow) {
    const Folder folder;
    ConvergeOptions options;
    options.solvers = {"nlgs"};            // a column of 1000 needs about 1000^2 sweeps
    options.problems = {"column_1000"};
    options.tolerances = {1e-9, 1e-10};
    options.folder = folder.path();
    options.limit = 0.01;
    const auto rows = measure_convergence(options, [](const std::string&) {}, [](const ConvergeRow&) {});
    EXPECT_TRUE(rows[0].cells[0].tried);
    EXPECT_FALSE(rows[0].cells[0].reached);
    EXPECT_FALSE(rows[0].cells[1].tried);
}

TEST(Converge, NamesThatThereAreNotAreRefused) {
    ConvergeOptions options;
    options.problems = {"pyramid"};
    const auto quiet = [](const std::string&) {};
    const auto drop = [](const ConvergeRow&) {};
    EXPECT_THROW(static_cast<void>(measure_convergence(options, quiet, drop)), InputError);
    options.problems = {};
    options.solvers = {"guess"};
    EXPECT_THROW(static_cast<void>(measure_convergence(options, quiet, drop)), InputError);
    options.solvers = {};
    options.tolerances = {0.0};
    EXPECT_THROW(static_cast<void>(measure_convergence(options, quiet, drop)), InputError);
}

}  // namespace
}  // namespace talus::bench

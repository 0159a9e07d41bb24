#pragma once
/// \file
/// What every driver in C++ shares: the job that `peers.py` wrote, and the frames that it reads back.
///
/// `job.txt` has a key and a number a line; `start.csv` one body a row (x y z, vx vy vz, and for boxes their edges sx sy sz), SI units.
/// The driver writes `frames.csv` (t x y z vx vy vz wx wy wz) at every `frame_every` and says `time T` on standard output then, so that a
/// run which is cut off tells how far it came.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace peers {

struct Start {
    double x[3], v[3], size[3];
};

struct Job {
    std::map<std::string, double> number;
    std::vector<Start> bodies;
    std::string folder;

    double operator[](const std::string& key) const {
        const auto found = number.find(key);
        if (found == number.end()) {
            std::cerr << "job.txt: no " << key << '\n';
            std::exit(2);
        }
        return found->second;
    }
};

inline Job read_job(int argc, char** argv) {
    Job job;
    job.folder = argc > 1 ? argv[1] : ".";
    std::ifstream settings(job.folder + "/job.txt");
    std::string key;
    for (double value = 0.0; settings >> key >> value;) job.number[key] = value;
    std::ifstream start(job.folder + "/start.csv");
    std::string line;
    std::getline(start, line);
    while (std::getline(start, line)) {
        for (char& c : line) c = c == ',' ? ' ' : c;
        std::istringstream row(line);
        Start b{};
        row >> b.x[0] >> b.x[1] >> b.x[2] >> b.v[0] >> b.v[1] >> b.v[2] >> b.size[0] >> b.size[1] >> b.size[2];
        job.bodies.push_back(b);
    }
    return job;
}

/// Writes frames when they are due.
class Frames {
public:
    explicit Frames(const Job& job) : every_(job["frame_every"]), file_(job.folder + "/frames.csv") {
        file_ << "t,x,y,z,vx,vy,vz,wx,wy,wz\n";
        file_.precision(15);
    }
    /// After a step that ended at `t`, within half of `step`.
    [[nodiscard]] bool is_due(double t, double step) {
        if (t < every_ * (count_ + 1) - 0.5 * step) return false;
        ++count_;
        std::cout << "time " << t << std::endl;
        return true;
    }
    void add(double t, const double (&x)[3], const double (&v)[3], const double (&w)[3]) {
        file_ << t;
        for (const auto* vector : {x, v, w})
            for (int k = 0; k < 3; ++k) file_ << ',' << vector[k];
        file_ << '\n';
    }

private:
    double every_;
    int count_ = 0;
    std::ofstream file_;
};

}  // namespace peers

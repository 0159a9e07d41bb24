#include "record/background_writer.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "record/h5.h"

namespace talus::record {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostWaiting = 3;                     ///< frames, pieces of checkpoints or bundles of reports
constexpr std::size_t kLargestPiece = 1 << 22;              ///< of a checkpoint [byte]
constexpr std::size_t kMostReports = 4096;                  ///< collected before they are handed over
constexpr auto kLongestWait = std::chrono::seconds(1);      ///< of reports, for who follows the run

/// Threads that start during its life leave signals to the others, but for those of their own faults.
class SignalsElsewhere {
public:
    SignalsElsewhere() {
        sigset_t most;
        sigfillset(&most);
        for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&most, own);
        pthread_sigmask(SIG_SETMASK, &most, &before_);
    }
    SignalsElsewhere(const SignalsElsewhere&) = delete;
    SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;
    ~SignalsElsewhere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_;
};

/// Does jobs one after the other on a thread of its own. After one that throws none is done.
class Clerk {
public:
    using Job = std::function<void()>;

    Clerk() {
        const SignalsElsewhere guard;
        thread_ = std::thread([this] { work(); });
    }
    Clerk(const Clerk&) = delete;
    Clerk& operator=(const Clerk&) = delete;
    ~Clerk() {
        {
            const std::lock_guard lock(mutex_);
            is_closing_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    void hand_over(Job job) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return waiting_.size() < kMostWaiting || failure_; });
        tell_failure();
        waiting_.push_back(std::move(job));
        changed_.notify_all();
    }
    void wait_for_all() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return (waiting_.empty() && !is_busy_) || failure_; });
        tell_failure();
    }

private:
    void tell_failure() const {
        if (failure_) std::rethrow_exception(failure_);
    }

    void work() {
        h5::prepare_library();
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [&] { return !waiting_.empty() || is_closing_; });
            if (waiting_.empty() || failure_) return;
            Job job = std::move(waiting_.front());
            waiting_.pop_front();
            is_busy_ = true;
            lock.unlock();
            std::exception_ptr failure;
            try {
                job();
            } catch (...) {
                failure = std::current_exception();
            }
            job = nullptr;   // its data goes before the next begins
            lock.lock();
            is_busy_ = false;
            failure_ = failure;
            changed_.notify_all();
            if (failure_) return;
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> waiting_;
    std::exception_ptr failure_;
    bool is_busy_ = false, is_closing_ = false;
    std::thread thread_;   // last: it uses the others
};

struct Reported {
    StepReport report;
    std::vector<WallImpulse> walls;
};

}  // namespace

template <int Dim>
struct BackgroundWriter<Dim>::Impl {
    RunWriter<Dim> writer;
    std::uint64_t frames;
    std::vector<Reported> reports;          ///< not yet handed over
    Clock::time_point handed_over = Clock::now();
    Clerk clerk;                            ///< last: it uses the writer

    explicit Impl(RunWriter<Dim> w) : writer(std::move(w)), frames(writer.frames()) {}

    /// Reports come before what follows them.
    template <class Write>
    void hand_over(Write write) {
        clerk.hand_over([this, bundle = std::move(reports), write = std::move(write)] {
            for (const Reported& r : bundle) writer.write_report(r.report, r.walls);
            write(writer);
        });
        reports = {};
        handed_over = Clock::now();
    }
};

template <int Dim>
BackgroundWriter<Dim>::BackgroundWriter(RunWriter<Dim> writer) : impl_(std::make_unique<Impl>(std::move(writer))) {}

template <int Dim>
BackgroundWriter<Dim>::~BackgroundWriter() {
    if (impl_->reports.empty()) return;
    try {
        impl_->hand_over([](RunWriter<Dim>& w) { w.commit(); });
    } catch (...) {  // the file stays as a kill would leave it
    }
}

template <int Dim>
void BackgroundWriter<Dim>::write_frame(Snapshot<Dim> snapshot, std::string observables_json) {
    impl_->hand_over([frame = std::make_shared<const Snapshot<Dim>>(std::move(snapshot)), json = std::move(observables_json)](RunWriter<Dim>& w) {
        w.write_frame(*frame, json);
    });
    ++impl_->frames;
}

template <int Dim>
void BackgroundWriter<Dim>::write_report(const StepReport& report, std::span<const WallImpulse> walls) {
    impl_->reports.push_back({report, {walls.begin(), walls.end()}});
    if (impl_->reports.size() < kMostReports && Clock::now() - impl_->handed_over < kLongestWait) return;
    impl_->hand_over([](RunWriter<Dim>& w) { w.commit(); });
}

template <int Dim>
void BackgroundWriter<Dim>::write_checkpoint(std::int64_t step, double time, const std::function<void(const ByteSink&)>& save) {
    impl_->hand_over([](RunWriter<Dim>& w) { w.begin_checkpoint(); });
    std::vector<std::byte> collected;
    const auto hand_on = [&] {
        impl_->hand_over([piece = std::make_shared<const std::vector<std::byte>>(std::exchange(collected, {}))](RunWriter<Dim>& w) {
            w.add_to_checkpoint(*piece);
        });
    };
    save([&](std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const std::size_t now = std::min(bytes.size(), kLargestPiece - collected.size());
            collected.insert(collected.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(now));
            bytes = bytes.subspan(now);
            if (collected.size() == kLargestPiece) hand_on();
        }
    });
    hand_on();
    impl_->hand_over([step, time](RunWriter<Dim>& w) { w.end_checkpoint(step, time); });
}

template <int Dim>
void BackgroundWriter<Dim>::finish(const std::string& state, double time, const std::string& observables_json,
                                   const std::string& summary_json) {
    impl_->hand_over([&](RunWriter<Dim>& w) { w.finish(state, time, observables_json, summary_json); });
    impl_->clerk.wait_for_all();
}

template <int Dim>
std::uint64_t BackgroundWriter<Dim>::frames() const {
    return impl_->frames;
}

template class BackgroundWriter<2>;
template class BackgroundWriter<3>;

}  // namespace talus::record

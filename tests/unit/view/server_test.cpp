// Who gets what from the server of the viewer.

#ifdef TALUS_VIEWER

#include "unit/record/synthetic_run.h"
#include "view/server.h"

#include <httplib.h>
#include <ifaddrs.h>

#include <cstring>
#include <thread>

namespace talus::view {
namespace {

using namespace record::testing;

class Serving : public ::testing::Test {
protected:
    void SetUp() override {
        auto writer = create<2>(folder_.file("run.h5"));
        write_run(writer, 0, 2);
        server_.emplace(folder_.file("run.h5"));
        thread_ = std::thread([this] { server_->serve(); });
    }
    void TearDown() override {
        server_->stop();
        thread_.join();
    }
    [[nodiscard]] httplib::Client client() const {
        httplib::Client c("127.0.0.1", server_->port());
        c.set_connection_timeout(10);
        return c;
    }
    [[nodiscard]] int status(const std::string& path, const httplib::Headers& headers = {}) const {
        auto c = client();
        for (int attempt = 0; attempt < 100; ++attempt) {   // until it listens
            if (const auto answer = c.Get(path, headers)) return answer->status;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        return -1;
    }
    [[nodiscard]] std::string own(const std::string& path) const { return "/" + server_->token() + path; }

    TemporaryFolder folder_;
    std::optional<Server> server_;
    std::thread thread_;
};

TEST_F(Serving, AnswersWithItsToken) {
    for (const char* path : {"/", "/meta", "/geometry", "/frame/0", "/frame/2", "/report"}) EXPECT_EQ(status(own(path)), 200) << path;
}

TEST_F(Serving, RefusesOthers) {
    std::string wrong = server_->token();
    wrong.back() = wrong.back() == '0' ? '1' : '0';
    for (const std::string& path : {std::string("/"), std::string("/meta"), "/" + wrong + "/meta", server_->token(), "/" + server_->token().substr(1) + "/meta"})
        EXPECT_EQ(status(path.front() == '/' ? path : "/x" + path), 403) << path;
}

TEST_F(Serving, RefusesAnotherHost) {
    // A page from elsewhere whose name was pointed at this machine sends its own name.
    EXPECT_EQ(status(own("/meta"), {{"Host", "evil.example:80"}}), 403);
    EXPECT_EQ(status(own("/meta"), {{"Host", "localhost:" + std::to_string(server_->port())}}), 200);
}

TEST_F(Serving, HasNothingButTheRun) {
    for (const char* path : {"/frame/3", "/frame/-1", "/frame/99999999999999999999", "/frame/0x0", "/frame/", "/../run.h5", "/run.h5", "/etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/meta/x"})
        EXPECT_EQ(status(own(path)), 404) << path;
}

TEST_F(Serving, CompressesNothing) {
    // The web server's library packs text for whoever accepts it, as every browser does: 1.4 s for the page, more than all else that opens a run.
    for (const char* path : {"/", "/meta", "/geometry", "/frame/1", "/report"}) {
        ASSERT_EQ(status(own(path)), 200);
        const auto answer = client().Get(own(path), httplib::Headers{{"Accept-Encoding", "gzip, deflate, br"}});
        ASSERT_TRUE(answer) << path;
        EXPECT_FALSE(answer->has_header("Content-Encoding")) << path;
        EXPECT_EQ(answer->get_header_value("Content-Length"), std::to_string(answer->body.size())) << path;
    }
}

TEST_F(Serving, FramesAreBlocksOfOneFrame) {
    ASSERT_EQ(status(own("/meta")), 200);
    const auto answer = client().Get(own("/frame/1"));
    ASSERT_TRUE(answer);
    ASSERT_GT(answer->body.size(), 12u);
    EXPECT_EQ(answer->body.substr(0, 4), "TLF1");
    std::uint32_t head[3];
    std::memcpy(head, answer->body.data() + 4, sizeof head);
    EXPECT_EQ(head[0], 1u);                  // frames in the block
    EXPECT_EQ(head[1], 1u);                  // number in the run
    EXPECT_EQ(head[2], body_count(1));       // bodies
}

TEST_F(Serving, TokensDiffer) {
    const Server other(folder_.file("run.h5"));
    EXPECT_NE(other.token(), server_->token());
    EXPECT_EQ(other.token().size(), 32u);
}

// A stop before the server listened was lost, and the one who waited for its end waited for ever.
TEST_F(Serving, AStopAtAnyMomentIsHeard) {
    for (int k = 0; k < 20; ++k) {
        Server other(folder_.file("run.h5"));
        std::thread answering([&other] { other.serve(); });
        if (k % 2 == 1) std::this_thread::sleep_for(std::chrono::microseconds(100 * k));
        other.stop();
        answering.join();
    }
}

TEST_F(Serving, ListensOnLoopbackOnly) {
    ASSERT_EQ(status(own("/meta")), 200);
    ifaddrs* all = nullptr;
    ASSERT_EQ(getifaddrs(&all), 0);
    for (const ifaddrs* i = all; i; i = i->ifa_next) {
        if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET) continue;
        char name[INET_ADDRSTRLEN];
        inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(i->ifa_addr)->sin_addr, name, sizeof name);
        if (std::string(name).starts_with("127.")) continue;
        httplib::Client outside(name, server_->port());
        outside.set_connection_timeout(2);
        EXPECT_FALSE(outside.Get(own("/meta"))) << name;
    }
    freeifaddrs(all);
}

TEST(Server, SaysWhatItCannotRead) { EXPECT_THROW(Server("/nonexistent/run.h5"), IoError); }

}  // namespace
}  // namespace talus::view

#endif

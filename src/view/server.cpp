#include "view/server.h"

// The system's headers that httplib.h brings in define a macro `_res`, which Eigen uses as a name: Eigen first.
#include "view/album.h"

#include <httplib.h>
#include <sys/random.h>

#include <atomic>
#include <charconv>
#include <condition_variable>
#include <mutex>

#include <fmt/format.h>

#include "plot/report.h"
#include "talus/error.h"
#include "view/page.h"

namespace talus::view {

namespace {

constexpr auto kLook = std::chrono::milliseconds(500);   // how often a growing file is looked at

std::string make_token() {
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) throw IoError("the system gives no random numbers for the address of the viewer");
    std::string token;
    for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

/// Takes as long wherever the two differ.
bool is_same(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return false;
    unsigned char difference = 0;
    for (std::size_t k = 0; k < a.size(); ++k) difference |= static_cast<unsigned char>(a[k] ^ b[k]);
    return difference == 0;
}

void answer(httplib::Response& response, int status, const std::string& words) {
    response.status = status;
    response.set_content(words + "\n", "text/plain; charset=utf-8");
}

/// Sends text as it is. The library would compress it as best it can, which takes seconds for a page; on one machine nothing is gained.
void send(httplib::Response& response, std::string text, const char* type) {
    const auto body = std::make_shared<const std::string>(std::move(text));
    if (body->empty()) return response.set_content("", type);
    response.set_content_provider(body->size(), type, [body](std::size_t at, std::size_t length, httplib::DataSink& sink) { return sink.write(body->data() + at, length); });
}

}  // namespace

struct Server::Impl {
    httplib::Server http;
    std::string run_file, token;
    int port = 0;
    std::mutex reading;                       // HDF5 is used by one thread at a time
    std::unique_ptr<Album> album;
    bool is_over = false;                     // the run has ended: the file does not change any more
    std::atomic<bool> stopping{false}, serving{false};

    void add_routes();
    [[nodiscard]] bool is_allowed(const httplib::Request& request, httplib::Response& response) const;
    void get(const char* path, std::function<void(const httplib::Request&, httplib::Response&)> handler);
    void send_frame(const httplib::Request& request, httplib::Response& response);
    void send_events(httplib::Response& response);
    /// Looks at the file again; one that cannot be read at the moment is tried again the next time.
    void refresh();
    [[nodiscard]] std::string status();
};

bool Server::Impl::is_allowed(const httplib::Request& request, httplib::Response& response) const {
    const std::string host = request.get_header_value("Host");
    if (host != fmt::format("127.0.0.1:{}", port) && host != fmt::format("localhost:{}", port)) {
        answer(response, 403, "this server answers to this machine only");
        return false;
    }
    const auto end = request.path.find('/', 1);
    if (request.path.empty() || !is_same(request.path.substr(1, end == std::string::npos ? end : end - 1), token)) {
        answer(response, 403, "the address lacks the token that `talus view` printed");
        return false;
    }
    return true;
}

void Server::Impl::get(const char* path, std::function<void(const httplib::Request&, httplib::Response&)> handler) {
    http.Get("/" + token + path, [handler](const httplib::Request& request, httplib::Response& response) {
        try {
            handler(request, response);
        } catch (const std::exception& error) {   // damage in the file is the file's, not the server's end
            answer(response, 500, error.what());
        }
    });
}

void Server::Impl::send_frame(const httplib::Request& request, httplib::Response& response) {
    const std::string digits = request.matches[1];
    std::size_t k = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), k);
    const std::lock_guard lock(reading);
    if (error != std::errc() || end != digits.data() + digits.size() || k >= album->size())
        return answer(response, 404, fmt::format("no such frame; the run has {}", album->size()));
    Detail detail;
    detail.exact = true;
    send(response, encode_block({album->columns(k, detail)}), "application/octet-stream");
}

void Server::Impl::refresh() {
    const std::lock_guard lock(reading);
    try {
        if (is_over) return;
        album->refresh();
        is_over = album->reader().info().state != record::kRunning;
    } catch (const IoError&) {
    }
}

std::string Server::Impl::status() {
    const std::lock_guard lock(reading);
    return nlohmann::json{{"frames", album->size()}, {"state", album->reader().info().state}}.dump();
}

void Server::Impl::send_events(httplib::Response& response) {
    response.set_header("Cache-Control", "no-store");
    response.set_chunked_content_provider("text/event-stream", [this, told = std::string()](std::size_t, httplib::DataSink& sink) mutable {
        refresh();
        std::string now = told;
        try {
            now = status();
        } catch (const IoError&) {
        }
        // A comment when there is nothing new: it is how a page that has gone is noticed.
        const std::string text = now == told ? ": \n\n" : "data: " + now + "\n\n";
        told = now;
        if (!sink.write(text.data(), text.size())) return false;
        for (int k = 0; k < 5 && !stopping; ++k) std::this_thread::sleep_for(kLook / 5);
        if (stopping) sink.done();
        return !stopping;
    });
}

void Server::Impl::add_routes() {
    http.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
        response.set_header("X-Content-Type-Options", "nosniff");
        response.set_header("Referrer-Policy", "no-referrer");
        response.set_header("Cache-Control", "no-store");
        return is_allowed(request, response) ? httplib::Server::HandlerResponse::Unhandled : httplib::Server::HandlerResponse::Handled;
    });
    http.set_error_handler([](const httplib::Request&, httplib::Response& response) {
        if (response.body.empty() && response.status == 404) answer(response, 404, "there is nothing at this address");
    });
    get("/", [this](const auto&, auto& response) {
        const std::lock_guard lock(reading);
        send(response, served_page(album->reader().info().scene_name), "text/html; charset=utf-8");
    });
    get("/meta", [this](const auto&, auto& response) {
        refresh();
        const std::lock_guard lock(reading);
        send(response, album->meta().dump(-1, ' ', true, nlohmann::json::error_handler_t::replace), "application/json");
    });
    get("/geometry", [this](const auto&, auto& response) {
        const std::lock_guard lock(reading);
        send(response, album->geometry(), "application/octet-stream");
    });
    get("/report", [this](const auto&, auto& response) {
        const std::lock_guard lock(reading);
        send(response, plot::read_report(run_file).content, "text/html; charset=utf-8");
    });
    get(R"(/frame/(\d{1,9}))", [this](const auto& request, auto& response) { send_frame(request, response); });
    get("/events", [this](const auto&, auto& response) { send_events(response); });
}

Server::Server(const std::string& run_file, int port) : impl_(std::make_unique<Impl>()) {
    impl_->run_file = run_file;
    impl_->token = make_token();
    impl_->album = std::make_unique<Album>(run_file);
    impl_->is_over = impl_->album->reader().info().state != record::kRunning;
    impl_->add_routes();
    const char* loopback = "127.0.0.1";
    if (port == 0) impl_->port = impl_->http.bind_to_any_port(loopback);
    else impl_->port = impl_->http.bind_to_port(loopback, port) ? port : -1;
    if (impl_->port <= 0) throw IoError(fmt::format("cannot listen on 127.0.0.1:{}; choose another --port", port));
}

Server::~Server() = default;

int Server::port() const { return impl_->port; }
const std::string& Server::token() const { return impl_->token; }
std::string Server::url() const { return fmt::format("http://127.0.0.1:{}/{}/", impl_->port, impl_->token); }

void Server::serve() {
    impl_->serving = true;
    if (!impl_->stopping) impl_->http.listen_after_bind();
    impl_->serving = false;
}

void Server::stop() {
    impl_->stopping = true;
    // The library forgets a stop that comes before it listens.
    while (impl_->serving && !impl_->http.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    impl_->http.stop();
}

}  // namespace talus::view

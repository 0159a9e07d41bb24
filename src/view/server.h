#pragma once
/// \file
/// A run in the browser: a server on this machine for one run file.
///
/// It listens on 127.0.0.1 only. Every address starts with a token of 128 random bits, which only who
/// started the server knows; a request whose Host is not this machine is refused, so that a page from
/// elsewhere cannot reach it under another name. It serves the viewer and what is in that run file, and reads
/// no other file. While the run goes on, `/events` tells of new frames (Server-Sent Events).

#include <functional>
#include <memory>
#include <string>

namespace talus::view {

class Server {
public:
    /// Opens the run and the port (0: any free one). \throws IoError.
    explicit Server(const std::string& run_file, int port = 0);
    ~Server();

    [[nodiscard]] int port() const;
    [[nodiscard]] const std::string& token() const;
    [[nodiscard]] std::string url() const;
    /// Answers until `stop`.
    void serve();
    void stop();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus::view

#pragma once
// Is this XML? Just enough of a parser: tags nest, attributes are quoted, `&` starts an entity.

#include <string>
#include <vector>

namespace talus::plot {

/// What is wrong, or nothing.
inline std::string xml_fault(const std::string& text) {
    std::vector<std::string> open;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '&' && text.find(';', at) > at + 7) return "bare & at " + text.substr(at, 30);
        if (text[at] != '<') continue;
        const std::size_t end = text.find('>', at);
        if (end == std::string::npos) return "unclosed tag";
        const std::string tag = text.substr(at + 1, end - at - 1);
        if (tag.find('<') != std::string::npos) return "bare < in " + tag;
        std::size_t quotes = 0;
        for (const char c : tag) quotes += c == '"';
        if (quotes % 2) return "odd quotes in " + tag;
        const std::string name = tag.substr(0, tag.find_first_of(" /"));
        if (tag.rfind("/", 0) == 0) {
            if (open.empty() || open.back() != tag.substr(1)) return "unexpected </" + tag.substr(1) + ">";
            open.pop_back();
        } else if (tag.back() != '/' && tag.front() != '!' && name != "meta") {
            open.push_back(name);
        }
        at = end;
    }
    return open.empty() ? "" : "unclosed " + open.back();
}

/// How often `part` occurs.
inline std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace talus::plot

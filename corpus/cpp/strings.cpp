// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// native: same

// string and string_view: short and long strings, searching, numbers, comparison, moves, wide text.

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

using namespace std::literals;

static std::string_view trim(std::string_view text) {
    auto first = text.find_first_not_of(" \t");
    return first == text.npos ? ""sv : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

int main() {
    std::string small = "loom", large(40, 'x');
    std::string copy = large;
    large.replace(5, 30, "--").insert(0, small).append(3, '!');
    std::printf("%s %s %zu\n", small.c_str(), large.c_str(), copy.size());
    std::string moved = std::move(copy);
    std::printf("%zu %zu\n", moved.size(), copy.size());
    std::string text = "the selvedge keeps the threads";
    std::printf("%zu %zu %d\n", text.find("the", 1), text.rfind("the"), text.find("zz") == std::string::npos);
    std::printf("%s %d %d\n", text.substr(4, 8).c_str(), text.starts_with("the"), text.ends_with('s'));
    std::printf("[%.*s]\n", int(trim("  padded \t").size()), trim("  padded \t").data());
    std::printf("%d %d %d\n", "abc"s < "abd"s, "abc"sv.compare("ab"), "b"s == "b"sv);
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
    std::reverse(text.begin(), text.begin() + 3);
    std::printf("%s\n", text.c_str());

    std::printf("%d %ld %.3f %llu\n", std::stoi("  42abc"), std::stol("-7f", nullptr, 16), std::stod("2.5e2"),
                std::stoull("18446744073709551615"));
    std::printf("%s %s %s\n", std::to_string(-12).c_str(), std::to_string(1.5).c_str(), std::to_string(7ull).c_str());
    try {
        std::stoi("weft");
    } catch (const std::invalid_argument& error) {
        std::printf("invalid %d\n", std::string(error.what()).starts_with("stoi"));
    }
    try {
        std::stoi("99999999999");
    } catch (const std::out_of_range&) {
        std::printf("out of range\n");
    }
    try {
        (void)text.at(100);
    } catch (const std::out_of_range&) {
        std::printf("no such position\n");
    }
    char buffer[32];
    auto [end, status] = std::to_chars(buffer, buffer + 32, 255, 16);
    int parsed = 0;
    auto rest = std::from_chars("123xyz", "123xyz" + 6, parsed);
    std::printf("%.*s %d %s %d\n", int(end - buffer), buffer, parsed, rest.ptr, status == std::errc());
    std::u32string wide = U"größe";
    std::string utf8 = "gr\u00f6\u00dfe";
    std::printf("%zu %zu %x\n", wide.size(), utf8.size(), unsigned(wide[2]));
    std::string grown;
    for (int i = 0; i < 100; ++i) grown += char('a' + i % 26);
    grown.erase(grown.begin() + 10, grown.end() - 2);
    std::printf("%s %d\n", grown.c_str(), std::hash<std::string>()("a") == std::hash<std::string>()("a"));
}

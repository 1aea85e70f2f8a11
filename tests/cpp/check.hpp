// Checks of the C++ tests. A program includes this once and ends with `return report();`.
#pragma once

#include <asdf.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

inline int checks_passed = 0;
inline int checks_failed = 0;

inline void check_that(bool holds, const char *text, const char *file, int line) {
    (holds ? checks_passed : checks_failed)++;
    if (!holds) std::cerr << file << ':' << line << ": not so: " << text << '\n';
}

template <class A, class B>
void check_equal(const A &found, const B &expected, const char *text, const char *file, int line) {
    const bool equal = found == expected;
    check_that(equal, text, file, line);
    if constexpr (std::is_convertible_v<const A &, std::string>) {
        if (!equal) std::cerr << "    found: " << std::string(found) << '\n';
    } else if constexpr (std::is_arithmetic_v<A>) {
        if (!equal) std::cerr << "    found: " << +found << '\n';
    }
}

/// Checks that a call throws asdf::error with a status, and a message that contains a text.
template <class Call>
void check_failure(asdf_status status, const char *part, Call &&call, const char *text, const char *file, int line) {
    try {
        call();
    } catch (const asdf::error &problem) {
        const bool expected = problem.status() == status && std::string(problem.what()).find(part) != std::string::npos;
        check_that(expected, text, file, line);
        if (!expected) std::cerr << "    " << problem.status_name() << ": " << problem.what() << '\n';
        return;
    }
    check_that(false, text, file, line);
    std::cerr << "    no exception\n";
}

#define CHECK(...) check_that(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define EQUAL(found, ...) check_equal((found), __VA_ARGS__, #found, __FILE__, __LINE__)
#define FAILS(status, part, ...)                                                                                       \
    check_failure((status), (part), [&] { static_cast<void>(__VA_ARGS__); }, #__VA_ARGS__, __FILE__, __LINE__)

inline int report() {
    if (checks_failed > 0) std::cerr << checks_failed << " checks failed\n";
    return checks_failed > 0 || checks_passed == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

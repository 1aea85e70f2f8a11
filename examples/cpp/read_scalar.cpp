// Reads a number by its path, and another one with a default: read_scalar FILE
#include <asdf.hpp>
#include <iostream>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    asdf::file file = asdf::file::open(argv[1]);
    double seconds = file["meta/exposure/time"].get<double>();
    int repeats = file["meta/exposure/repeats"].value_or(1);
    std::cout << seconds << " s, " << repeats << " exposure(s)\n";
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

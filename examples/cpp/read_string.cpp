// Reads a string of any length by its path: read_string FILE
#include <asdf.hpp>
#include <iostream>
#include <string>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    asdf::file file = asdf::file::open(argv[1]);
    std::string name = file["meta/target/name"].get<std::string>();
    std::cout << name << '\n';
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

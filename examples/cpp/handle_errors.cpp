// Decides by the status of an error, and prints its place: handle_errors FILE
#include <asdf.hpp>
#include <iostream>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    asdf::file file = asdf::file::open(argv[1]);
    try {
        file["meta/exposure/start"].get<double>();
    } catch (const asdf::error &problem) {
        if (problem.status() != ASDF_ERR_WRONG_TYPE) throw;
        std::cout << "line " << problem.line() << " is no number\n" << problem.what() << '\n';
    }
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

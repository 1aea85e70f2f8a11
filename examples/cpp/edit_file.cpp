// Changes a number in a file and saves it: edit_file FILE
#include <asdf.hpp>
#include <iostream>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    asdf::file file = asdf::file::open_for_update(argv[1]);
    file["meta/exposure/time"] = 140.5;
    file.save();
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

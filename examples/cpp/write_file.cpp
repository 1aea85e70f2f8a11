// Writes a new file with a string, a number and a compressed image: write_file FILE
#include <asdf.hpp>
#include <iostream>
#include <vector>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    std::vector<float> image(4 * 6);
    asdf::file file;
    file["meta/telescope"] = "Roman";
    file["meta/exposure/time"] = 139.8;
    file["data"].set(image, {4, 6}, asdf::compression::zlib);
    file.write(argv[1]);
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

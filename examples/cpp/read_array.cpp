// Reads a whole image of any size as double: read_array FILE
#include <asdf.hpp>
#include <iostream>
#include <vector>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    asdf::file file = asdf::file::open(argv[1]);
    asdf::array image = file["data"].array();
    std::vector<double> pixels = image.read<double>();
    std::cout << image.shape().front() << " x " << image.shape().back() << ", last pixel " << pixels.back() << '\n';
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

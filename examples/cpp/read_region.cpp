// Reads every second pixel of a window of an image: read_region FILE
#include <asdf.hpp>
#include <iostream>
#include <vector>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    asdf::file file = asdf::file::open(argv[1]);
    std::vector<float> window = file["data"].array().region({76, 54}, {4, 6}, {2, 2}).read<float>();
    std::cout << "first " << window.front() << ", last " << window.back() << '\n';
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

// Reads an image with missing pixels: read_masked FILE
#include <algorithm>
#include <asdf.hpp>
#include <iostream>
#include <optional>
#include <vector>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    asdf::file file = asdf::file::open(argv[1]);
    std::vector<std::optional<double>> image = file["data"].array().read<std::optional<double>>();
    const auto present = std::stable_partition(image.begin(), image.end(), [](const auto &pixel) { return !pixel; });
    std::cout << present - image.begin() << " missing, the others from " << std::fixed;
    std::cout.precision(1);
    std::cout << **std::min_element(present, image.end()) << '\n';
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

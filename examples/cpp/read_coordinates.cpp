// Reads positions on the sky and their frame: read_coordinates FILE
#include <asdf.hpp>
#include <iomanip>
#include <iostream>
#include <vector>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    asdf::file file = asdf::file::open(argv[1]);
    const asdf::coordinates sky = file["targets"].coordinates();
    const std::vector<double> ra = sky.numbers("ra", "deg"), dec = sky.numbers("dec", "deg");
    std::cout << std::fixed << std::setprecision(4);
    for (std::size_t point = 0; point < sky.size(); point++)
        std::cout << sky.frame() << ": ra " << ra[point] << ", dec " << dec[point] << '\n';
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

// Reads a column of angles in hours instead of degrees: read_in_unit TABLE
#include <asdf.hpp>
#include <iomanip>
#include <iostream>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    const asdf::table table = asdf::table::read_ecsv(argv[1]);
    std::cout << std::fixed << std::setprecision(4);
    for (const double hours : table["ra"].read<double>(asdf::in_unit("hourangle"))) std::cout << hours << " h\n";
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

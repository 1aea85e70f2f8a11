// Reads a column with missing values of an ECSV table: read_table TABLE
#include <asdf.hpp>
#include <iostream>
#include <optional>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    const asdf::table table = asdf::table::read_ecsv(argv[1]);
    for (const std::optional<double> &flux : table["flux"].read<std::optional<double>>()) {
        if (flux)
            std::cout << *flux << '\n';
        else
            std::cout << "missing\n";
    }
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

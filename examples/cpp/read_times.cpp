// Reads a column of times of an ECSV table: read_times TABLE
#include <asdf.hpp>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <optional>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    const asdf::table table = asdf::table::read_ecsv(argv[1]);
    for (const std::optional<asdf::time_point> &start : table.time_points("start")) {
        if (start)
            std::cout << std::fixed << std::setprecision(3)
                      << std::chrono::duration<double>(start->time_since_epoch()).count() << " s of UTC since 1970\n";
        else
            std::cout << "missing\n";
    }
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

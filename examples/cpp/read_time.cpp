// Reads a time, and converts it from UTC to TAI: read_time FILE
#include <asdf.hpp>
#include <iostream>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    asdf::file file = asdf::file::open(argv[1]);
    asdf::times start = file["meta/exposure/start"].times();
    std::cout << start.to(asdf::time_scale::tai).text() << " TAI, " << start.front().time_since_epoch().count()
              << " ns of UTC since 1970\n";
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

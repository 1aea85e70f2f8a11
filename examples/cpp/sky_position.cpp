// Converts a pixel of an image to a position on the sky, and back: sky_position FILE X Y
#include <asdf.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>

int main(int argc, char **argv) try {
    if (argc != 4) return 2;
    const asdf::file file = asdf::file::open(argv[1]);
    const asdf::wcs wcs = file["meta/wcs"].wcs();
    const auto [ra, dec] = wcs(std::atof(argv[2]), std::atof(argv[3]));
    const auto [x, y] = wcs.pixel(ra, dec);
    std::printf("ra %.6f, dec %.6f: pixel %.3f, %.3f\n", ra, dec, x, y);
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

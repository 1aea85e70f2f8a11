// Writes spectra as they come: write_stream FILE
#include <array>
#include <asdf.hpp>
#include <iostream>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    asdf::stream<float> spectra(asdf::file(), argv[1], "spectra", {4});
    for (int number = 0; number < 10; number++) {
        std::array<float, 4> spectrum{};
        spectrum.fill(static_cast<float>(number));
        spectra.push(spectrum);
    }
    spectra.finish(); // the file gets its name
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

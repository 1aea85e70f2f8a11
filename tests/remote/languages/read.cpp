// Opens a URL, reads a tile, and prints it with the counts of requests and bytes. A wrong URL prints the status.
#include <asdf.hpp>
#include <iostream>
#include <string>
#include <vector>

int main(int, char **argv) {
    const std::string url = argv[1];
    {
        const asdf::file file = asdf::file::open(url + "image.asdf");
        const asdf::array array = file["data"].get<asdf::array>();
        const std::vector<float> tile = array.region({3000, 2000}, {64, 64}).read<float>();
        double sum = 0;
        for (float number : tile) sum += number;
        const asdf::transfers transfers = file.transfers();
        std::cout.precision(17);
        std::cout << sum << ' ' << transfers.requests << ' ' << transfers.bytes << '\n';
    }
    try {
        asdf::file::open(url + "missing.asdf");
    } catch (const asdf::error &error) {
        std::cout << (error.status() == ASDF_ERR_FILE_NOT_FOUND) << '\n';
    }
}

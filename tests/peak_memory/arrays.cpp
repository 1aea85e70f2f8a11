// Reads and writes a large array in C++: arrays open|read|write FILE.
#include <asdf.hpp>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const std::string action = argv[1];
    if (action == "write") {
        std::vector<double> data(std::size_t{4096} * 8192, 1.5);
        asdf::file file;
        file["data"].set_moved(std::move(data), {4096, 8192});
        file.write(argv[2]);
        return 0;
    }
    const asdf::file file = asdf::file::open(argv[2]);
    const asdf::array array = file["data"].array();
    if (action == "open") return array.shape().size() == 2 ? 0 : 1;
    return array.read<double>().back() == 1.5 ? 0 : 1;
}

// Appends time steps, each safe on the disk, and goes on with a file that exists: append_steps FILE
#include <asdf.hpp>
#include <filesystem>
#include <iostream>
#include <vector>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    if (!std::filesystem::exists(argv[1])) {
        asdf::file made;
        asdf::store_options options;
        options.chunks = {4, 2, 3};
        options.codec = asdf::compression::zlib;
        made["heat"].set_zeros<float>({0, 2, 3}, options);
        made.write(argv[1]);
    }
    asdf::file file = asdf::file::open_for_update(argv[1]);
    for (int number = 0; number < 5; number++) {
        const asdf::array heat = file["heat"].array();
        heat.append(1, std::vector<float>(6, static_cast<float>(heat.shape()[0])));
        file.save(); // the step is on the disk
    }
    std::cout << file["heat"].array().shape()[0] << " steps\n";
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

// Adds up an image without a copy where the file allows it: view_array FILE
#include <asdf.hpp>
#include <iostream>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    asdf::file file = asdf::file::open(argv[1]);
    asdf::array data = file["data"].array();
    double sum = 0;
    try {
        asdf::view<const float> mapped = data.view<float>(); // no copy; indexable by (i, j); keeps the bytes alive
        for (float pixel : mapped) sum += pixel;
        std::cout << "mapped, first pixel " << mapped(0, 0);
    } catch (const asdf::error &problem) {
        if (problem.status() != ASDF_ERR_NOT_VIEWABLE) throw;
        std::cout << problem.what(); // such as that the elements are compressed; reading works in any case
        for (float pixel : data.read<float>()) sum += pixel;
    }
    std::cout << ", sum " << sum << '\n';
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

// Reads metadata, an array and a window of image.asdf, and writes copy.asdf.
#include <asdf.hpp>
#include <iostream>
#include <vector>

int main() try {
    asdf::file file = asdf::file::open("image.asdf"); // throws asdf::error, which carries the status
    double seconds = file["meta/exposure/time"].get<double>();
    asdf::array data = file["data"].array();
    std::vector<float> pixels = data.read<float>(); // converted to float, however the file stores them
    std::vector<float> window = data.region({100, 200}, {32, 32}, {2, 2}).read<float>();
    std::cout << seconds << ' ' << data.shape()[0] << 'x' << data.shape()[1] << ' ' << window[0] << '\n';

    asdf::file out;
    out["meta/telescope"] = "Roman";
    out["data"].set(pixels, {512, 512}, asdf::compression::zlib);
    out.write("copy.asdf");
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n'; // such as that copy.asdf exists
    return 1;
}

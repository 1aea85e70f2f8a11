// Writes image.asdf for examples/cpp/quickstart.cpp: an image of 512 x 512 float32, whose block is aligned for a view.
#include <asdf.hpp>
#include <numeric>
#include <vector>

int main() {
    std::vector<float> pixels(512 * 512);
    std::iota(pixels.begin(), pixels.end(), 0.0F);
    asdf::file file;
    file["meta/exposure/time"] = 139.8;
    file["data"].set(pixels, {512, 512});
    file.write("image.asdf");
}

// Prints the stars of a catalogue that an image shows, with their pixels: overlay_catalogue IMAGE CATALOGUE
#include <asdf.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <vector>

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    try {
        const asdf::wcs wcs = asdf::file::open(argv[1])["meta/wcs"].wcs();
        asdf::read_ecsv_options options;
        options.columns = {"source_id", "ra", "dec"};
        options.batch_rows = 10000;
        for (const asdf::table &batch : asdf::table_reader(argv[2], options)) {
            const auto identifiers = batch["source_id"].read<std::int64_t>();
            const std::size_t count = identifiers.size();
            // One column after the other: the pixels are written over the positions.
            std::vector<double> points = batch["ra"].read<double>();
            const auto declinations = batch["dec"].read<double>();
            points.insert(points.end(), declinations.begin(), declinations.end());
            const auto strides = asdf::point_strides::columns(count);
            wcs.world_to_pixel(count, points.data(), points.size(), strides, points.data(), points.size(), strides);
            for (std::size_t row = 0; row < count; row++) {
                if (std::isnan(points[row])) continue;
                std::cout << identifiers[row] << ' ' << points[row] << ' ' << points[count + row] << '\n';
            }
        }
    } catch (const asdf::error &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}

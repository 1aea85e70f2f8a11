// Reads two columns of an ECSV catalogue batch by batch, and prints the bright stars: bright_stars FILE
#include <asdf.hpp>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    try {
        asdf::read_ecsv_options options;
        options.columns = {"source_id", "phot_g_mean_mag"};
        options.batch_rows = 100;
        for (const asdf::table &batch : asdf::table_reader(argv[1], options)) {
            const auto identifiers = batch["source_id"].read<std::int64_t>();
            const auto magnitudes = batch["phot_g_mean_mag"].read<std::optional<double>>();
            for (std::size_t row = 0; row < identifiers.size(); row++) {
                if (magnitudes[row] && *magnitudes[row] < 10) std::cout << identifiers[row] << '\n';
            }
        }
    } catch (const asdf::error &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}

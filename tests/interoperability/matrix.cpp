// The C++ program of the matrix: `write EXPECTED DIR` writes the files, `read FOUND FILE...` reads files and dumps what
// it finds into the directory FOUND. matrix.py describes files and dumps.
#include "matrix.h"

#include <array>
#include <asdf.hpp>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

struct star {
    std::int32_t id;
    std::array<double, 3> position;
    char name[8];
    float flux;
    bool good;
};

template <> struct asdf::record<star> {
    static constexpr auto fields = asdf::fields(asdf::field("id", &star::id), asdf::field("position", &star::position),
                                                asdf::field("name", &star::name), asdf::field("flux", &star::flux),
                                                asdf::field("good", &star::good));
};

namespace {

/// Bytes of a float16, for which C++17 has no type.
struct half {
    std::uint16_t bits;
};

/// Calls a function with the name of each datatype and an element of it.
template <class Function> void for_each_datatype(Function call) {
    call("int8", std::int8_t{});
    call("int16", std::int16_t{});
    call("int32", std::int32_t{});
    call("int64", std::int64_t{});
    call("uint8", std::uint8_t{});
    call("uint16", std::uint16_t{});
    call("uint32", std::uint32_t{});
    call("uint64", std::uint64_t{});
    call("float16", half{});
    call("float32", float{});
    call("float64", double{});
    call("complex64", std::complex<float>{});
    call("complex128", std::complex<double>{});
    call("bool8", bool{});
}

asdf::shape shape_of(std::size_t rank) {
    return asdf::shape(SHAPES[rank], SHAPES[rank] + rank);
}

std::string array_path(const std::string &datatype, std::size_t rank) {
    return datatype + "/rank" + std::to_string(rank);
}

// Writing -------------------------------------------------------------------------------------------------------------

/// Directory of expected content.
class content {
  public:
    explicit content(std::string directory) : directory_(std::move(directory)) {}

    /// Returns the elements of an array.
    template <class T> std::vector<T> elements(const std::string &name) const {
        const std::string bytes = text(name + ".bin");
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }

    std::vector<bool> flags(const std::string &name) const {
        const std::string bytes = text(name + ".bin");
        return std::vector<bool>(bytes.begin(), bytes.end());
    }

    std::vector<std::string> texts(const std::string &name) const {
        std::ifstream file(directory_ + "/" + name + ".txt");
        std::vector<std::string> lines;
        for (std::string line; std::getline(file, line);) lines.push_back(line);
        return lines;
    }

    /// Returns the values of a column, without those of the missing cells.
    std::vector<std::optional<double>> optionals(const std::string &name) const {
        const std::vector<double> values = elements<double>(name);
        const std::vector<bool> mask = flags(name + ".mask");
        std::vector<std::optional<double>> cells(values.begin(), values.end());
        for (std::size_t row = 0; row < cells.size(); ++row) {
            if (mask[row]) cells[row].reset();
        }
        return cells;
    }

    std::vector<star> stars() const {
        const std::string bytes = text("records.bin");
        constexpr std::size_t size = 4 + 3 * 8 + 8 + 4 + 1;
        std::vector<star> all(bytes.size() / size);
        const char *from = bytes.data();
        const auto take = [&](void *to, std::size_t count) {
            std::memcpy(to, from, count);
            from += count;
        };
        for (star &one : all) {
            take(&one.id, sizeof one.id);
            take(&one.position, sizeof one.position);
            take(&one.name, sizeof one.name);
            take(&one.flux, sizeof one.flux);
            take(&one.good, sizeof one.good);
        }
        return all;
    }

  private:
    std::string text(const std::string &name) const {
        std::ifstream file(directory_ + "/" + name, std::ios::binary);
        if (!file) throw std::runtime_error("there is no " + name);
        return std::string(std::istreambuf_iterator<char>(file), {});
    }

    std::string directory_;
};

void write_arrays(const content &from, const std::string &path, const asdf::array_options &options) {
    asdf::file file;
    for_each_datatype([&](const std::string &name, auto zero) {
        using T = decltype(zero);
        for (std::size_t rank = 0; rank < RANKS; ++rank) {
            const std::string source = name + "-rank" + std::to_string(rank);
            const std::string target = array_path(name, rank);
            if constexpr (std::is_same_v<T, bool>) {
                file[target].set(from.flags(source), shape_of(rank), options);
            } else if constexpr (std::is_same_v<T, half>) {
                const std::vector<half> elements = from.elements<half>(source);
                file[target].set(asdf::datatype(asdf::type_code::float16), elements.data(),
                                 elements.size() * sizeof(half), shape_of(rank), options);
            } else {
                file[target].set(from.elements<T>(source), shape_of(rank), options);
            }
        }
    });
    file.write(path);
}

asdf::table make_table(const content &from) {
    asdf::table table(static_cast<std::int64_t>(from.elements<std::int64_t>("table-id").size()));
    table.add_column("id", from.elements<std::int64_t>("table-id"))
        .add_column("flux", from.optionals("table-flux"))
        .add_column("name", from.texts("table-name"))
        .add_column("good", from.flags("table-good"))
        .add_array_column("position", {2}, from.elements<double>("table-position"));
    return table;
}

void write_extras(const content &from, const std::string &directory) {
    asdf::file file;
    file["strings/ascii"].set(from.texts("strings-ascii"), {2, 3});
    file["strings/ucs4"].set(from.texts("strings-ucs4"), {2, 3});
    const std::vector<star> stars = from.stars();
    file["records"].set(stars, {static_cast<std::int64_t>(stars.size())});
    file["masks/image"].set(from.elements<double>("masks-image"), {3, 4});
    file["masks/image/mask"].set(from.flags("masks-image.mask"), {3, 4});
    const asdf::table table = make_table(from);
    asdf::set_table_options options;
    options.table_form = asdf::table_form::astropy;
    file["table"].set(table, options);
    file.write(directory + "/extras.asdf");
    table.write_ecsv(directory + "/table.ecsv");
}

// Reading -------------------------------------------------------------------------------------------------------------

/// File of the sections that were found.
class sections {
  public:
    explicit sections(const std::string &path) : file_(path, std::ios::binary) {
        file_.exceptions(std::ios::failbit | std::ios::badbit);
    }

    void add(const std::string &name, const std::string &bytes) {
        file_ << name << ' ' << bytes.size() << '\n' << bytes;
    }

    template <class T> void add(const std::string &name, const std::vector<T> &values) {
        std::string bytes;
        if constexpr (std::is_same_v<T, std::string>) {
            for (const std::string &line : values) bytes += line + '\n';
        } else if constexpr (std::is_same_v<T, bool>) {
            bytes.assign(values.begin(), values.end());
        } else {
            bytes.assign(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
        }
        add(name, bytes);
    }

  private:
    std::ofstream file_;
};

void read_arrays(sections &found, const asdf::file &file) {
    for_each_datatype([&](const std::string &name, auto zero) {
        using T = decltype(zero);
        for (std::size_t rank = 0; rank < RANKS; ++rank) {
            const std::string path = array_path(name, rank);
            if (!file.contains(path)) continue;
            const asdf::array array = file[path].array();
            if (array.shape() != shape_of(rank) || array.datatype().name() != name) {
                throw std::runtime_error(path + " has another shape or datatype");
            }
            if constexpr (std::is_same_v<T, half>) {
                found.add(path + "@float32", array.read<float>());
            } else {
                found.add(path, array.read<T>());
            }
        }
    });
}

void read_records(sections &found, const asdf::file &file) {
    if (!file.contains("records")) return;
    std::vector<std::int32_t> ids;
    std::vector<double> positions;
    std::vector<std::string> names;
    std::vector<float> fluxes;
    std::vector<bool> good;
    for (const star &one : file["records"].array().read<star>()) {
        ids.push_back(one.id);
        positions.insert(positions.end(), one.position.begin(), one.position.end());
        names.emplace_back(one.name, strnlen(one.name, sizeof one.name));
        fluxes.push_back(one.flux);
        good.push_back(one.good);
    }
    found.add("records/id", ids);
    found.add("records/position", positions);
    found.add("records/name", names);
    found.add("records/flux", fluxes);
    found.add("records/good", good);
}

void read_table(sections &found, const asdf::table &table) {
    std::vector<double> fluxes;
    std::vector<bool> mask;
    for (const std::optional<double> &flux : table["flux"].read<std::optional<double>>()) {
        fluxes.push_back(flux.value_or(0));
        mask.push_back(!flux);
    }
    found.add("table/id", table["id"].read<std::int64_t>());
    found.add("table/flux", fluxes);
    found.add("table/flux.mask", mask);
    found.add("table/name", table["name"].read<std::string>());
    found.add("table/good", table["good"].read<bool>());
    found.add("table/position", table["position"].read<double>());
}

void read_file(const std::string &directory, const std::string &path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    sections found(directory + "/" + name + ".found");
    if (name.find(".ecsv") != std::string::npos) return read_table(found, asdf::table::read_ecsv(path));
    asdf::open_options options;
    options.verify_checksums = true;
    const asdf::file file = asdf::file::open(path, options);
    read_arrays(found, file);
    for (const std::string strings : {"strings/ascii", "strings/ucs4"}) {
        if (file.contains(strings)) found.add(strings, file[strings].array().read<std::string>());
    }
    read_records(found, file);
    if (file.contains("masks/image")) {
        asdf::masked<double> image = file["masks/image"].array().read_masked<double>();
        for (std::size_t i = 0; i < image.values.size(); ++i)
            if (image.mask[i]) image.values[i] = 0;
        found.add("masks/image", image.values);
        found.add("masks/image.mask", image.mask);
    }
    if (file.contains("table")) read_table(found, file["table"].get_table());
}

void run(const std::vector<std::string> &arguments) {
    if (arguments.size() < 3) throw std::runtime_error("usage: matrix write EXPECTED DIR | read FOUND FILE...");
    if (arguments[0] == "read") {
        for (std::size_t i = 2; i < arguments.size(); ++i) read_file(arguments[1], arguments[i]);
        return;
    }
    const content from(arguments[1]);
    for (std::size_t codec = 0; codec < CODEC_COUNT; ++codec) {
        for (int order = 0; order < 2; ++order) {
            for (int byte_order = 0; byte_order < 2; ++byte_order) {
                asdf::array_options options;
                options.codec = static_cast<asdf::compression>(codec);
                options.stored_order = static_cast<asdf::order>(order);
                options.byte_order = static_cast<asdf::byte_order>(byte_order);
                write_arrays(from,
                             arguments[2] + "/" + CODECS[codec] + "-" + ORDERS[order] + "-" + BYTE_ORDERS[byte_order] +
                                 ".asdf",
                             options);
            }
        }
    }
    write_extras(from, arguments[2]);
}

} // namespace

int main(int argc, char **argv) {
    try {
        run(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

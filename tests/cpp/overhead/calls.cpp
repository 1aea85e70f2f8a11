// Repeats one operation by the C interface or by the C++ binding, for counting instructions:
// calls LANGUAGE OPERATION REPETITIONS. The file in memory and its handles are made once.
#include <asdf.hpp>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct sample {
    std::int32_t id;
    float flux;
};

template <> struct asdf::record<sample> {
    static constexpr auto fields = asdf::fields(asdf::field("id", &sample::id), asdf::field("flux", &sample::flux));
};

namespace {

struct content {
    asdf::buffer bytes;
    asdf::file file;
    asdf::node root;
    asdf::array array;
    asdf::array records;
    asdf::table table;
    asdf::column column;
    std::vector<float> elements = std::vector<float>(4096);
    std::vector<sample> samples = std::vector<sample>(8);
};

using operation = void (*)(content &);

asdf::buffer make_bytes() {
    asdf::file out;
    out["meta/exposure/time"] = 139.8;
    out["meta/telescope"] = "Roman";
    out["data"].set(std::vector<float>(4096), {64, 64});
    out["records"].set(std::vector<sample>(8), {8});
    return out.write_memory();
}

asdf::table make_table() {
    asdf::table table(100);
    table.add_column("flux", std::vector<float>(100, 1.5F));
    return table;
}

void must(asdf_status status) {
    if (status != ASDF_OK) std::abort();
}

const std::map<std::string, operation> c_operations{
    {"open",
     [](content &c) {
         asdf_file *file = nullptr;
         asdf_node *root = nullptr;
         must(asdf_file_open_memory(c.bytes.data(), c.bytes.size(), nullptr, &file));
         must(asdf_file_root(file, &root));
         asdf_node_free(root);
         asdf_file_free(file);
     }},
    {"get_double",
     [](content &c) {
         double seconds = 0;
         must(asdf_node_get_f64(c.root.native_handle(), "meta/exposure/time", &seconds));
     }},
    {"get_string",
     [](content &c) {
         char text[256];
         must(asdf_node_get_string(c.root.native_handle(), "meta/telescope", text, sizeof text, nullptr));
     }},
    {"set_double",
     [](content &c) {
         static asdf::file out;
         must(asdf_node_set_f64(out.root().native_handle(), "meta/time", static_cast<double>(c.elements[0])));
     }},
    {"get_array",
     [](content &c) {
         asdf_array *array = nullptr;
         must(asdf_node_get_array(c.root.native_handle(), "data", &array));
         asdf_array_free(array);
     }},
    {"read_array",
     [](content &c) {
         must(asdf_array_read(c.array.native_handle(), ASDF_FLOAT32, nullptr, c.elements.data(),
                              c.elements.size() * sizeof(float), nullptr, 0));
     }},
    {"read_region",
     [](content &c) {
         const std::int64_t start[] = {10, 20}, count[] = {4, 4}, step[] = {2, 2};
         must(asdf_array_read_region(c.array.native_handle(), 2, start, count, step, ASDF_FLOAT32, nullptr,
                                     c.elements.data(), c.elements.size() * sizeof(float), nullptr, 0));
     }},
    {"read_with_options",
     [](content &c) {
         asdf_options *options = nullptr;
         must(asdf_options_new(&options));
         must(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 1));
         must(asdf_array_read(c.array.native_handle(), ASDF_FLOAT32, options, c.elements.data(),
                              c.elements.size() * sizeof(float), nullptr, 0));
         asdf_options_free(options);
     }},
    {"read_records",
     [](content &c) {
         must(asdf_array_read(c.records.native_handle(), 0, nullptr, c.samples.data(),
                              c.samples.size() * sizeof(sample), nullptr, 0));
     }},
    {"read_column",
     [](content &c) {
         must(asdf_table_read_column(c.table.native_handle(), "flux", 0, -1, ASDF_FLOAT32, nullptr, c.elements.data(),
                                     c.elements.size() * sizeof(float), nullptr, 0));
     }},
    {"view",
     [](content &c) {
         asdf_view *view = nullptr;
         const void *bytes = nullptr;
         std::size_t size = 0;
         must(asdf_array_view(c.array.native_handle(), ASDF_FLOAT32, nullptr, &view));
         must(asdf_view_bytes(view, &bytes, &size));
         asdf_view_free(view);
     }},
};

const std::map<std::string, operation> cpp_operations{
    {"open", [](content &c) { asdf::file::open_memory(c.bytes); }},
    {"get_double", [](content &c) { c.file["meta/exposure/time"].get<double>(); }},
    {"get_string", [](content &c) { c.file["meta/telescope"].get<std::string>(); }},
    {"set_double",
     [](content &c) {
         static asdf::file out;
         out["meta/time"] = c.elements[0];
     }},
    {"get_array", [](content &c) { c.file["data"].array(); }},
    {"read_array", [](content &c) { c.array.read_into(c.elements); }},
    {"read_region",
     [](content &c) {
         c.array.region({10, 20}, {4, 4}, {2, 2}).read_into(c.elements.data(), c.elements.size());
     }},
    {"read_with_options",
     [](content &c) {
         asdf::read_options options;
         options.clamp = true;
         c.array.read_into(c.elements, options);
     }},
    {"read_records", [](content &c) { c.records.read_into(c.samples); }},
    {"read_column", [](content &c) { c.column.read_into(c.elements); }},
    {"view", [](content &c) { c.array.view<float>(); }},
};

} // namespace

int main(int argc, char **argv) {
    if (argc == 1) {
        for (const auto &[name, call] : cpp_operations) std::cout << name << '\n';
        return 0;
    }
    if (argc != 4) return 2;
    asdf::buffer bytes = make_bytes();
    asdf::file file = asdf::file::open_memory(bytes);
    const asdf::table table = make_table();
    content c{bytes, file, file.root(), file["data"].array(), file["records"].array(), table, table["flux"]};
    const operation call = (std::strcmp(argv[1], "c") == 0 ? c_operations : cpp_operations).at(argv[2]);
    for (int i = std::atoi(argv[3]); i > 0; i--) call(c);
}

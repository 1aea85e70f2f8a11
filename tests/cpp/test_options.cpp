// Options: only members with a value are passed, of every kind; enumerations, flags, and handles of the C interface.
#include "check.hpp"

#include <asdf.hpp>
#include <string>
#include <vector>

static std::int64_t get_int(const asdf::detail::option_handle &handle, std::int32_t key) {
    std::int64_t value = 0;
    asdf::detail::check(asdf_options_get_int(handle.get(), key, &value));
    return value;
}

static std::string get_text(const asdf::detail::option_handle &handle, std::int32_t key, std::int64_t index = 0) {
    return asdf::detail::read_text([&](char *buffer, std::size_t capacity, std::size_t *needed) {
        return asdf_options_get_text(handle.get(), key, index, buffer, capacity, needed);
    });
}

static void members() {
    using asdf::detail::make_options;
    CHECK(make_options(asdf::open_options()).get() == nullptr);
    asdf::open_options open;
    open.verify_checksums = false;
    open.threads = 4;
    open.limits.depth = 9;
    open.access = asdf::access::same_directory;
    open.directories = std::vector<std::string>{"/data", "/tmp"};
    open.temporary_directory = "";
    const auto handle = make_options(open);
    EQUAL(get_int(handle, ASDF_OPTION_VERIFY_CHECKSUMS), 0);
    EQUAL(get_int(handle, ASDF_OPTION_THREADS), 4);
    EQUAL(get_int(handle, ASDF_OPTION_LIMIT_DEPTH), 9);
    EQUAL(get_int(handle, ASDF_OPTION_ACCESS), ASDF_ACCESS_SAME_DIRECTORY);
    EQUAL(get_text(handle, ASDF_OPTION_DIRECTORIES, 1), "/tmp");
    EQUAL(get_text(handle, ASDF_OPTION_TEMPORARY_DIRECTORY), "");
    FAILS(ASDF_ERR_NOT_FOUND, "", get_int(handle, ASDF_OPTION_MAPPED));

    asdf::array_options array;
    array.codec = asdf::compression::zstd;
    array.strides = std::vector<std::int64_t>{};
    EQUAL(get_text(make_options(array), ASDF_OPTION_CODEC), "zstd");
    std::int32_t count = -1;
    CHECK(asdf_options_get_ints(make_options(array).get(), ASDF_OPTION_STRIDES, nullptr, 0, &count) == ASDF_OK);
    EQUAL(count, 0);

    asdf::create_asdf_options create;
    create.extent = 3;
    create.extent_at = {{"/time", 5}};
    EQUAL(get_int(make_options(create), ASDF_OPTION_EXTENT), 3);

    open.threads = -1;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", make_options(open));
    asdf::write_options write;
    write.alignment = 3;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", make_options(write));
}

static void enumerations() {
    CHECK(static_cast<int>(asdf::kind::reference) == ASDF_KIND_REFERENCE);
    CHECK(static_cast<int>(asdf::repair::index | asdf::repair::wrong_checksums) == 9);
    EQUAL(std::string(asdf::label(asdf::compression::none)), "");
    EQUAL(std::string(asdf::label(asdf::compression::bls2)), "bls2");
    EQUAL(std::string(asdf::label(asdf::compression::xz)), "xz");
}

static void fill_values() {
    asdf::file file;
    file["texts"].set({"a", "b"}, {2});
    file["texts/mask"].set({true, false}, {2});
    asdf::read_options options;
    options.fill = asdf::fill_value(asdf::datatype::ascii(4), {std::byte{'n'}, std::byte{'o'}, {}, {}});
    FAILS(ASDF_ERR_MASKED, "", file["texts"].array().read<std::string>());
    options.fill = asdf::fill_value(asdf::datatype::ascii(1), {std::byte{'-'}});
    CHECK((file["texts"].array().read<std::string>(options) == std::vector<std::string>{"-", "b"}));
    options.fill = asdf::fill_value(asdf::datatype::ascii(4), {std::byte{'n'}});
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", file["texts"].array().read<std::string>(options));
}

#if __cplusplus >= 202002L
static void designated() {
    asdf::file file;
    file["a"].set({1, 2}, {2}, {.codec = asdf::compression::zlib, .level = 9});
    EQUAL(file.block(0).compression, "zlib");
    const asdf::file read = asdf::file::open_memory(file.write_memory({.checksums = false}), {.limits = {.depth = 20}});
    EQUAL(read.verify().absent, 1);
    CHECK((read["a"].array().read<float>({.threads = 2}) == std::vector<float>{1, 2}));
}
#endif

int main() {
    members();
    enumerations();
    fill_values();
#if __cplusplus >= 202002L
    designated();
#endif
    return report();
}

// Callables: byte sources, generated and lent arrays, codecs, resolvers, progress; their exceptions and their lifetime.
#include "check.hpp"

#include <algorithm>
#include <asdf.hpp>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

struct own_exception : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Checks that a call throws the exception of a callable, and that the next failure is one of the library again.
template <class Call> static void throws_own(Call &&call, const char *message, int line) {
    try {
        call();
    } catch (const own_exception &problem) {
        check_that(std::string(problem.what()) == message, message, __FILE__, line);
        try {
            asdf::file::open("none.asdf");
        } catch (const asdf::error &next) {
            check_that(next.status() == ASDF_ERR_FILE_NOT_FOUND, "the exception is thrown once", __FILE__, line);
        }
        return;
    }
    check_that(false, "own_exception", __FILE__, line);
}

static asdf::buffer make_bytes() {
    asdf::file out;
    std::vector<int> values(100'000);
    std::iota(values.begin(), values.end(), 0);
    out["data"].set(values, {100'000});
    return out.write_memory();
}

static void sources() {
    const asdf::buffer bytes = make_bytes();
    auto alive = std::make_shared<int>(0);
    bool fails = false;
    int calls = 0;
    asdf::byte_source source{[&, alive](std::int64_t offset, void *buffer, std::size_t size) {
                                 ++calls;
                                 if (fails) throw own_exception("connection lost");
                                 size = std::min<std::size_t>(size, 1000);
                                 std::memcpy(buffer, bytes.data() + offset, size);
                                 return size;
                             },
                             static_cast<std::int64_t>(bytes.size())};
    {
        const asdf::file file = asdf::file::open(source);
        source.read = nullptr;
        CHECK(calls > 0 && alive.use_count() == 2);
        EQUAL(file["data"].array().read<int>().back(), 99'999);
        fails = true;
        throws_own([&] { file["data"].array().read<int>(); }, "connection lost", __LINE__);
        throws_own([&] { file["data"].array().region({5}, {1}).read<int>(); }, "connection lost", __LINE__);
        fails = false;
        EQUAL(file["data"].array().region({5}, {1}).read<int>()[0], 5);
        CHECK(alive.use_count() == 2);
    }
    EQUAL(alive.use_count(), 1);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "",
          asdf::file::open(asdf::byte_source{[](auto...) { return std::size_t{0}; }, -1}));
    throws_own(
        [&] {
            asdf::file::open(asdf::byte_source{
                [](std::int64_t, void *, std::size_t) -> std::size_t { throw own_exception("no source"); }, 100});
        },
        "no source", __LINE__);
}

static void generated() {
    asdf::file out;
    bool fails = false;
    std::int64_t next = 0;
    out["cube"].set_generated<double>({1000, 300}, [&](std::int64_t first, double *elements, std::size_t count) {
        if (fails && first > 0) throw own_exception("camera is off");
        next = first + static_cast<std::int64_t>(count);
        for (std::size_t i = 0; i < count; ++i) elements[i] = static_cast<double>(first) + static_cast<double>(i);
    });
    const auto alive = std::make_shared<int>(0);
    out["bytes"].set_generated(asdf::datatype::ascii(3), {2},
                               asdf::byte_source{[alive](std::int64_t offset, void *buffer, std::size_t size) {
                                                     std::memcpy(buffer, &"abcdef"[offset], size);
                                                     return size;
                                                 },
                                                 6});
    const asdf::file in = asdf::file::open_memory(out.write_memory());
    EQUAL(next, 300'000);
    EQUAL(in["cube"].array().region({999, 299}, {1, 1}).read<double>()[0], 299'999.0);
    CHECK((in["bytes"].array().read<std::string>() == std::vector<std::string>{"abc", "def"}));
    EQUAL(out["cube"].array().region({1, 1}, {1, 1}).read<double>()[0], 301.0);
    fails = true;
    throws_own([&] { out.write_memory(); }, "camera is off", __LINE__);
    throws_own([&] { out.write("generated.asdf"); }, "camera is off", __LINE__);
    CHECK(alive.use_count() == 2);
    out["bytes"] = 1;
    out["cube"] = 2;
    out.write_memory();
    EQUAL(alive.use_count(), 1);
    asdf::store_options options;
    options.stored_order = asdf::order::fortran;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "",
          out["x"].set_generated<int>(
              {2}, [](std::int64_t, int *, std::size_t) {}, options));
}

static void lent() {
    const std::vector<float> mine{1, 2, 3};
    bool released = false;
    {
        asdf::file out;
        out["mine"].set_borrowed(mine.data(), 3, {3}, [&] { released = true; });
        std::vector<std::int64_t> moved{4, 5, 6, 7};
        const std::int64_t *const address = moved.data();
        out["moved"].set_moved(std::move(moved), {2, 2});
        CHECK(out["moved"].array().view<std::int64_t>().data() == address);
        const asdf::file in = asdf::file::open_memory(out.write_memory());
        CHECK(in["mine"].array().read<float>() == mine && in["moved"].array().read<int>().back() == 7);
        CHECK(!released);
        FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out["bad"].set_moved(std::vector<int>(3), {4}));
        FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out["bad"].set_borrowed(mine.data(), 2, {3}));
    }
    CHECK(released);
    asdf::file zeros;
    zeros["zeros"].set_zeros<std::uint16_t>({5, 5});
    zeros["texts"].set_zeros(asdf::datatype::ucs4(4), {2});
    CHECK(zeros["zeros"].array().read<int>() == std::vector<int>(25));
    CHECK(zeros["texts"].array().read<std::string>() == std::vector<std::string>(2));
    asdf::store_options options;
    options.codec = asdf::compression::zlib;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", zeros["x"].set_zeros<int>({5}, options));
}

static void codecs() {
    bool fails = false;
    const asdf::codec invert(
        "inv",
        [&](const std::byte *stored, std::size_t size, std::byte *out, std::size_t out_size) {
            if (fails) throw own_exception("no key");
            if (size != out_size) throw asdf::error(ASDF_ERR_CORRUPT, "wrong size");
            std::transform(stored, stored + size, out, [](std::byte b) { return ~b; });
            return size;
        },
        [&](const std::byte *data, std::size_t size, std::byte *out, std::size_t) {
            if (fails) throw own_exception("no key");
            std::transform(data, data + size, out, [](std::byte b) { return ~b; });
            return size;
        });
    asdf::array_options set;
    set.custom_codecs = {invert};
    asdf::file out;
    out["data"].set({1, 2, 3}, {3}, set);
    const asdf::buffer bytes = out.write_memory();
    fails = true;
    throws_own([&] { out.write_memory(); }, "no key", __LINE__);
    fails = false;
    FAILS(ASDF_ERR_UNKNOWN_CODEC, "inv", asdf::file::open_memory(bytes)["data"].array().read<int>());
    asdf::open_options open;
    open.custom_codecs = {invert};
    EQUAL(asdf::file::open_memory(bytes).block(0).compression, "inv");
    CHECK((asdf::file::open_memory(bytes, open)["data"].array().read<int>() == std::vector<int>{1, 2, 3}));
    fails = true;
    throws_own([&] { asdf::file::open_memory(bytes, open)["data"].array().read<int>(); }, "no key", __LINE__);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", asdf::codec("zlib", {}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", asdf::codec("too long", {}));
}

static void resolvers() {
    const asdf::buffer bytes = make_bytes();
    asdf::file out;
    out["far"].set_reference("archive:one#/data");
    out["secret"].set_reference("archive:two#/data");
    out["broken"].set_reference("archive:three#/data");
    asdf::open_options options;
    options.resolver = [bytes](const std::string &uri) -> asdf::byte_source {
        if (uri == "archive:two") throw asdf::error(ASDF_ERR_ACCESS_DENIED, "not for you");
        if (uri == "archive:three") throw own_exception("no such archive");
        return {[bytes](std::int64_t offset, void *buffer, std::size_t size) {
                    std::memcpy(buffer, bytes.data() + offset, size);
                    return size;
                },
                static_cast<std::int64_t>(bytes.size())};
    };
    const asdf::file in = asdf::file::open_memory(out.write_memory(), options);
    EQUAL(in["far"].array().read<int>().back(), 99'999);
    FAILS(ASDF_ERR_ACCESS_DENIED, "", in["secret"].array());
    throws_own([&] { in["broken"].array(); }, "no such archive", __LINE__);
}

static void progress() {
    const asdf::file file = asdf::file::open_memory(make_bytes());
    asdf::progress last;
    asdf::read_options options;
    options.progress = [&](asdf::progress now) {
        last = now;
        return true;
    };
    file["data"].array().read<int>(options);
    CHECK(last.done == 400'000 && last.total == 400'000);
    options.progress = [](asdf::progress) { return false; };
    FAILS(ASDF_ERR_CANCELLED, "", file["data"].array().read<int>(options));
    options.progress = [](asdf::progress) -> bool { throw own_exception("window closed"); };
    throws_own([&] { file["data"].array().read<int>(options); }, "window closed", __LINE__);
}

int main() {
    sources();
    generated();
    lent();
    codecs();
    resolvers();
    progress();
    return report();
}

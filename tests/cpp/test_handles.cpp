// Handles: copies, moves, self-assignment, moved-from objects, and exceptions in the middle of an object.
// The test runs under valgrind: each path must free what it made.
#include "check.hpp"

#include <asdf.hpp>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

/// Copies and moves an object in each way; `works` uses it.
template <class T, class Works> static void try_owner(T object, Works &&works) {
    T copy(object);
    CHECK(works(copy) && works(object));
    T moved(std::move(copy));
    CHECK(works(moved));
    CHECK(copy.native_handle() == nullptr);
    copy = moved;
    CHECK(works(copy) && works(moved));
    T &self = copy;
    copy = self;
    CHECK(works(copy));
    copy = std::move(moved);
    CHECK(works(copy));
    std::vector<T> many(3, copy);
    many.erase(many.begin());
    CHECK(works(many.front()));
    FAILS(ASDF_ERR_NULL_POINTER, "the object is empty", works(moved));
    const T nothing(moved);
    CHECK(nothing.native_handle() == nullptr);
}

static void owners() {
    asdf::file file;
    file["a"].set({1, 2, 3}, {3});
    file["b/c"] = "text";
    const asdf::file read = asdf::file::open_memory(file.write_memory());
    try_owner(file, [](const asdf::file &f) { return f.standard() == "1.6.0"; });
    try_owner(read.root(), [](const asdf::node &n) { return n.contains("b/c"); });
    try_owner(read["a"].array(), [](const asdf::array &a) { return a.read<int>()[2] == 3; });
    try_owner(asdf::datatype::ascii(3), [](const asdf::datatype &t) { return t.string_length() == 3; });
    try_owner(read["a"].array().chunk_map(), [](const asdf::chunk_map &m) { return m.size() == 1; });
    try_owner(read.report(), [](const asdf::report &r) { return r.json() == "[]"; });
    asdf::buffer bytes = file.write_memory();
    asdf::buffer moved = std::move(bytes);
    CHECK(bytes.empty() && bytes.native_handle() == nullptr && moved.text().substr(0, 5) == "#ASDF");
    bytes = moved;
    CHECK(bytes.data() == moved.data() && bytes.end() - bytes.begin() == static_cast<std::ptrdiff_t>(moved.size()));
    asdf::buffer other;
    other = std::move(bytes);
    CHECK(other.size() == moved.size() && bytes.empty());
}

static void exceptions() {
    // Each of these fails after something was made.
    FAILS(ASDF_ERR_BAD_DATATYPE, "", asdf::datatype::record({{"a", asdf::type_code::int8, {-1}}}));
    FAILS(ASDF_ERR_BAD_DATATYPE, "",
          asdf::datatype::record({{"a", asdf::type_code::int8}, {"a", asdf::datatype::ucs4(3)}}));
    asdf::file file;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", file["x"].set({"one", "two"}, {5}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", file["x"].set(std::vector<bool>(3), {5}));
    const auto alive = std::make_shared<int>(0);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", file["x"].set_generated<int>({-1}, [alive](auto...) {}));
    FAILS(ASDF_ERR_NOT_ASDF, "", asdf::file::open_borrowed("x", 1, [alive] {}));
    asdf::open_options options;
    options.progress = [alive](asdf::progress) { return true; };
    options.resolver = [alive](const std::string &) { return asdf::byte_source(); };
    options.custom_codecs.emplace_back("mine", [alive](auto...) { return std::size_t{0}; });
    options.threads = -5;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", asdf::file::open("input.asdf", options));
    options = asdf::open_options();
    EQUAL(alive.use_count(), 1);
    // An error outlives the call and can be copied; it is caught as a standard exception.
    std::exception_ptr kept;
    try {
        asdf::file::open("none.asdf");
    } catch (...) {
        kept = std::current_exception();
    }
    FAILS(ASDF_ERR_NOT_ASDF, "", asdf::file::open_memory("x", 1));
    try {
        std::rethrow_exception(kept);
    } catch (const asdf::error &problem) {
        const asdf::error copy = problem;
        EQUAL(copy.file(), "none.asdf");
        CHECK(copy.os_number() == 2);
    }
}

int main() {
    owners();
    exceptions();
    return report();
}

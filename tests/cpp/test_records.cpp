// Records: structs with and without padding, nested structs, arrays and strings as members. input.asdf comes from
// numpy.
#include "check.hpp"

#include <array>
#include <asdf.hpp>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

// As numpy stores it: no padding before `flag`, but after it.
struct star {
    double ra;
    std::int32_t id;
    char name[4];
    float flux[3];
    std::int8_t flag;
};

// Members in another order than the fields.
struct reordered {
    std::int8_t flag;
    float flux[3];
    char name[4];
    std::int32_t id;
    double ra;
};

struct point {
    float x;
    float y;
};

// No padding at all.
struct packed {
    point corner[2];
    std::array<std::array<std::int16_t, 2>, 3> table;
    char32_t label[2];
    std::complex<float> phase;
    bool on[4];
};

struct padded {
    bool on;
    point corner;
    std::uint64_t id;
};

template <> struct asdf::record<star> {
    static constexpr auto fields =
        asdf::fields(asdf::field("ra", &star::ra), asdf::field("id", &star::id), asdf::field("name", &star::name),
                     asdf::field("flux", &star::flux), asdf::field("flag", &star::flag));
};
template <> struct asdf::record<reordered> {
    static constexpr auto fields = asdf::fields(
        asdf::field("ra", &reordered::ra), asdf::field("id", &reordered::id), asdf::field("name", &reordered::name),
        asdf::field("flux", &reordered::flux), asdf::field("flag", &reordered::flag));
};
template <> struct asdf::record<point> {
    static constexpr auto fields = asdf::fields(asdf::field("x", &point::x), asdf::field("y", &point::y));
};
template <> struct asdf::record<packed> {
    static constexpr auto fields = asdf::fields(
        asdf::field("corner", &packed::corner), asdf::field("table", &packed::table),
        asdf::field("label", &packed::label), asdf::field("phase", &packed::phase), asdf::field("on", &packed::on));
};
template <> struct asdf::record<padded> {
    static constexpr auto fields = asdf::fields(asdf::field("on", &padded::on), asdf::field("corner", &padded::corner),
                                                asdf::field("id", &padded::id));
};

static asdf::file again(const asdf::file &file) {
    return asdf::file::open_memory(file.write_memory());
}

template <class Star> static void check_stars(const std::vector<Star> &stars) {
    EQUAL(stars.size(), 3U);
    CHECK(stars[0].ra == 10.5 && stars[1].ra == 20.5 && stars[2].ra == 30.5);
    CHECK(stars[0].id == 1 && stars[1].id == 2 && stars[2].id == 3);
    CHECK(std::memcmp(stars[1].name, "bbbb", 4) == 0 && stars[0].name[2] == '\0' && stars[2].name[0] == '\0');
    CHECK(stars[0].flux[0] == 0 && stars[1].flux[1] == 2 && stars[2].flux[2] == 4);
    CHECK(stars[0].flag == 1 && stars[1].flag == 0 && stars[2].flag == -1);
}

static void reading() {
    const asdf::file file = asdf::file::open("input.asdf");
    const asdf::array array = file["stars"].array();
    check_stars(array.read<star>());
    check_stars(array.read<reordered>());
    check_stars(array.read_masked<star>().values);
    // Calls without options share the options that hold the datatype; options of a call leave them as they are.
    asdf::read_options clamped;
    clamped.clamp = true;
    check_stars(array.read<star>(clamped));
    check_stars(array.read<star>());
    const std::vector<star> last = array.region({2}, {2}, {-2}).read<star>();
    CHECK(last.size() == 2 && last[0].id == 3 && last[1].id == 1);
    std::vector<star> more(5);
    more[3].id = -7;
    array.read_into(more);
    check_stars(std::vector<star>(more.begin(), more.begin() + 3));
    EQUAL(more[3].id, -7);
    CHECK((array.field("flux").shape() == asdf::shape{3, 3}));
    CHECK((array.field("id").read<int>() == std::vector<int>{1, 2, 3}));
    CHECK(array.datatype().fields().size() == 5 && array.datatype().fields()[3].shape == asdf::shape{3});
    EQUAL(array.datatype().fields()[4].offset, 28U);

    std::vector<star> two(2);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, "", array.read_into(two));
    FAILS(ASDF_ERR_NOT_FOUND, "no field 'x'", array.read<point>());
    FAILS(ASDF_ERR_CONVERSION, "", array.read<double>());
    FAILS(ASDF_ERR_CONVERSION, "", file["image"].array().read<star>());
    FAILS(ASDF_ERR_NOT_FOUND, "", array.field("dec"));
    FAILS(ASDF_ERR_WRONG_TYPE, "", file["image"].array().field("ra"));
    FAILS(ASDF_ERR_NOT_VIEWABLE, "", array.view<star>());
    asdf::read_options options;
    options.strides = std::vector<std::int64_t>{sizeof(star)};
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "without padding", array.read_into(more, options));
}

static std::vector<packed> make_packed() {
    std::vector<packed> values(2);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto f = static_cast<float>(i);
        values[i] = {
            {{f, 1}, {2, 3 + f}}, {{{{1, 2}}, {{3, 4}}, {{5, 6}}}}, {U'日', 0}, {f, -f}, {true, false, true, i == 1}};
    }
    return values;
}

static void writing() {
    asdf::file out;
    const std::vector<packed> values = make_packed();
    out["packed"].set(values, {2});
    out["zipped"].set(values, {2}, asdf::compression::zlib);
    const std::vector<padded> others{{true, {1, 2}, 3}, {false, {4, 5}, 6}, {true, {7, 8}, 9}, {false, {10, 11}, 12}};
    out["padded"].set(others, {2, 2});
    out["none"].set(std::vector<padded>(), {0});
    const asdf::file in = again(out);
    for (const char *path : {"packed", "zipped"}) {
        const std::vector<packed> found = in[path].array().read<packed>();
        CHECK(found.size() == 2 && std::memcmp(found.data(), values.data(), sizeof(packed) * 2) == 0);
    }
    EQUAL(in["packed"].array().datatype().name(), asdf::datatype::of<packed>().name());
    const std::vector<padded> read = in["padded"].array().read<padded>();
    CHECK(read.size() == 4 && read[0].on && !read[3].on && read[3].corner.y == 11 && read[2].id == 9);
    CHECK((in["padded"].array().shape() == asdf::shape{2, 2}));
    CHECK(in["none"].array().read<padded>().empty());
    CHECK((in["padded"].array().field("corner").field("x").read<int>() == std::vector<int>{1, 4, 7, 10}));
    const asdf::view<const packed> view = in["packed"].array().view<packed>();
    CHECK(view(1).corner[1].y == 4 && view(0).label[0] == U'日' && view.is_contiguous());
    FAILS(ASDF_ERR_NOT_VIEWABLE, "no view is possible because the stored records are not aligned for the struct",
          in["padded"].array().view<padded>());
    FAILS(ASDF_ERR_NOT_VIEWABLE, "", in["zipped"].array().view<packed>());
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out["bad"].set(values, {3}));
}

static void overwriting() {
    asdf::file out;
    out["padded"].set_zeros<padded>({3});
    out["packed"].set_zeros<packed>({2});
    out.write("records.asdf", [] {
        asdf::write_options options;
        options.replace = true;
        return options;
    }());
    asdf::file file = asdf::file::open_for_update("records.asdf");
    file["padded"].array().region({1}, {2}).write(std::vector<padded>{{true, {1, 2}, 3}, {false, {4, 5}, 6}});
    file["packed"].array().write(make_packed());
    file.save();
    const std::vector<padded> read = asdf::file::open("records.asdf")["padded"].array().read<padded>();
    CHECK(!read[0].on && read[0].id == 0 && read[1].on && read[1].id == 3 && read[2].corner.x == 4);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, "", file["padded"].array().write(std::vector<padded>(2)));
    FAILS(ASDF_ERR_CONVERSION, "", file["padded"].array().write(std::vector<point>(3)));
}

// Structs with some fields of a record, in another order and of other types.
struct some_fields {
    char32_t label[3];
    std::complex<double> phase;
};
struct wrong_fields {
    int nothing;
};
template <> struct asdf::record<some_fields> {
    static constexpr auto fields =
        asdf::fields(asdf::field("phase", &some_fields::phase), asdf::field("label", &some_fields::label));
};
template <> struct asdf::record<wrong_fields> {
    static constexpr auto fields = asdf::fields(asdf::field("nothing", &wrong_fields::nothing));
};

static void parts_of_records() {
    asdf::file out;
    out["packed"] = make_packed();
    const asdf::file in = asdf::file::open_memory(out.write_memory());
    const std::vector<packed> all = make_packed();
    const std::vector<some_fields> some = in["packed"].array().read<some_fields>();
    const std::vector<some_fields> last = in["packed"].array().region({1}, {1}).read<some_fields>();
    CHECK(some.size() == all.size() && last.size() == 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(some[i].phase == std::complex<double>(all[i].phase) && some[i].label[0] == all[i].label[0]);
    }
    CHECK(last[0].phase == some[1].phase);
    FAILS(ASDF_ERR_NOT_FOUND, "nothing", in["packed"].array().read<wrong_fields>());
}

int main() {
    parts_of_records();
    reading();
    writing();
    overwriting();
    return report();
}

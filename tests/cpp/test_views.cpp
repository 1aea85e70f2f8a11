// Views: elements without a copy, their lifetime, strides, std::span and std::mdspan.
#include "check.hpp"

#include <asdf.hpp>
#include <numeric>
#include <utility>
#include <vector>
#ifdef __has_include
#if __has_include(<ranges>) && __cplusplus > 201703L
#include <ranges>
#endif
#endif
#include <optional>
#include <vector>
#ifdef __cpp_lib_span
#include <span>
#endif
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

static asdf::file make_file() {
    asdf::file out;
    std::vector<float> pixels(24);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i);
    asdf::array_options fortran;
    fortran.stored_order = asdf::order::fortran;
    asdf::array_options big;
    big.byte_order = asdf::byte_order::big;
    out["cube"].set(pixels, {2, 3, 4});
    out["fortran"].set(pixels, {4, 6}, fortran);
    out["big"].set(pixels, {24}, big);
    out["zlib"].set(pixels, {24}, asdf::compression::zlib);
    out["flags"].set(std::vector<bool>{true, false, true}, {3});
    out["scalar"].set({7.5}, {});
    out["empty"].set(std::vector<int>(), {0, 5});
    return asdf::file::open_memory(out.write_memory());
}

static void elements() {
    const asdf::file file = make_file();
    const asdf::view<const float> cube = file["cube"].array().view<float>();
    EQUAL(cube(1, 2, 3), 23.0F);
    EQUAL(cube.at(0, 1, 2), 6.0F);
    EQUAL(&cube(0, 0, 1), cube.data() + 1);
    CHECK((cube.shape() == asdf::shape{2, 3, 4}));
    CHECK(cube.rank() == 3 && cube.extent(1) == 3 && cube.stride(0) == 48 && cube.size() == 24);
    CHECK(cube.is_contiguous());
    const asdf::view<const float> fortran = file["fortran"].array().view<float>();
    CHECK(!fortran.is_contiguous() && fortran.stride(0) == 4);
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 6; ++column) {
            EQUAL(fortran(row, column), static_cast<float>(6 * row + column));
        }
    }
    const asdf::view<const bool> flags = file["flags"].array().view<bool>();
    CHECK(flags(0) && !flags(1) && flags.data()[2] == 1);
    EQUAL(file["scalar"].array().view<double>()(), 7.5);
    CHECK(file["empty"].array().view<int>().is_contiguous() && file["empty"].array().view<int>().size() == 0);

    FAILS(ASDF_ERR_OUT_OF_RANGE, "index 3 of axis 1 is not within its extent 3", cube.at(0, 3, 0));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "index -1 of axis 0", cube.at(-1, 0, 0));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "2 indices for an array of rank 3", cube.at(0, 0));
    FAILS(ASDF_ERR_NOT_VIEWABLE, "because the elements are float32, not float64; reading copies the elements",
          file["cube"].array().view<double>());
    FAILS(ASDF_ERR_NOT_VIEWABLE, "no view is possible because the byte order of the elements is not that of",
          file["big"].array().view<float>());
    FAILS(ASDF_ERR_NOT_VIEWABLE, "at /zlib: no view is possible because the elements are compressed",
          file["zlib"].array().view<float>());
}

static void lifetime() {
    std::optional<asdf::view<const float>> kept;
    {
        asdf::file file = make_file();
        kept = file["cube"].array().view<float>();
        file.close();
    }
    const asdf::view<const float> copy = *kept;
    asdf::view<const float> moved = std::move(*kept);
    kept.reset();
    EQUAL(copy(1, 0, 0), 12.0F);
    moved = copy;
    EQUAL(moved(1, 0, 1), 13.0F);
}

#ifdef __cpp_lib_span
static void spans() {
    const asdf::file file = make_file();
    const asdf::view<const float> view = file["cube"].array().view<float>();
    const std::span<const float> span = view.span();
    EQUAL(span.size(), 24U);
    const asdf::view<const float> strided = file["fortran"].array().view<float>();
    FAILS(ASDF_ERR_NOT_VIEWABLE, "not contiguous", strided.span());
    float sum = 0;
    for (const float value : view.span()) sum += value;
    EQUAL(sum, 276.0F);
}
#endif

#ifdef __cpp_lib_mdspan
static void mdspans() {
    const asdf::file file = make_file();
    const asdf::view<const float> view = file["fortran"].array().view<float>();
    const auto matrix = view.mdspan<2>();
    EQUAL((matrix[std::array{3, 5}]), 23.0F);
    EQUAL(matrix.extent(1), 6);
    FAILS(ASDF_ERR_NOT_VIEWABLE, "rank 2, not 3", view.mdspan<3>());
}
#endif

// Iteration in C order, also over strides; views that were moved from; temporaries.
static void ranges_of_elements() {
    asdf::file out;
    out["x"].set(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
    asdf::array_options options;
    options.stored_order = asdf::order::fortran;
    out["f"].set(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3}, options);
    const asdf::file in = asdf::file::open_memory(out.write_memory());
    for (const char *name : {"x", "f"}) {
        asdf::view<const float> view = in[name].array().view<float>();
        std::vector<float> elements(view.begin(), view.end());
        CHECK((elements == std::vector<float>{1, 2, 3, 4, 5, 6}));
        EQUAL(view[4], 5.0F);
        EQUAL(*(view.end() - 1), 6.0F);
        EQUAL(std::accumulate(view.begin(), view.end(), 0.0F), 21.0F);
        CHECK(view.begin() + 6 == view.end() && view.end() - view.begin() == 6 && view.begin()[2] == 3.0F);
        const asdf::view<const float> moved = std::move(view);
        CHECK(view.size() == 0 && view.empty() && view.begin() == view.end() && moved.size() == 6);
        view = moved;
        EQUAL(view(1, 2), 6.0F);
    }
    CHECK(asdf::view<const int>().empty() && asdf::view<const int>().shape().empty());
    const asdf::raw_view raw = in["x"].array().view(asdf::datatype(asdf::type_code::float32));
    CHECK((raw.shape() == asdf::shape{2, 3} && raw.strides() == std::vector<std::int64_t>{12, 4}));
    EQUAL(static_cast<const float *>(raw.data())[5], 6.0F);
    FAILS(ASDF_ERR_NOT_VIEWABLE, "", in["x"].array().view(asdf::datatype(asdf::type_code::float64)));
    asdf::array none;
    FAILS(ASDF_ERR_NULL_POINTER, "", none.size());
    none = in["x"].array();
    EQUAL(none.size(), 6);
}

#ifdef __cpp_lib_ranges
static_assert(std::ranges::random_access_range<asdf::view<const float>>);
static_assert(std::ranges::input_range<asdf::node> && std::ranges::input_range<asdf::node_items>);
template <class View>
concept has_span = requires(View view) {
    std::forward<View>(view).span();
};
static_assert(has_span<asdf::view<const float> &> && !has_span<asdf::view<const float>>);
#endif

int main() {
    ranges_of_elements();
    elements();
    lifetime();
#ifdef __cpp_lib_span
    spans();
#endif
#ifdef __cpp_lib_mdspan
    mdspans();
#endif
    return report();
}

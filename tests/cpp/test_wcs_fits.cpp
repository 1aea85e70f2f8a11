// World coordinates of FITS headers and of parts of images.
#include "check.hpp"

#include <asdf.hpp>
#include <cmath>
#include <string>

static const std::string cards =
    "NAXIS   = 2\nNAXIS1  = 100\nNAXIS2  = 80\nCTYPE1  = 'RA---TAN'\nCTYPE2  = 'DEC--TAN'\n"
    "CRPIX1  = 51\nCRPIX2  = 41\nCRVAL1  = 150\nCRVAL2  = 2\nCDELT1  = -1E-4\n"
    "CDELT2  = 1E-4\nCTYPE1B = 'LINEAR'\n";

static bool near(double value, double wanted) {
    return std::fabs(value - wanted) <= 1e-9;
}

int main() {
    const asdf::wcs direct = asdf::wcs::from_cards(cards);
    const auto [ra, dec] = direct(50, 40);
    CHECK(near(ra, 150) && near(dec, 2));
    asdf::cards_options alternate;
    alternate.alternate = "B";
    CHECK(asdf::wcs::from_cards(cards, alternate).pixel_to_world({3.0, 4.0}).size() == 2);
    alternate.alternate = "C";
    FAILS(ASDF_ERR_NOT_FOUND, "", asdf::wcs::from_cards(cards, alternate));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", asdf::wcs::from_cards("SIMPLE  = T"));

    asdf::file file;
    file["meta"]["wcs"].set_wcs_cards(cards);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", file["other"].set_wcs_cards("CTYPE1  = 'RA---TAN'"));
    file.forget_failure();
    const asdf::node whole = file["meta/wcs"];
    file["part"].set_wcs_cutout(whole, {10, 20}, {30, 40}, {2, 1});
    const auto [part_ra, part_dec] = file["part"].wcs()(30, 15);
    CHECK(near(part_ra, 150) && near(part_dec, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", file["no"].set_wcs_cutout(whole, {10, 20}, {30}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", file["no"].set_wcs_cutout(whole, {10, 20}, {30, 0}));
    file.forget_failure();

    const asdf::fits_cards made = file["meta"]["wcs"].wcs().cards();
    CHECK(made.text.size() % 80 == 0 && made.error < 0.01 && made.inverse_error < 0.01);
    const auto [again_ra, again_dec] = asdf::wcs::from_cards(made.text)(0, 0);
    const auto [first_ra, first_dec] = direct(0, 0);
    CHECK(near(again_ra, first_ra) && near(again_dec, first_dec));
    asdf::make_cards_options wrong;
    wrong.degree = 10;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", direct.cards(wrong));
    return report();
}

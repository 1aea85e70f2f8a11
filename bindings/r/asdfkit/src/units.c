/* Units: texts in all spellings, kinds, equality, conversions. */
#include "package.h"

SEXP C_unit_format(SEXP unit, SEXP spelling, SEXP to) {
    const char *text = text_of(unit, "the unit");
    SEXP result;
    READ_TEXT(result, asdf_unit_format(text, Rf_asInteger(spelling), Rf_asInteger(to), buffer, capacity, &needed));
    PROTECT(result);
    result = Rf_ScalarString(result);
    UNPROTECT(1);
    return result;
}

SEXP C_unit_kind(SEXP unit, SEXP spelling) {
    int32_t kind = 0;
    check(asdf_unit_kind(text_of(unit, "the unit"), Rf_asInteger(spelling), &kind));
    return Rf_ScalarInteger(kind);
}

SEXP C_unit_physical(SEXP unit, SEXP spelling) {
    const char *text = text_of(unit, "the unit");
    SEXP result;
    READ_TEXT(result, asdf_unit_physical(text, Rf_asInteger(spelling), buffer, capacity, &needed));
    PROTECT(result);
    result = Rf_ScalarString(result);
    UNPROTECT(1);
    return result;
}

SEXP C_unit_equal(SEXP unit, SEXP spelling, SEXP other, SEXP other_spelling) {
    int32_t equal = 0;
    check(asdf_unit_equal(text_of(unit, "the unit"), Rf_asInteger(spelling), text_of(other, "the other unit"),
                          Rf_asInteger(other_spelling), &equal));
    return Rf_ScalarLogical(equal);
}

SEXP C_unit_convert(SEXP values, SEXP unit, SEXP to, SEXP spelling, SEXP options) {
    const char *from = text_of(unit, "the unit"), *into = text_of(to, "the new unit");
    const int32_t number = Rf_asInteger(spelling);
    const size_t count = (size_t)XLENGTH(values);
    SEXP converted = PROTECT(Rf_duplicate(values));
    check(asdf_unit_convert(from, number, into, number, REAL(values), count, options_of(options), REAL(converted),
                            count));
    UNPROTECT(1);
    return converted;
}

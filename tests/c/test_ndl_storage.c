/* Storage directives of descriptions. */
#include "check.h"

int main(void) {
    static const char described[] =
        "attributes: {note: {shape: [], type: string, value: a, storage: {charset: utf-8}}}\n"
        "dimcoords: {x: {size: null, type: int16, storage: {size: 12}}}\n"
        "ndarrays:\n"
        "  a:\n"
        "    shape: [x, 4]\n"
        "    type: {enum: {base: int8, members: {NO: 0, YES: 1}}}\n"
        "    storage: {shape: [12, 4], chunk: [6, 4], filter: [shuffle, {deflate: {level: 5}}], fillvalue: NO}\n"
        "  b: {shape: [2], type: float32, storage: {endian: little, fillvalue: -9999}}\n";
    asdf_ndl *ndl = NULL;
    int32_t valid = 0;
    char text[32];
    size_t needed = 0;
    OK(asdf_ndl_read_memory(described, strlen(described), NULL, &ndl));
    OK(asdf_ndl_is_valid(ndl, &valid));
    CHECK(valid == 1);
    TEXT("[12, 4]", asdf_ndl_storage, ndl, "/a", NULL, "shape");
    TEXT("[6, 4]", asdf_ndl_storage, ndl, "/a", NULL, "chunk");
    OK(asdf_ndl_storage(ndl, "/a", NULL, "filter", NULL, 0, &needed));
    CHECK(needed > strlen("[shuffle, ]"));
    OK(asdf_ndl_storage(ndl, "/a", NULL, "fillvalue", text, sizeof text, NULL));
    CHECK(strstr(text, "NO"));
    TEXT("12", asdf_ndl_storage, ndl, "/x", NULL, "size");
    TEXT("little", asdf_ndl_storage, ndl, "/b", NULL, "endian");
    TEXT("-9999.0", asdf_ndl_storage, ndl, "/b", NULL, "fillvalue");
    TEXT("utf-8", asdf_ndl_storage, ndl, "/", "note", "charset");
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_ndl_storage(ndl, "/a", NULL, "chunk", text, 6, &needed));
    CHECK(needed == 6);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_storage(ndl, "/b", NULL, "chunk", text, sizeof text, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_storage(ndl, "/c", NULL, "chunk", text, sizeof text, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_storage(ndl, "/a", NULL, "chunks", text, sizeof text, NULL));
    asdf_ndl_free(ndl);
    return report();
}

/* Elements read as another type than the stored one: binary16, and complex numbers as real ones. */
#include "check.h"

static const int64_t three[] = {3};

static asdf_array *stored(asdf_node *root, int32_t datatype, const void *elements, size_t size, int32_t storage) {
    asdf_array *array = NULL;
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, storage));
    OK(asdf_node_set_array(root, "array", datatype, 1, three, elements, size, options));
    OK(asdf_node_get_array(root, "array", &array));
    asdf_options_free(options);
    return array;
}

static void binary16(asdf_node *root, int32_t storage) {
    /* 0.1, -65504 and the smallest positive number. */
    const uint16_t halves[] = {0x2E66, 0xFBFF, 0x0001};
    uint16_t again[3] = {0};
    float floats[3];
    double doubles[6];
    asdf_array *array = stored(root, ASDF_FLOAT16, halves, sizeof halves, storage);
    OK(asdf_array_read(array, ASDF_FLOAT16, NULL, again, sizeof again, NULL, 0));
    CHECK(memcmp(again, halves, sizeof halves) == 0);
    OK(asdf_array_read(array, ASDF_FLOAT32, NULL, floats, sizeof floats, NULL, 0));
    CHECK(floats[0] == 0.0999755859375F && floats[1] == -65504 && floats[2] == 5.9604644775390625e-8F);
    OK(asdf_array_read(array, ASDF_COMPLEX128, NULL, doubles, sizeof doubles, NULL, 0));
    CHECK(doubles[0] == 0.0999755859375 && doubles[1] == 0 && doubles[2] == -65504);
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(array, ASDF_INT32, NULL, floats, sizeof floats, NULL, 0));
    CHECK(message_holds("element 0"));
    FAILS(ASDF_ERR_CONVERSION, asdf_array_read(array, ASDF_BOOL8, NULL, floats, sizeof floats, NULL, 0));
    asdf_array_free(array);
}

static void to_binary16(asdf_node *root) {
    const double numbers[] = {0.1, -65504, 65520};
    uint16_t halves[3] = {0};
    asdf_options *clamp = NULL;
    asdf_array *array = stored(root, ASDF_FLOAT64, numbers, sizeof numbers, ASDF_STORAGE_INTERNAL);
    OK(asdf_options_new(&clamp));
    OK(asdf_options_set_int(clamp, ASDF_OPTION_CLAMP, 1));
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(array, ASDF_FLOAT16, NULL, halves, sizeof halves, NULL, 0));
    CHECK(message_holds("element 2 is 65520"));
    OK(asdf_array_read(array, ASDF_FLOAT16, clamp, halves, sizeof halves, NULL, 0));
    CHECK(halves[0] == 0x2E66 && halves[1] == 0xFBFF && halves[2] == 0x7BFF);
    asdf_array_free(array);
    asdf_options_free(clamp);
}

static void complex_to_real(asdf_node *root) {
    const float pairs[] = {1.5F, 0, -2, -0.0F, 300, 1};
    float floats[3];
    uint8_t bytes[3];
    asdf_options *clamp = NULL;
    asdf_array *array = stored(root, ASDF_COMPLEX64, pairs, sizeof pairs, ASDF_STORAGE_INTERNAL);
    OK(asdf_options_new(&clamp));
    OK(asdf_options_set_int(clamp, ASDF_OPTION_CLAMP, 1));
    OK(asdf_array_read_region(array, 1, (int64_t[]){0}, (int64_t[]){2}, NULL, ASDF_FLOAT32, NULL, floats, sizeof floats,
                              NULL, 0));
    CHECK(floats[0] == 1.5F && floats[1] == -2);
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(array, ASDF_FLOAT32, NULL, floats, sizeof floats, NULL, 0));
    CHECK(message_holds("element 2 is 300+1"));
    OK(asdf_array_read(array, ASDF_UINT8, clamp, bytes, sizeof bytes, NULL, 0));
    CHECK(bytes[0] == 1 && bytes[1] == 0 && bytes[2] == 255);
    FAILS(ASDF_ERR_CONVERSION, asdf_array_read(array, ASDF_BOOL8, clamp, bytes, sizeof bytes, NULL, 0));
    asdf_array_free(array);
    asdf_options_free(clamp);
}

int main(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    binary16(root, ASDF_STORAGE_INTERNAL);
    binary16(root, ASDF_STORAGE_INLINE);
    to_binary16(root);
    complex_to_real(root);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}

/* Shapes, strides, offsets and regions at the limits of integers. The expected results are computed here in 128 bits;
 * everything else must be an error with a status. */
#include "check.h"
#include <inttypes.h>

__extension__ typedef __int128 wide;

enum { LENGTH = 64, ITEM = 4, ROOM = 256, ROUNDS = 1500 };

static unsigned char block[LENGTH];

static uint64_t state = 1;

static uint64_t below(uint64_t end) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % end;
}

static int64_t number(void) {
    static const int64_t small[] = {0, 1, 1, 2, 2, 3, 4, 8, 12, 16, -4, -8, -1};
    static const int64_t edges[] = {
        INT64_MIN,
        INT64_MIN + 1,
        -(INT64_C(1) << 62),
        -(INT64_C(1) << 32),
        -65,
        65,
        INT32_MAX,
        UINT32_MAX,
        INT64_C(1) << 32,
        INT64_C(1) << 61,
        INT64_C(1) << 62,
        INT64_MAX / 4,
        INT64_MAX - 1,
        INT64_MAX,
    };
    if (below(3)) return small[below(sizeof small / sizeof *small)];
    return edges[below(sizeof edges / sizeof *edges)];
}

/* Fields of an int32 array with two axes; the first extent may be given or follow from the number of bytes. */
typedef struct {
    int64_t shape[2], strides[2], offset;
    int has_strides, star;
} layout;

static layout random_layout(void) {
    layout made = {{number(), number()}, {number(), number()}, 0, (int)below(4), below(8) == 0};
    if (below(2)) made.offset = number();
    return made;
}

/* Completes a layout, and returns the status that opening it must have. */
static asdf_status judged(layout *array) {
    int64_t *shape = array->shape, *strides = array->strides;
    if (shape[1] < 0 || (shape[0] < 0 && !array->star) || array->offset < 0) return ASDF_ERR_BAD_ARRAY;
    if (array->star) {
        wide row = array->has_strides ? strides[0] : (wide)shape[1] * ITEM;
        if (row > INT64_MAX) return ASDF_ERR_BOUNDS;
        if (row <= 0) return ASDF_ERR_BAD_ARRAY;
        if (array->offset > LENGTH) return ASDF_ERR_BOUNDS;
        shape[0] = (int64_t)((LENGTH - array->offset) / row);
    }
    wide count = (wide)shape[0] * shape[1];
    if (count == 0) return array->offset <= LENGTH ? ASDF_OK : ASDF_ERR_BOUNDS;
    if (count > INT64_MAX || (!array->has_strides && count * ITEM > INT64_MAX)) return ASDF_ERR_BOUNDS;
    if (!array->has_strides) {
        strides[0] = shape[1] * ITEM;
        strides[1] = ITEM;
    }
    wide low = array->offset, high = low + ITEM;
    for (int axis = 0; axis < 2; axis++) {
        wide reach = ((wide)shape[axis] - 1) * strides[axis];
        if (reach < 0) low += reach;
        if (reach > 0) high += reach;
    }
    return low >= 0 && high <= LENGTH ? ASDF_OK : ASDF_ERR_BOUNDS;
}

static int32_t element(const layout *array, int64_t i, int64_t j) {
    wide at = array->offset + (wide)i * array->strides[0] + (wide)j * array->strides[1];
    int32_t value = 0;
    memcpy(&value, block + at, ITEM);
    return value;
}

static void big_endian(unsigned char *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) out[i] = (unsigned char)(value >> 8 * (bytes - 1 - i));
}

/* Returns a file with one array under "a" and the block: as it is, or in a zlib stream of one stored part. */
static asdf_file *file_with(const char *array, int compressed) {
    unsigned char bytes[1000], payload[LENGTH + 11] = {0x78, 1, 1, LENGTH, 0, (unsigned char)~LENGTH, 255};
    size_t size = LENGTH;
    if (compressed) {
        uint32_t sums[2] = {1, 0};
        for (int i = 0; i < LENGTH; i++) {
            sums[0] = (sums[0] + block[i]) % 65521;
            sums[1] = (sums[1] + sums[0]) % 65521;
        }
        memcpy(payload + 7, block, LENGTH);
        big_endian(payload + 7 + LENGTH, sums[1] << 16 | sums[0], 4);
        size = sizeof payload;
    } else {
        memcpy(payload, block, LENGTH);
    }
    int length = snprintf((char *)bytes, sizeof bytes,
                          "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%%YAML 1.1\n%%TAG ! tag:stsci.edu:asdf/\n"
                          "--- !core/asdf-1.1.0\na: !core/ndarray-1.1.0 {source: 0, byteorder: little, %s}\n...\n",
                          array);
    unsigned char *header = bytes + length;
    memset(header, 0, 54);
    memcpy(header, "\323BLK\0\060", 6);
    if (compressed) memcpy(header + 10, "zlib", 4);
    big_endian(header + 14, size, 8);
    big_endian(header + 22, size, 8);
    big_endian(header + 30, LENGTH, 8);
    memcpy(header + 54, payload, size);
    return open_bytes(bytes, (size_t)length + 54 + size);
}

static wide distance(int64_t stride) {
    return stride < 0 ? -(wide)stride : stride;
}

/* Reads a region into packed memory. */
static void check_region(const asdf_array *array, const layout *expected) {
    int64_t start[2], count[2], step[2], found[ROOM / 8];
    asdf_status status = ASDF_OK;
    for (int axis = 0; axis < 2; axis++) {
        int64_t length = expected->shape[axis];
        start[axis] = below(3) && length > 0 ? (below(2) ? length - 1 : 0) : number();
        count[axis] = number();
        step[axis] = number();
    }
    for (int axis = 0; axis < 2 && status == ASDF_OK; axis++) {
        wide first = start[axis], taken = count[axis], last = first + (taken > 1 ? taken - 1 : 0) * step[axis];
        wide end = (wide)expected->shape[axis] + (taken == 0);
        if (step[axis] == 0)
            status = ASDF_ERR_INVALID_ARGUMENT;
        else if (taken < 0 || first < 0 || first >= end || last < 0 || last >= end)
            status = ASDF_ERR_OUT_OF_RANGE;
    }
    wide needed = status == ASDF_OK ? (wide)count[0] * count[1] * 8 : 0;
    if (needed > ROOM) status = needed > INT64_MAX ? ASDF_ERR_LIMIT : ASDF_ERR_BUFFER_TOO_SMALL;
    asdf_status answer =
        asdf_array_read_region(array, 2, start, count, step, ASDF_INT64, NULL, found, sizeof found, NULL, 0);
    check_status(status, answer, __FILE__, __LINE__, "asdf_array_read_region");
    if (status || answer || needed == 0) return;
    for (int64_t i = 0; i < count[0]; i++)
        for (int64_t j = 0; j < count[1]; j++)
            CHECK(found[i * count[1] + j] == element(expected, start[0] + i * step[0], start[1] + j * step[1]));
}

/* Reads a region of at most two by two elements into memory with strides. */
static void check_strided_read(const asdf_array *array, const layout *expected, asdf_options *options) {
    const int64_t start[] = {0, 0}, *shape = expected->shape;
    const int64_t count[] = {shape[0] < 2 ? shape[0] : 2, shape[1] < 2 ? shape[1] : 2};
    const int64_t strides[] = {number(), number()};
    unsigned char memory[ROOM];
    memset(memory, 0xAA, sizeof memory);
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, strides, 2));
    wide before = 0, size = ITEM, nearest = ITEM;
    asdf_status expected_status = ASDF_OK;
    int first_axis = count[0] == 2 && (count[1] < 2 || distance(strides[0]) <= distance(strides[1])) ? 0 : 1;
    for (int turn = 0; turn < 2; turn++) {
        int axis = turn ? 1 - first_axis : first_axis;
        if (count[axis] < 2) continue;
        /* Elements along one axis must not lie between those along another. */
        if (distance(strides[axis]) < nearest) expected_status = ASDF_ERR_INVALID_ARGUMENT;
        nearest += distance(strides[axis]);
        size += distance(strides[axis]);
        if (strides[axis] < 0) before += distance(strides[axis]);
    }
    if (count[0] == 0 || count[1] == 0)
        expected_status = ASDF_OK;
    else if (expected_status == ASDF_OK && size > ROOM)
        expected_status = size > INT64_MAX ? ASDF_ERR_LIMIT : ASDF_ERR_BUFFER_TOO_SMALL;
    asdf_status status =
        asdf_array_read_region(array, 2, start, count, NULL, ASDF_INT32, options, memory, sizeof memory, NULL, 0);
    check_status(expected_status, status, __FILE__, __LINE__, "asdf_array_read_region");
    if (status || expected_status) return;
    for (int64_t i = 0; i < count[0]; i++)
        for (int64_t j = 0; j < count[1]; j++) {
            wide at = before + i * (wide)strides[0] + j * (wide)strides[1];
            int32_t value = element(expected, i, j);
            CHECK(at >= 0 && at + ITEM <= ROOM && memcmp(memory + at, &value, ITEM) == 0);
        }
}

static void check_array(asdf_array *array, const layout *expected) {
    wide count = (wide)expected->shape[0] * expected->shape[1];
    int64_t shape[2] = {-1, -1}, found = -1;
    int32_t rank = 0, all[ROOM / ITEM];
    size_t size = 0;
    asdf_view *view = NULL;
    asdf_chunk_map *map = NULL;
    OK(asdf_array_shape(array, shape, 2, &rank));
    OK(asdf_array_element_count(array, &found));
    CHECK(rank == 2 && memcmp(shape, expected->shape, sizeof shape) == 0 && found == (int64_t)count);
    asdf_status fits = count * ITEM > INT64_MAX ? ASDF_ERR_LIMIT : ASDF_OK;
    check_status(fits, asdf_array_byte_size(array, ASDF_INT32, &size), __FILE__, __LINE__, "asdf_array_byte_size");
    if (fits == ASDF_OK && count * ITEM > ROOM) fits = ASDF_ERR_BUFFER_TOO_SMALL;
    check_status(fits, asdf_array_read(array, ASDF_INT32, NULL, all, sizeof all, NULL, 0), __FILE__, __LINE__, "read");
    if (fits == ASDF_OK)
        for (int64_t i = 0; i < (int64_t)count; i++) CHECK(all[i] == element(expected, i / shape[1], i % shape[1]));
    for (int i = 0; i < 6; i++) check_region(array, expected);
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    for (int i = 0; i < 3; i++) check_strided_read(array, expected, options);
    asdf_options_free(options);
    if (asdf_array_view(array, ASDF_INT32, NULL, &view) == ASDF_OK && count > 0) {
        const void *first = NULL;
        int32_t value = element(expected, 0, 0);
        OK(asdf_view_first_element(view, &first));
        CHECK(memcmp(first, &value, ITEM) == 0);
    }
    asdf_view_free(view);
    OK(asdf_array_chunk_map(array, &map));
    asdf_chunk_map_free(map);
}

static void reading(void) {
    int opened = 0;
    for (int round = 0; round < ROUNDS; round++) {
        layout array = random_layout();
        char text[400], first[24];
        snprintf(first, sizeof first, array.star ? "'*'" : "%" PRId64, array.shape[0]);
        int length = snprintf(text, sizeof text, "datatype: int32, shape: [%s, %" PRId64 "], offset: %" PRId64, first,
                              array.shape[1], array.offset);
        if (array.has_strides)
            snprintf(text + length, sizeof text - (size_t)length, ", strides: [%" PRId64 ", %" PRId64 "]",
                     array.strides[0], array.strides[1]);
        asdf_status expected = judged(&array);
        asdf_file *file = file_with(text, round & 1);
        asdf_node *root = root_of(file);
        asdf_array *found = NULL;
        asdf_status status = asdf_node_get_array(root, "a", &found);
        check_status(expected, status, __FILE__, __LINE__, text);
        if (status == ASDF_OK && expected == ASDF_OK) {
            check_array(found, &array);
            opened++;
        }
        asdf_array_free(found);
        asdf_node_free(root);
        asdf_file_free(file);
    }
    CHECK(opened > ROUNDS / 20);
}

/* Arrays from strided memory. It is borrowed, because some arrays have more elements than any memory. */
static void writing(void) {
    int accepted = 0;
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    for (int round = 0; round < ROUNDS; round++) {
        layout array = random_layout();
        const int64_t *shape = array.shape;
        size_t size = below(4) ? LENGTH : (size_t)below(LENGTH);
        wide count = (wide)shape[0] * shape[1], needed = ITEM;
        array.offset = 0;
        for (int axis = 0; axis < 2; axis++) {
            wide reach = ((wide)shape[axis] - 1) * array.strides[axis];
            if (reach < 0 && reach > -LENGTH) array.offset -= (int64_t)reach;
            needed += reach < 0 ? -reach : reach;
        }
        int fits = shape[0] >= 0 && shape[1] >= 0 && count <= INT64_MAX / ITEM && (count == 0 || needed <= (wide)size);
        asdf_node *root = NULL;
        asdf_file *file = new_file(&root);
        OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, array.strides, 2));
        OK(asdf_options_set_int(options, ASDF_OPTION_STORED_ORDER, round & 1));
        asdf_status status =
            asdf_node_set_array_borrowed(root, "a", ASDF_INT32, 2, shape, block, size, NULL, NULL, options);
        check_status(fits ? ASDF_OK : ASDF_ERR_INVALID_ARGUMENT, status, __FILE__, __LINE__, "asdf_node_set_array");
        if (fits && status == ASDF_OK) {
            asdf_array *found = NULL;
            accepted++;
            if (count > 0) {
                const int64_t last[] = {shape[0] - 1, shape[1] - 1}, one[] = {1, 1};
                int32_t value = 0;
                OK(asdf_node_get_array(root, "a", &found));
                OK(asdf_array_read_region(found, 2, last, one, NULL, ASDF_INT32, NULL, &value, sizeof value, NULL, 0));
                CHECK(value == element(&array, last[0], last[1]));
                asdf_array_free(found);
            }
            if (count * ITEM <= ROOM) asdf_file_free(written(file));
        }
        asdf_node_free(root);
        asdf_file_free(file);
    }
    asdf_options_free(options);
    CHECK(accepted > ROUNDS / 20);
}

/* Elements of any size. */
static void strings(void) {
    for (int round = 0; round < ROUNDS / 5; round++) {
        int64_t length = number(), count = number(), offset = number();
        int unit = below(2) ? 1 : 4;
        char text[200];
        snprintf(text, sizeof text, "datatype: [%s, %" PRId64 "], shape: [%" PRId64 "], offset: %" PRId64,
                 unit == 1 ? "ascii" : "ucs4", length, count, offset);
        asdf_file *file = file_with(text, round & 1);
        asdf_node *root = root_of(file);
        asdf_array *found = NULL;
        asdf_datatype *made = NULL;
        asdf_status status = asdf_node_get_array(root, "a", &found);
        wide needed = (wide)length * unit;
        int fits = length >= 0 && count >= 0 && offset >= 0 && offset <= LENGTH && needed <= INT64_MAX &&
                   (count == 0 || (needed <= LENGTH && offset + needed * count <= LENGTH));
        CHECK((status == ASDF_OK) == fits);
        CHECK(fits || status == ASDF_ERR_BAD_DATATYPE || status == ASDF_ERR_BAD_ARRAY || status == ASDF_ERR_BOUNDS);
        status = asdf_datatype_string(unit == 1 ? ASDF_ASCII : ASDF_UCS4, length, &made);
        CHECK((status == ASDF_OK) == (length >= 0 && needed <= INT64_MAX));
        if (made && found) {
            size_t size = 0;
            int64_t index = number();
            char buffer[LENGTH + 1];
            OK(asdf_array_byte_size(found, 0, &size));
            CHECK(size == (size_t)(needed * count));
            status = asdf_array_read_string(found, 1, &index, NULL, buffer, sizeof buffer, NULL, NULL);
            asdf_status outside = needed > 1 << 30 ? ASDF_ERR_LIMIT : ASDF_ERR_OUT_OF_RANGE;
            CHECK((status == outside) == (index < 0 || index >= count));
        }
        asdf_datatype_free(made);
        asdf_array_free(found);
        asdf_node_free(root);
        asdf_file_free(file);
    }
}

int main(void) {
    for (int i = 0; i < LENGTH; i++) block[i] = (unsigned char)(i % 4 == 3 ? i / 4 % 100 : 65 + i % 60);
    reading();
    writing();
    strings();
    return report();
}

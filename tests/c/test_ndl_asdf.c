/* Descriptions of ASDF files, and ASDF files made from descriptions. */
#include "check.h"

static const char description[] =
    "dimcoords:\n"
    "  x: {size: 3, type: float64, value: [1, 2, 3]}\n"
    "ndarrays:\n"
    "  image: {shape: [2, x], type: uint16, storage: {fillvalue: 7, endian: big}}\n"
    "  state: {shape: [2], type: {enum: {members: {IDLE: 0, RUN: 1}}}, value: [RUN, IDLE]}\n"
    "  rows: {shape: [null, 4], type: float32}\n"
    "attributes: {title: model, count: 3}\n";

static asdf_ndl *parsed(const char *text) {
    asdf_ndl *ndl = NULL;
    OK(asdf_ndl_read_memory(text, strlen(text), NULL, &ndl));
    return ndl;
}

/* The created arrays are under their paths. */
static void check_file(const asdf_file *file) {
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    double x[3];
    uint16_t image[6];
    uint8_t state[2];
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get_array(root, "x", &array));
    OK(asdf_array_read(array, ASDF_FLOAT64, NULL, x, sizeof x, NULL, 0));
    CHECK(x[0] == 1 && x[2] == 3);
    asdf_array_free(array);
    OK(asdf_node_get_array(root, "image", &array));
    OK(asdf_array_read(array, ASDF_UINT16, NULL, image, sizeof image, NULL, 0));
    CHECK(image[0] == 7 && image[5] == 7);
    asdf_array_free(array);
    OK(asdf_node_get_array(root, "state", &array));
    OK(asdf_array_read(array, ASDF_UINT8, NULL, state, sizeof state, NULL, 0));
    CHECK(state[0] == 1 && state[1] == 0);
    asdf_array_free(array);
    TEXT("model", asdf_node_get_string, root, "title");
    asdf_node_free(root);
}

static void there_and_back(void) {
    asdf_ndl *ndl = parsed(description), *again = NULL;
    asdf_file *file = NULL;
    OK(asdf_ndl_create_asdf(ndl, "made.asdf", NULL, NULL));
    FAILS(ASDF_ERR_FILE_EXISTS, asdf_ndl_create_asdf(ndl, "made.asdf", NULL, NULL));
    OK(asdf_file_open("made.asdf", NULL, &file));
    check_file(file);
    OK(asdf_ndl_describe(file, NULL, &again));
    asdf_report *found = report_of_ndl(again);
    CHECK(report_count(found) == 0);
    asdf_report_free(found);
    asdf_file_free(file);
    asdf_ndl_free(again);
    asdf_ndl_free(ndl);
}

static void choices_of_making(void) {
    asdf_ndl *ndl = parsed(description), *text = parsed("ndarrays: {s: {shape: [2], type: string}}\n");
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    int64_t shape[ASDF_MAX_RANK];
    int32_t rank = 0;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_DURABLE, 0));
    OK(asdf_options_set_int(options, ASDF_OPTION_REPLACE, 1));
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_CREATED_BYTES, 10));
    FAILS(ASDF_ERR_LIMIT, asdf_ndl_create_asdf(ndl, "made.asdf", options, NULL));
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_CREATED_BYTES, 1000));
    OK(asdf_options_set_int(options, ASDF_OPTION_EXTENT, 5));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    OK(asdf_options_set_int(options, ASDF_OPTION_LEVEL, 1));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zap", 3));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_create_asdf(ndl, "made.asdf", options, NULL));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    OK(asdf_ndl_create_asdf(ndl, "made.asdf", options, NULL));
    OK(asdf_file_open("made.asdf", NULL, &file));
    check_file(file);
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get_array(root, "rows", &array));
    OK(asdf_array_shape(array, shape, ASDF_MAX_RANK, &rank));
    CHECK(rank == 2 && shape[0] == 5 && shape[1] == 4);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);

    OK(set_codec(options, NULL, -1));
    OK(asdf_options_set_text(options, ASDF_OPTION_STREAMED, "/image", 6));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_create_asdf(ndl, "made.asdf", options, NULL));
    OK(asdf_options_set_text(options, ASDF_OPTION_STREAMED, "/rows", 5));
    OK(asdf_ndl_create_asdf(ndl, "made.asdf", options, NULL));
    OK(asdf_file_open("made.asdf", NULL, &file));
    check_file(file);
    asdf_file_free(file);

    FAILS(ASDF_ERR_INCOMPLETE, asdf_ndl_create_asdf(text, "text.asdf", NULL, NULL));
    OK(asdf_options_set_int(options, ASDF_OPTION_STRING_LENGTH, 8));
    OK(asdf_options_unset(options, ASDF_OPTION_STREAMED));
    OK(asdf_ndl_create_asdf(text, "text.asdf", options, NULL));
    asdf_options_free(options);
    asdf_ndl_free(text);
    asdf_ndl_free(ndl);
}

static void other_extents_and_zeros(void) {
    asdf_ndl *ndl = parsed("dimcoords: {t: {size: 700, type: int8}}\n"
                           "ndarrays: {a: {shape: [t], type: int8, storage: {fillvalue: 7}}}\n");
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    int8_t a[2] = {9, 9};
    remove("small.asdf");
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int_at(options, ASDF_OPTION_EXTENT, "/t", 2));
    OK(asdf_options_set_int(options, ASDF_OPTION_ZEROS, 1));
    OK(asdf_ndl_create_asdf(ndl, "small.asdf", options, NULL));
    OK(asdf_file_open("small.asdf", NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_read(array, ASDF_INT8, NULL, a, sizeof a, NULL, 0));
    CHECK(a[0] == 0 && a[1] == 0);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_options_set_int(options, ASDF_OPTION_REPLACE, 1));
    OK(asdf_options_set_int_at(options, ASDF_OPTION_EXTENT, "/a", 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_create_asdf(ndl, "small.asdf", options, NULL));
    asdf_options_free(options);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int_at(options, ASDF_OPTION_EXTENT, "/none", 2));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_create_asdf(ndl, "none.asdf", options, NULL));
    asdf_options_free(options);
    asdf_ndl_free(ndl);
}

static void a_part_of_a_file(void) {
    asdf_ndl *ndl = parsed(description), *part = NULL;
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    int64_t count = -1;
    double x[3];
    remove("part.asdf");
    OK(asdf_ndl_create_asdf(ndl, "part.asdf", NULL, NULL));
    OK(asdf_file_open("part.asdf", NULL, &file));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_DESCRIBED_VALUES, ASDF_NDL_VALUES_COORDINATES));
    OK(asdf_options_set_text(options, ASDF_OPTION_ONLY, "/image", 6));
    OK(asdf_ndl_describe(file, options, &part));
    OK(asdf_ndl_count(part, ASDF_NDL_KIND_NDARRAY, &count));
    CHECK(count == 1);
    OK(asdf_ndl_count(part, ASDF_NDL_KIND_DIMCOORD, &count));
    CHECK(count == 1);
    OK(asdf_ndl_value_f64(part, "/x", NULL, 2, &x[2]));
    CHECK(x[2] == 3);
    asdf_ndl_free(part);
    OK(asdf_options_set_text(options, ASDF_OPTION_ONLY, "/none", 5));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_describe(file, options, &part));
    CHECK(part == NULL);
    OK(asdf_options_unset(options, ASDF_OPTION_ONLY));
    OK(asdf_ndl_describe(file, options, &part));
    OK(asdf_ndl_count(part, ASDF_NDL_KIND_NDARRAY, &count));
    CHECK(count == 3);
    asdf_ndl_free(part);
    asdf_options_free(options);
    asdf_file_free(file);
    asdf_ndl_free(ndl);
}

static void what_has_no_form(void) {
    const struct {
        const char *text;
        asdf_status status;
    } cases[] = {
        {"ndarrays: {history: {shape: [], type: int8}}\n", ASDF_ERR_INVALID_ARGUMENT},
        {"ndarrays: {a: {shape: [2]}}\n", ASDF_ERR_INCOMPLETE},
        {"ndarrays: {a: {shape: [2], type: {compound: [r: objref]}}}\n", ASDF_ERR_UNSUPPORTED},
        {"ndarrays: {a: {shape: [2], type: {compound: ['1': int8]}}}\n", ASDF_ERR_UNSUPPORTED},
        {"ndarrays: {a: {shape: [18446744073709551615, 18446744073709551615], type: int8}}\n", ASDF_ERR_LIMIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        asdf_ndl *ndl = parsed(cases[i].text);
        FAILS(cases[i].status, asdf_ndl_create_asdf(ndl, "none.asdf", NULL, NULL));
        asdf_ndl_free(ndl);
    }
    asdf_file *file = NULL;
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_open("none.asdf", NULL, &file));
}

static void notes_and_choices_of_describing(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_ndl *ndl = NULL;
    asdf_options *options = NULL;
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_set_null(root, "nothing"));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_DESCRIBED_VALUES, ASDF_NDL_VALUES_ALL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_DESCRIBED_VALUES, 4));
    OK(asdf_options_set_int(options, ASDF_OPTION_ALL, 1));
    OK(asdf_options_set_int(options, ASDF_OPTION_ANNOTATE, 1));
    OK(asdf_options_set_int(options, ASDF_OPTION_WIDEN_FLOAT16, 1));
    OK(asdf_ndl_describe(file, options, &ndl));
    asdf_report *found = report_of_ndl(ndl);
    CHECK(report_count(found) == 1);
    CHECK(report_int(found, 0, ASDF_REPORT_KIND) == ASDF_REPORT_KIND_NOTE);
    CHECK(report_int(found, 0, ASDF_REPORT_SEVERITY) == ASDF_SEVERITY_NOTE);
    TEXT("/nothing: NDL has no datatype for null; left out", asdf_report_text, found, 0, ASDF_REPORT_ENTRY);
    TEXT("/nothing", asdf_report_text, found, 0, ASDF_REPORT_PATH);
    TEXT("NDL has no datatype for null; left out", asdf_report_text, found, 0, ASDF_REPORT_MESSAGE);
    asdf_report_free(found);
    asdf_ndl_free(ndl);
    asdf_node_free(root);
    OK(asdf_file_close(file));
    FAILS(ASDF_ERR_CLOSED, asdf_ndl_describe(file, options, &ndl));
    CHECK(ndl == NULL);
    asdf_file_free(file);
    asdf_options_free(options);
}

static void notes_of_making(void) {
    asdf_ndl *ndl = parsed("ndarrays: {a: {shape: [2], type: int8, storage: {filter: [shuffle, deflate]}}}\n");
    asdf_report *found = NULL;
    OK(asdf_ndl_create_asdf(ndl, "noted.asdf", NULL, &found));
    CHECK(report_count(found) == 1);
    CHECK(report_int(found, 0, ASDF_REPORT_KIND) == ASDF_REPORT_KIND_NOTE);
    TEXT("/a: ASDF has no codec for the filters; the block is not compressed", asdf_report_text, found, 0,
         ASDF_REPORT_ENTRY);
    TEXT("/a", asdf_report_text, found, 0, ASDF_REPORT_PATH);
    asdf_report_free(found);
    FAILS(ASDF_ERR_FILE_EXISTS, asdf_ndl_create_asdf(ndl, "noted.asdf", NULL, &found));
    CHECK(found == NULL);
    asdf_ndl_free(ndl);
}

/* Chunks and filters of a description, and an array that grows. */
static void chunks_of_description(void) {
    asdf_ndl *ndl =
        parsed("ndarrays: {a: {shape: [null, 3], type: int16, storage: {chunk: [4, 3], filter: [shuffle, "
               "{zstd: {level: 5}}]}}, b: {shape: [4], type: int8, storage: {chunk: [2], filter: [szip]}}}\n");
    asdf_options *options = NULL;
    asdf_report *found = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_EXTENT, 0));
    OK(asdf_options_set_int(options, ASDF_OPTION_REPLACE, 1));
    OK(asdf_ndl_create_asdf(ndl, "chunks.asdf", options, &found));
    CHECK(report_count(found) == 1);
    TEXT("/b: chunks have no filter 'szip' here; it is not applied", asdf_report_text, found, 0, ASDF_REPORT_ENTRY);
    asdf_report_free(found);
    asdf_ndl_free(ndl);
    asdf_file *file = NULL;
    asdf_array *array = NULL;
    int64_t extents[2] = {0, 0};
    OK(asdf_file_open_for_update("chunks.asdf", NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_chunk_shape(array, extents, 2, NULL));
    CHECK(extents[0] == 4 && extents[1] == 3);
    OK(asdf_array_append(array, 2, ASDF_INT16, (int16_t[]){1, 2, 3, 4, 5, 6}, 6 * sizeof(int16_t), NULL));
    OK(asdf_file_save(file, NULL));
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("chunks.asdf", NULL, &file));
    OK(asdf_ndl_describe(file, NULL, &ndl));
    char text[256];
    OK(asdf_ndl_storage(ndl, "/a", NULL, "filter", text, sizeof text, NULL));
    CHECK(strcmp(text, "[shuffle, {zstd: {\"level\": 5}}]") == 0);
    OK(asdf_ndl_storage(ndl, "/a", NULL, "chunk", text, sizeof text, NULL));
    CHECK(strcmp(text, "[4, 3]") == 0);
    asdf_ndl_free(ndl);
    asdf_file_free(file);
    asdf_options_free(options);
}

/* A masked array that is described and created again has the same missing elements. */
static void masks_of_making(void) {
    asdf_file *file = open_tree("m: !core/ndarray-1.1.0\n  data: [1, 2, 3]\n  datatype: int16\n"
                                "  mask: !core/ndarray-1.1.0 {data: [false, true, false], datatype: bool8}\n");
    asdf_options *options = NULL;
    asdf_ndl *ndl = NULL;
    asdf_report *found = NULL;
    asdf_array *array = NULL;
    uint8_t mask[3] = {7, 7, 7};
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_ANNOTATE, 1));
    OK(asdf_ndl_describe(file, options, &ndl));
    OK(asdf_ndl_create_asdf(ndl, "masked.asdf", NULL, &found));
    CHECK(report_count(found) == 0);
    asdf_file_free(file);
    OK(asdf_file_open("masked.asdf", NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_get_array(root, "m", &array));
    OK(asdf_array_read_mask(array, NULL, mask, sizeof mask));
    CHECK(mask[0] == 0 && mask[1] == 1 && mask[2] == 0);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_report_free(found);
    asdf_ndl_free(ndl);

    /* An extension key that has no effect on the file is noted. */
    static const char text[] = "ndarrays: {m: {shape: [2], type: int8, x-asdf: {mask: /gone}}}";
    OK(asdf_ndl_read_memory(text, sizeof text - 1, NULL, &ndl));
    OK(asdf_ndl_create_asdf(ndl, "unmasked.asdf", NULL, &found));
    TEXT("/m: the mask is left out: there is no array /gone", asdf_report_text, found, 0, ASDF_REPORT_ENTRY);
    asdf_report_free(found);
    asdf_ndl_free(ndl);
    asdf_options_free(options);
}

int main(void) {
    masks_of_making();
    there_and_back();
    choices_of_making();
    what_has_no_form();
    notes_and_choices_of_describing();
    notes_of_making();
    chunks_of_description();
    a_part_of_a_file();
    other_extents_and_zeros();
    return report();
}

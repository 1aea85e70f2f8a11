/* Codecs of the program: files written and read with them, and each way in which their callbacks can fail. */
#include "check.h"

/* Settings of the codec, and a record of its calls. */
typedef struct {
    unsigned char key;
    asdf_status status; /* what the callbacks answer instead of success */
    size_t claim;       /* what they say they gave, unless 0 */
    int decoded, encoded, closed;
} state;

/* Each byte is combined with the key; four bytes precede the data. */
static asdf_status decode(void *user, const void *stored, size_t stored_size, void *out, size_t out_size,
                          size_t *decoded) {
    state *self = user;
    const unsigned char *from = stored;
    self->decoded++;
    if (self->status != ASDF_OK) return self->status;
    if (stored_size < 4 || memcmp(from, "XOR:", 4) != 0) return ASDF_ERR_CORRUPT;
    size_t count = stored_size - 4 < out_size ? stored_size - 4 : out_size;
    for (size_t i = 0; i < count; i++) ((unsigned char *)out)[i] = from[4 + i] ^ self->key;
    *decoded = self->claim ? self->claim : stored_size - 4;
    return ASDF_OK;
}

static asdf_status encode(void *user, const void *data, size_t size, void *out, size_t capacity, size_t *encoded) {
    state *self = user;
    self->encoded++;
    if (self->status != ASDF_OK) {
        *encoded = self->claim;
        return self->status;
    }
    if (capacity < size + 4) return ASDF_ERR_INTERNAL;
    memcpy(out, "XOR:", 4);
    for (size_t i = 0; i < size; i++) ((unsigned char *)out)[4 + i] = ((const unsigned char *)data)[i] ^ self->key;
    *encoded = self->claim ? self->claim : size + 4;
    return ASDF_OK;
}

/* Asks for a larger buffer than the first one. */
static asdf_status encode_wide(void *user, const void *data, size_t size, void *out, size_t capacity, size_t *encoded) {
    *encoded = 10 * size + 10000;
    if (capacity < *encoded) return ((state *)user)->encoded++, ASDF_ERR_BUFFER_TOO_SMALL;
    return encode(user, data, size, out, capacity, encoded);
}

static asdf_status finish(void *user) {
    ((state *)user)->closed++;
    return ASDF_OK;
}

static const int64_t shape[] = {1000};
static unsigned char values[1000];

/* Writes a file with one array that the codec compresses to memory; NULL if that fails as expected. */
static asdf_buffer *write_with(asdf_codec *codec, asdf_status expected) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_options *options = NULL;
    asdf_buffer *bytes = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_add_codec(options, codec));
    OK(asdf_node_set_array(root, "data", ASDF_UINT8, 1, shape, values, sizeof values, options));
    asdf_options_free(options);
    if (expected == ASDF_OK) {
        OK(asdf_file_write_memory(file, NULL, &bytes));
    } else {
        FAILS(expected, asdf_file_write_memory(file, NULL, &bytes));
        CHECK(bytes == NULL);
    }
    asdf_node_free(root);
    asdf_file_free(file);
    return bytes;
}

/* Returns the status of reading the array, with or without the codec. */
static asdf_status read_with(const asdf_codec *codec, const asdf_buffer *bytes, unsigned char *out) {
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    asdf_array *array = NULL;
    const void *data = NULL;
    size_t size = 0;
    OK(asdf_options_new(&options));
    if (codec) OK(asdf_options_add_codec(options, codec));
    OK(asdf_buffer_bytes(bytes, &data, &size));
    OK(asdf_file_open_memory(data, size, options, &file));
    asdf_options_free(options);
    asdf_node *root = root_of(file);
    OK(asdf_node_get_array(root, "data", &array));
    asdf_status status = asdf_array_read(array, ASDF_UINT8, NULL, out, sizeof values, NULL, 0);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    return status;
}

static void there_and_back(void) {
    state self = {.key = 0x55};
    asdf_codec *codec = NULL, *another = NULL;
    unsigned char out[sizeof values];
    OK(asdf_codec_new("xor", decode, encode, finish, &self, &codec));
    OK(asdf_codec_retain(codec, &another));
    CHECK(another == codec);
    asdf_codec_free(another);
    asdf_buffer *bytes = write_with(codec, ASDF_OK);
    CHECK(self.encoded == 1);
    OK(read_with(codec, bytes, out));
    CHECK(self.decoded == 1 && memcmp(out, values, sizeof out) == 0);
    FAILS(ASDF_ERR_UNKNOWN_CODEC, read_with(NULL, bytes, out));
    CHECK(message_holds("'xor'"));

    /* A status of the callback is passed on if it fits the case. */
    const asdf_status statuses[] = {ASDF_ERR_CORRUPT, ASDF_ERR_TRUNCATED, ASDF_ERR_DECODED_SIZE,
                                    ASDF_ERR_OUT_OF_MEMORY};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        self.status = statuses[i];
        FAILS(statuses[i], read_with(codec, bytes, out));
    }
    const asdf_status others[] = {-1, 1, 7777, ASDF_ERR_INTERNAL, ASDF_ERR_BUFFER_TOO_SMALL};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        self.status = others[i];
        FAILS(ASDF_ERR_CALLBACK, read_with(codec, bytes, out));
    }
    self.status = ASDF_OK;
    const size_t claims[] = {1, sizeof values - 1, sizeof values + 1, (size_t)-1};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        self.claim = claims[i];
        FAILS(ASDF_ERR_DECODED_SIZE, read_with(codec, bytes, out));
    }
    self.claim = 0;

    /* A later codec with the same label replaces the first. */
    state later = {.key = 0xAA};
    asdf_codec *second = NULL;
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_codec_new("xor", decode, NULL, finish, &later, &second));
    OK(asdf_options_add_codec(options, codec));
    OK(asdf_options_add_codec(options, second));
    asdf_codec_free(codec);
    CHECK(self.closed == 1);
    OK(read_with(second, bytes, out));
    CHECK(out[1] == (values[1] ^ 0xFF));
    CHECK(write_with(second, ASDF_ERR_UNSUPPORTED) == NULL);
    asdf_codec_free(second);
    CHECK(later.closed == 0);
    asdf_options_free(options);
    CHECK(later.closed == 1);
    asdf_buffer_free(bytes);
}

static void failing_writes(void) {
    state self = {.key = 1};
    asdf_codec *codec = NULL;
    unsigned char out[sizeof values];
    OK(asdf_codec_new("wide", decode, encode_wide, NULL, &self, &codec));
    asdf_buffer *bytes = write_with(codec, ASDF_OK);
    CHECK(self.encoded == 2);
    OK(read_with(codec, bytes, out));
    CHECK(memcmp(out, values, sizeof out) == 0);
    asdf_buffer_free(bytes);
    asdf_codec_free(codec);

    OK(asdf_codec_new("xor", decode, encode, NULL, &self, &codec));
    self.status = ASDF_ERR_OUT_OF_MEMORY;
    write_with(codec, ASDF_ERR_OUT_OF_MEMORY);
    self.status = ASDF_ERR_CORRUPT + 50;
    write_with(codec, ASDF_ERR_CALLBACK);
    /* Asking for a larger buffer twice, or for a smaller one, is an error. */
    self.status = ASDF_ERR_BUFFER_TOO_SMALL;
    self.claim = 100000;
    self.encoded = 0;
    write_with(codec, ASDF_ERR_CALLBACK);
    CHECK(self.encoded == 2);
    self.claim = 5;
    write_with(codec, ASDF_ERR_CALLBACK);
    self.claim = (size_t)-1;
    write_with(codec, ASDF_ERR_OUT_OF_MEMORY);
    self.status = ASDF_OK;
    self.claim = 1000000;
    write_with(codec, ASDF_ERR_CALLBACK);
    asdf_codec_free(codec);
}

static void labels(void) {
    state self = {.key = 1};
    asdf_codec *codec = NULL;
    const char *wrong[] = {"", "abcde", "a b", "zlib", "bzp2", "lz4", "lz4f", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_codec_new(wrong[i], decode, encode, finish, &self, &codec));
        CHECK(codec == NULL);
    }
    CHECK(self.closed == 0);
    OK(asdf_codec_new("a", decode, NULL, NULL, NULL, &codec));
    asdf_codec_free(codec);
    asdf_codec_free(NULL);
}

/* The written bytes do not depend on the number of threads. */
static void threads(void) {
    const int64_t many[] = {5000000};
    unsigned char *bytes = malloc((size_t)many[0]), *back = malloc((size_t)many[0]);
    if (!bytes || !back) exit(1);
    for (int64_t i = 0; i < many[0]; i++) bytes[i] = (unsigned char)(i / 7 * (i % 1000 < 3));
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    for (int i = 0; i < 2; i++) {
        OK(set_codec(options, i ? "zlib" : "lz4", -1));
        OK(asdf_node_set_array(root, i ? "zlib" : "lz4", ASDF_UINT8, 1, many, bytes, (size_t)many[0], options));
    }
    asdf_options *writing = NULL;
    asdf_options *reading = NULL;
    asdf_buffer *one = NULL, *several = NULL;
    const void *data[2] = {NULL, NULL};
    size_t size[2] = {0, 1};
    OK(asdf_options_new(&writing));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(writing, ASDF_OPTION_THREADS, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(writing, ASDF_OPTION_THREADS, -1));
    OK(asdf_file_write_memory(file, writing, &one));
    OK(asdf_options_set_int(writing, ASDF_OPTION_THREADS, 3));
    OK(asdf_file_write_memory(file, writing, &several));
    OK(asdf_buffer_bytes(one, &data[0], &size[0]));
    OK(asdf_buffer_bytes(several, &data[1], &size[1]));
    CHECK(size[0] == size[1] && memcmp(data[0], data[1], size[0]) == 0);
    asdf_node_free(root);
    asdf_file_free(file);

    OK(asdf_options_new(&reading));
    OK(asdf_options_set_int(reading, ASDF_OPTION_THREADS, 3));
    file = open_bytes(data[1], size[1]);
    root = root_of(file);
    for (int i = 0; i < 2; i++) {
        asdf_array *array = NULL;
        memset(back, 1, (size_t)many[0]);
        OK(asdf_node_get_array(root, i ? "zlib" : "lz4", &array));
        OK(asdf_array_read(array, ASDF_UINT8, reading, back, (size_t)many[0], NULL, 0));
        CHECK(memcmp(bytes, back, (size_t)many[0]) == 0);
        asdf_array_free(array);
    }
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(reading);
    asdf_options_free(writing);
    asdf_options_free(options);
    asdf_buffer_free(one);
    asdf_buffer_free(several);
    free(bytes);
    free(back);
}

int main(void) {
    for (size_t i = 0; i < sizeof values; i++) values[i] = (unsigned char)(i * 7);
    there_and_back();
    failing_writes();
    labels();
    threads();
    return report();
}

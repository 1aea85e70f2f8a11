/* Files whose bytes a callback reads in ranges: requests, bytes, failures of the callback, names. */
#include "check.h"

/* A server in memory that counts. */
struct server {
    const unsigned char *bytes;
    int64_t size;
    int64_t calls, ranges, asked;
    int closed;
    asdf_status failure; /* of the next calls */
    const char *message; /* given to asdf_error_set(), or NULL */
};

static asdf_status serve(void *user, size_t count, const int64_t *offsets, const size_t *sizes, void *const *buffers) {
    struct server *server = user;
    CHECK(count > 0);
    server->calls++;
    if (server->failure != ASDF_OK) {
        if (server->message) asdf_error_set(server->failure, server->message, strlen(server->message));
        return server->failure;
    }
    for (size_t i = 0; i < count; i++) {
        CHECK(sizes[i] > 0 && offsets[i] >= 0 && offsets[i] + (int64_t)sizes[i] <= server->size);
        memcpy(buffers[i], server->bytes + offsets[i], sizes[i]);
        server->ranges++;
        server->asked += (int64_t)sizes[i];
    }
    return ASDF_OK;
}

static asdf_status close_server(void *user) {
    ((struct server *)user)->closed++;
    return ASDF_OK;
}

enum { SIDE = 4096, TILE = 64, COST = 1 << 20 };

/* Returns a file with an array of SIDE * SIDE elements, whose element [i, j] is i - j, and a second one. */
static asdf_buffer *sample(void) {
    const int64_t shape[] = {SIDE, SIDE};
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_buffer *buffer = NULL;
    int16_t *numbers = malloc(sizeof *numbers * SIDE * SIDE);
    if (!numbers) exit(1);
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) numbers[i * SIDE + j] = (int16_t)(i - j);
    }
    OK(asdf_node_set_array(root, "data", ASDF_INT16, 2, shape, numbers, sizeof *numbers * SIDE * SIDE, NULL));
    OK(asdf_node_set_array(root, "few", ASDF_INT16, 1, shape, numbers, sizeof *numbers * SIDE, NULL));
    OK(asdf_file_write_memory(file, NULL, &buffer));
    free(numbers);
    asdf_node_free(root);
    asdf_file_free(file);
    return buffer;
}

static struct server server_of(asdf_buffer *buffer) {
    struct server server = {0};
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    server.bytes = bytes;
    server.size = (int64_t)size;
    return server;
}

static asdf_status read_tile(asdf_node *root, int64_t first) {
    static int16_t tile[TILE * TILE];
    const int64_t start[] = {first, first + 7}, count[] = {TILE, TILE};
    asdf_array *array = NULL;
    asdf_status status = asdf_node_get_array(root, "data", &array);
    if (status != ASDF_OK) return status;
    status = asdf_array_read_region(array, 2, start, count, NULL, ASDF_INT16, NULL, tile, sizeof tile, NULL, 0);
    for (int i = 0; status == ASDF_OK && i < TILE; i++) {
        for (int j = 0; j < TILE; j++) CHECK(tile[i * TILE + j] == i - j - 7);
    }
    asdf_array_free(array);
    return status;
}

/* One call opens the file, and one reads a tile. */
static void few_calls(asdf_buffer *buffer) {
    struct server server = server_of(buffer);
    asdf_file *file = NULL;
    OK(asdf_file_open_ranges(serve, close_server, &server, server.size, COST, NULL, NULL, &file));
    CHECK(server.calls == 1 && server.ranges == 2 && server.asked == (1 << 20) + (64 << 10));
    asdf_node *root = root_of(file);
    OK(read_tile(root, 3000));
    CHECK(server.calls == 2);
    /* This tile came with the first call. */
    OK(read_tile(root, 10));
    CHECK(server.calls == 2);
    int64_t requests = 0, bytes = 0;
    OK(asdf_file_transfers(file, &requests, &bytes));
    CHECK(requests == server.calls && bytes == server.asked);
    OK(asdf_file_transfers(file, NULL, NULL));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_file_transfers(NULL, &requests, &bytes));
    CHECK(requests == server.calls);
    char name[64] = "";
    OK(asdf_file_name(file, name, sizeof name, NULL));
    CHECK(name[0] == '\0');
    asdf_node_free(root);
    CHECK(server.closed == 0);
    asdf_file_free(file);
    CHECK(server.closed == 1);
}

/* Requests that cost as much as those of a local file ask for nothing ahead. */
static void local_cost(asdf_buffer *buffer) {
    struct server server = server_of(buffer);
    asdf_file *file = NULL;
    OK(asdf_file_open_ranges(serve, NULL, &server, server.size, 0, "mem://a/b.asdf", NULL, &file));
    CHECK(server.calls > 1 && server.asked < 200000);
    asdf_node *root = root_of(file);
    OK(read_tile(root, 3000));
    int64_t requests = 0, bytes = 0;
    OK(asdf_file_transfers(file, &requests, &bytes));
    CHECK(requests == server.ranges && bytes == server.asked);
    TEXT("mem://a/b.asdf", asdf_file_name, file);
    asdf_node_free(root);
    asdf_file_free(file);

    /* Files that no callback reads have no transfers. */
    file = new_file(&root);
    OK(asdf_file_transfers(file, &requests, &bytes));
    CHECK(requests == 0 && bytes == 0);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void failures(asdf_buffer *buffer) {
    struct server server = server_of(buffer);
    asdf_file *file = NULL;
    FAILS(ASDF_ERR_NULL_POINTER, asdf_file_open_ranges(NULL, close_server, &server, 10, COST, NULL, NULL, &file));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_open_ranges(serve, close_server, &server, -1, COST, NULL, NULL, &file));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_open_ranges(serve, close_server, &server, 10, -1, NULL, NULL, &file));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_file_open_ranges(serve, close_server, &server, server.size, COST, "b.asdf", NULL, &file));
    CHECK(message_holds("must be absolute") && server.calls == 0);
    server.failure = ASDF_ERR_IO;
    server.message = "the server is down";
    FAILS(ASDF_ERR_IO,
          asdf_file_open_ranges(serve, close_server, &server, server.size, COST, "mem://a/b.asdf", NULL, &file));
    CHECK(message_holds("the server is down") && !file && server.closed == 0);
    server.failure = ASDF_OK;

    OK(asdf_file_open_ranges(serve, close_server, &server, server.size, COST, "mem://a/b.asdf", NULL, &file));
    asdf_node *root = root_of(file);
    static const asdf_status passed[] = {ASDF_ERR_FILE_CHANGED, ASDF_ERR_ACCESS_DENIED, ASDF_ERR_PERMISSION_DENIED,
                                         ASDF_ERR_TRUNCATED,    ASDF_ERR_OUT_OF_MEMORY, ASDF_ERR_CANCELLED};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        server.failure = passed[i];
        server.message = i % 2 ? NULL : "said by the server";
        FAILS(passed[i], read_tile(root, 2000));
        if (server.message) CHECK(message_holds(server.message));
    }
    /* Statuses that are no matter of a source, and unknown numbers. */
    static const asdf_status other[] = {ASDF_ERR_NULL_POINTER, ASDF_ERR_NOT_ASDF, 9999, -1};
    server.message = NULL;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        server.failure = other[i];
        FAILS(ASDF_ERR_CALLBACK, read_tile(root, 2000));
    }
    CHECK(message_holds("-1"));
    server.failure = ASDF_OK;
    OK(read_tile(root, 2000));
    OK(asdf_file_close(file));
    CHECK(server.closed == 1);
    FAILS(ASDF_ERR_CLOSED, read_tile(root, 2000));
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(server.closed == 1);

    /* A source that is shorter than the file. */
    OK(asdf_file_open_ranges(serve, NULL, &server, 2 << 20, COST, NULL, NULL, &file));
    root = root_of(file);
    FAILS(ASDF_ERR_TRUNCATED, read_tile(root, 3000));
    asdf_node_free(root);
    asdf_file_free(file);
}

/* URLs without the library that reads them. */
static void urls(void) {
    static const char url[] = "https://user:word@localhost/a.asdf?key=1", missing[] = "/nonexistent/remote.so";
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    char text[64] = "";
    OK(asdf_options_new(&options));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_options_get_text(options, ASDF_OPTION_REMOTE_SETTINGS, 0, text, sizeof text, NULL));
    OK(set_string(options, ASDF_OPTION_REMOTE, missing));
    OK(set_string(options, ASDF_OPTION_REMOTE_SETTINGS, "retries=1"));
    OK(asdf_options_get_text(options, ASDF_OPTION_REMOTE_SETTINGS, 0, text, sizeof text, NULL));
    CHECK(strcmp(text, "retries=1") == 0);
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_file_open(url, options, &file));
    CHECK(message_holds("make install-remote") && message_holds(missing) && !message_holds("word@") && !file);
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_file_open_for_update(url, options, &file));
    CHECK(message_holds("read only"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_new(options, &file));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_REMOTE, 1));
    asdf_options_free(options);
    /* Other schemes are names of files. */
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_open("ftp://localhost/a.asdf", NULL, &file));
}

int main(void) {
    asdf_buffer *buffer = sample();
    few_calls(buffer);
    local_cost(buffer);
    failures(buffer);
    asdf_buffer_free(buffer);
    urls();
    return report();
}

/* Walks a tree without recursion and reads every array in it. */
#include "content.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call)                                                                                                      \
    if ((status = (call)) != ASDF_OK) goto done

enum { NODES = 4000 };

static char *room(struct content *content, size_t size) {
    if (content->size + size > content->capacity) {
        content->capacity = (content->size + size) * 2;
        content->bytes = realloc(content->bytes, content->capacity);
        if (!content->bytes) abort();
    }
    content->size += size;
    return content->bytes + content->size - size;
}

static void put(struct content *content, const char *text) {
    size_t size = strlen(text);
    memcpy(room(content, size), text, size);
}

static void put_number(struct content *content, int64_t number) {
    char text[32];
    snprintf(text, sizeof text, " %lld", (long long)number);
    put(content, text);
}

/* A text that the library returns: first its length, then its bytes. */
typedef asdf_status text_function(const asdf_node *node, const char *path, char *buffer, size_t capacity,
                                  size_t *needed);

static asdf_status put_text(struct content *content, const asdf_node *node, text_function *function) {
    size_t size = 0;
    asdf_status status = function(node, "", NULL, 0, &size);
    if (status != ASDF_OK && status != ASDF_ERR_BUFFER_TOO_SMALL) return status;
    char *text = malloc(size + 1);
    if (!text) abort();
    status = function(node, "", text, size + 1, NULL);
    if (status == ASDF_OK) memcpy(room(content, size), text, size);
    free(text);
    return status;
}

static asdf_status put_array(struct content *content, const asdf_node *node) {
    asdf_array *array = NULL;
    asdf_status status;
    int64_t shape[ASDF_MAX_RANK];
    int32_t rank = 0;
    size_t size = 0;
    char name[200] = "";
    TRY(asdf_node_get_array(node, "", &array));
    TRY(asdf_array_shape(array, shape, ASDF_MAX_RANK, &rank));
    TRY(asdf_array_datatype_name(array, name, sizeof name, NULL));
    TRY(asdf_array_byte_size(array, 0, &size));
    put(content, name);
    for (int32_t i = 0; i < rank; i++) put_number(content, shape[i]);
    put(content, "\n");
    TRY(asdf_array_read(array, 0, NULL, room(content, size), size, NULL, 0));
done:
    asdf_array_free(array);
    return status;
}

asdf_status content_add(struct content *content, asdf_file *file) {
    asdf_node *nodes[NODES] = {NULL};
    int known = 0;
    asdf_status status;
    TRY(asdf_file_root(file, &nodes[known]));
    known = 1;
    for (int current = 0; current < known; current++) {
        asdf_node *node = nodes[current];
        int32_t type = 0, kind = 0, key_type = 0;
        int64_t count = 0;
        TRY(asdf_node_type(node, "", &type));
        put_number(content, type);
        put(content, " ");
        TRY(put_text(content, node, asdf_node_tag));
        put(content, "\n");
        TRY(asdf_node_kind(node, "", &kind));
        if (kind == ASDF_KIND_ARRAY) {
            TRY(put_array(content, node));
            continue;
        }
        if (type != ASDF_NODE_MAPPING && type != ASDF_NODE_SEQUENCE) {
            TRY(put_text(content, node, asdf_node_get_text));
            put(content, "\n");
            continue;
        }
        TRY(asdf_node_count(node, "", &count));
        put_number(content, count);
        for (int64_t i = 0; i < count; i++) {
            if (known == NODES) abort();
            if (type == ASDF_NODE_MAPPING) {
                char key[200];
                TRY(asdf_node_key_type(node, "", i, &key_type));
                TRY(asdf_node_key_string(node, "", i, key, sizeof key, NULL));
                put(content, key);
                put(content, "\n");
            }
            TRY(asdf_node_item(node, "", i, &nodes[known]));
            known++;
        }
    }
done:
    while (known > 0) asdf_node_free(nodes[--known]);
    return status;
}

asdf_status content_read(struct content *content, const char *path, int for_update) {
    asdf_file *file = NULL;
    asdf_options *options = NULL;
    asdf_status status;
    TRY(asdf_options_new(&options));
    TRY(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    TRY((for_update ? asdf_file_open_for_update : asdf_file_open)(path, options, &file));
    TRY(content_add(content, file));
    TRY(asdf_file_close(file));
done:
    asdf_file_free(file);
    asdf_options_free(options);
    return status;
}

int content_of_bytes(struct content *content, const char *path) {
    FILE *stream = fopen(path, "rb");
    if (!stream) return 0;
    for (;;) {
        size_t size = fread(room(content, 65536), 1, 65536, stream);
        content->size -= 65536 - size;
        if (size == 0) break;
    }
    fclose(stream);
    return 1;
}

int content_same(const struct content *left, const struct content *right) {
    return left->size == right->size && (left->size == 0 || memcmp(left->bytes, right->bytes, left->size) == 0);
}

void content_free(struct content *content) {
    free(content->bytes);
    memset(content, 0, sizeof *content);
}

/* Reading the structure of a tree: paths, types, keys, references, positions, owners. */
#include "check.h"

static const char tree[] = "scalars: [null, true, 12, 1.5, text, 2027-01-31, !!binary AAEC]\n"
                           "a/b: {m~n: 1, '': 2}\n"
                           "1: integer\n"
                           "'1': string\n"
                           "true: bool\n"
                           "1.5: other\n"
                           "base: &anchor !unit/unit-1.0.0 m\n"
                           "alias: *anchor\n"
                           "reference: {$ref: '#/scalars/4'}\n"
                           "dangling: {$ref: '#/nothing'}\n"
                           "outside: {$ref: 'other.asdf#/a'}\n"
                           "circle: {$ref: '#/circle'}\n";

static void types(const asdf_node *root) {
    static const int32_t expected[] = {ASDF_NODE_NULL,   ASDF_NODE_BOOL,      ASDF_NODE_INTEGER, ASDF_NODE_FLOAT,
                                       ASDF_NODE_STRING, ASDF_NODE_TIMESTAMP, ASDF_NODE_BINARY};
    int32_t type = -1;
    int64_t count = -1;
    OK(asdf_node_count(root, "scalars", &count));
    CHECK(count == 7);
    for (int64_t i = 0; i < count; i++) {
        char path[16];
        snprintf(path, sizeof path, "scalars/%d", (int)i);
        OK(asdf_node_type(root, path, &type));
        CHECK(type == expected[i]);
    }
    OK(asdf_node_type(root, "", &type));
    CHECK(type == ASDF_NODE_MAPPING);
    OK(asdf_node_type(root, "/scalars", &type));
    CHECK(type == ASDF_NODE_SEQUENCE);
    OK(asdf_node_count(root, "", &count));
    CHECK(count == 12);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_count(root, "scalars/2", &count));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_type(root, "scalars/7", &type));
    CHECK(type == ASDF_NODE_SEQUENCE && count == 12);
}

static void paths(const asdf_node *root) {
    asdf_node *inner = NULL, *deeper = NULL;
    int64_t value = 0;
    int32_t exists = -1;
    OK(asdf_node_get(root, "/a~1b", &inner));
    OK(asdf_node_get_i64(inner, "m~0n", &value));
    CHECK(value == 1);
    OK(asdf_node_get_i64(inner, "/", &value));
    CHECK(value == 2);
    OK(asdf_node_get(inner, "m~0n", &deeper));
    char path[10];
    TEXT("/a~1b/m~0n", asdf_node_path, deeper, "");
    TEXT("", asdf_node_path, root, "");
    TEXT("/a~1b/m~0n", asdf_node_path, inner, "m~0n");
    TEXT("/reference", asdf_node_path, root, "reference");
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_path(inner, "x", path, sizeof path, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_node_path(deeper, "", path, sizeof path, NULL));
    asdf_node_free(deeper);
    deeper = inner;
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get(inner, "x", &deeper));
    CHECK(deeper == NULL);
    FAILS(ASDF_ERR_PATH, asdf_node_get(inner, "~", &deeper));
    FAILS(ASDF_ERR_ENCODING, asdf_node_get(inner, "\377", &deeper));

    OK(asdf_node_exists(root, "a~1b/m~0n", &exists));
    CHECK(exists == 1);
    OK(asdf_node_exists(root, "a~1b/x", &exists));
    CHECK(exists == 0);
    exists = -1;
    OK(asdf_node_exists(root, "scalars/2/x", &exists));
    CHECK(exists == 0);
    FAILS(ASDF_ERR_PATH, asdf_node_exists(root, "a~2", &exists));
    FAILS(ASDF_ERR_PATH, asdf_node_exists(root, "~", &exists));
    FAILS(ASDF_ERR_DANGLING_REFERENCE, asdf_node_exists(root, "dangling/x", &exists));
    asdf_node_free(inner);
}

static void keys(const asdf_node *root) {
    static const int32_t expected[] = {ASDF_KEY_STRING, ASDF_KEY_STRING, ASDF_KEY_INTEGER,
                                       ASDF_KEY_STRING, ASDF_KEY_BOOL,   ASDF_KEY_OTHER};
    int32_t type = -1, truth = -1;
    int64_t number = -1;
    for (int64_t i = 0; i < 6; i++) {
        OK(asdf_node_key_type(root, "", i, &type));
        CHECK(type == expected[i]);
    }
    TEXT("a/b", asdf_node_key_string, root, "", 1);
    TEXT("1", asdf_node_key_string, root, "", 2);
    TEXT("true", asdf_node_key_string, root, "", 4);
    TEXT("1.5", asdf_node_key_string, root, "", 5);
    OK(asdf_node_key_i64(root, "", 2, &number));
    OK(asdf_node_key_bool(root, "", 4, &truth));
    CHECK(number == 1 && truth == 1);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_key_i64(root, "", 3, &number));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_key_bool(root, "", 2, &truth));
    char key[8];
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_key_string(root, "", 12, key, sizeof key, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_key_type(root, "", -1, &type));

    asdf_node *found = NULL;
    OK(asdf_node_get_by_i64(root, "", 1, &found));
    TEXT("integer", asdf_node_get_string, found, "");
    asdf_node_free(found);
    OK(asdf_node_get_by_string(root, "", "1 and more", 1, &found));
    TEXT("string", asdf_node_get_string, found, "");
    asdf_node_free(found);
    OK(asdf_node_get_by_bool(root, "", 17, &found));
    TEXT("bool", asdf_node_get_string, found, "");
    asdf_node_free(found);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_by_bool(root, "", 0, &found));
    CHECK(found == NULL);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_by_i64(root, "", 2, &found));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_by_string(root, "", NULL, 0, &found));
    FAILS(ASDF_ERR_ENCODING, asdf_node_get_by_string(root, "", "\300", 1, &found));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_by_string(root, "scalars", "a", 1, &found));
    CHECK(found == NULL);
}

/* Keys and items of a collection below the node, also behind a reference. */
static void below_paths(void) {
    asdf_file *file =
        open_tree("deep: {list: [{7: seven, true: yes, \"a\\0b\": nul}]}\nlink: {$ref: '#/deep/list/0'}\n");
    asdf_node *root = root_of(file), *found = NULL;
    static const char *const places[] = {"deep/list/0", "link"};
    for (size_t i = 0; i < 2; i++) {
        const char *const place = places[i];
        int32_t type = -1, truth = -1;
        int64_t number = -1;
        char key[8] = "???????";
        size_t length = 0;
        OK(asdf_node_key_type(root, place, 2, &type));
        CHECK(type == ASDF_KEY_STRING);
        OK(asdf_node_key_i64(root, place, 0, &number));
        OK(asdf_node_key_bool(root, place, 1, &truth));
        CHECK(number == 7 && truth == 1);
        OK(asdf_node_key_string(root, place, 2, key, sizeof key, &length));
        CHECK(length == 3 && memcmp(key, "a\0b", 4) == 0);
        OK(asdf_node_item(root, place, 2, &found));
        TEXT("nul", asdf_node_get_string, found, "");
        asdf_node_free(found);
        OK(asdf_node_get_by_string(root, place, "a\0b", 3, &found));
        TEXT("nul", asdf_node_get_string, found, "");
        asdf_node_free(found);
        OK(asdf_node_get_by_i64(root, place, 7, &found));
        TEXT("seven", asdf_node_get_string, found, "");
        asdf_node_free(found);
        OK(asdf_node_get_by_bool(root, place, 1, &found));
        TEXT("yes", asdf_node_get_text, found, "");
        asdf_node_free(found);
        FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_item(root, place, 3, &found));
        FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_key_type(root, place, 3, &type));
    }
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_item(root, "deep/none", 0, &found));
    CHECK(found == NULL);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void items(const asdf_node *root) {
    asdf_node *list = NULL, *item = NULL;
    OK(asdf_node_item(root, "", 0, &list));
    OK(asdf_node_item(list, "", 4, &item));
    TEXT("text", asdf_node_get_string, item, "");
    asdf_node_free(item);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_item(list, "", 7, &item));
    CHECK(item == NULL);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_item(list, "", INT64_MIN, &item));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_item(list, "", INT64_MAX, &item));
    int32_t type = -1;
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_key_type(list, "", 0, &type));
    asdf_node_free(list);
}

static void tags_and_references(const asdf_node *root) {
    char text[64];
    int64_t base = 0, alias = 1, other = 0;
    TEXT("tag:stsci.edu:asdf/unit/unit-1.0.0", asdf_node_tag, root, "alias");
    TEXT("", asdf_node_tag, root, "scalars");
    /* The non-specific tag counts as no tag. */
    asdf_file *other_file = open_tree("int: ! 12\nquoted: ! '12'\nlist: ! [12]\nempty: !\n");
    asdf_node *other_root = NULL;
    int32_t type = -1;
    OK(asdf_file_root(other_file, &other_root));
    TEXT("", asdf_node_tag, other_root, "int");
    TEXT("", asdf_node_tag, other_root, "quoted");
    TEXT("", asdf_node_tag, other_root, "list");
    TEXT("", asdf_node_tag, other_root, "empty");
    OK(asdf_node_type(other_root, "quoted", &type));
    CHECK(type == ASDF_NODE_INTEGER);
    asdf_node_free(other_root);
    asdf_file_free(other_file);
    OK(asdf_node_identity(root, "base", &base));
    OK(asdf_node_identity(root, "alias", &alias));
    OK(asdf_node_identity(root, "scalars", &other));
    CHECK(base == alias && base != other);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_identity(root, "x", &other));

    TEXT("#/scalars/4", asdf_node_reference, root, "reference");
    TEXT("", asdf_node_reference, root, "scalars");
    TEXT("text", asdf_node_get_string, root, "reference");
    TEXT("other.asdf#/a", asdf_node_reference, root, "outside");
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_reference(root, "x", text, sizeof text, NULL));
    FAILS(ASDF_ERR_DANGLING_REFERENCE, asdf_node_tag(root, "dangling", text, sizeof text, NULL));
    FAILS(ASDF_ERR_EXTERNAL_REFERENCE, asdf_node_tag(root, "outside", text, sizeof text, NULL));
    FAILS(ASDF_ERR_REFERENCE_CYCLE, asdf_node_tag(root, "circle", text, sizeof text, NULL));
}

static void places(const asdf_node *root) {
    asdf_node *node = NULL, *made = NULL;
    int64_t offset = 0, line = 0, column = 0;
    OK(asdf_node_get(root, "scalars/2", &node));
    OK(asdf_node_position(node, "", &offset, &line, &column));
    CHECK(offset == 113 && line == 6 && column == 23);
    OK(asdf_node_position(node, "", NULL, NULL, NULL));
    offset = line = column = 0;
    OK(asdf_node_position(root, "scalars/2", &offset, &line, &column));
    CHECK(offset == 113 && line == 6 && column == 23);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_position(root, "scalars/9", &offset, &line, &column));
    asdf_node_free(node);

    asdf_file *file = new_file(&made);
    OK(asdf_node_position(made, "", &offset, &line, &column));
    CHECK(offset == -1 && line == -1 && column == -1);
    OK(asdf_node_set_null(made, "list"));
    OK(asdf_node_get(made, "list", &node));
    OK(asdf_node_remove(made, "list"));
    FAILS(ASDF_ERR_STALE, asdf_node_position(node, "", &offset, &line, &column));
    asdf_node_free(node);
    asdf_node_free(made);
    asdf_file_free(file);
}

static void owners(asdf_file *file) {
    asdf_node *node = root_of(file), *another = NULL;
    asdf_file *same = NULL;
    OK(asdf_node_retain(node, &another));
    asdf_node_free(node);
    OK(asdf_node_file(another, &same));
    asdf_node_free(another);
    TEXT("1.6.0", asdf_file_standard, same);
    asdf_file_free(same);
}

static void arrays(void) {
    asdf_file *file = open_tree("tagged: !core/ndarray-1.1.0 [1, 2]\nplain: [1, 2]\nother: x\n");
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    int32_t kind = -1;
    OK(asdf_node_kind(root, "tagged", &kind));
    CHECK(kind == ASDF_KIND_ARRAY);
    OK(asdf_node_kind(root, "plain", &kind));
    CHECK(kind == ASDF_KIND_NUMBER_LIST);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_kind(root, "x", &kind));
    OK(asdf_node_get_array(root, "plain", &array));
    asdf_array_free(array);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_array(root, "other", &array));
    CHECK(array == NULL);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void kinds(void) {
    static const struct {
        const char *path;
        int32_t kind;
    } expected[] = {
        {"nothing", ASDF_KIND_NULL},        {"bool", ASDF_KIND_BOOL},          {"int", ASDF_KIND_INTEGER},
        {"big", ASDF_KIND_INTEGER},         {"float", ASDF_KIND_FLOAT},        {"complex", ASDF_KIND_COMPLEX},
        {"string", ASDF_KIND_STRING},       {"foreign", ASDF_KIND_STRING},     {"date", ASDF_KIND_TIMESTAMP},
        {"bytes", ASDF_KIND_BINARY},        {"array", ASDF_KIND_ARRAY},        {"array/data", ASDF_KIND_NUMBER_LIST},
        {"numbers", ASDF_KIND_NUMBER_LIST}, {"uneven", ASDF_KIND_SEQUENCE},    {"mixed", ASDF_KIND_SEQUENCE},
        {"empty", ASDF_KIND_SEQUENCE},      {"tagged", ASDF_KIND_SEQUENCE},    {"mapping", ASDF_KIND_MAPPING},
        {"table", ASDF_KIND_TABLE},         {"old", ASDF_KIND_TABLE},          {"table/columns/0", ASDF_KIND_COLUMN},
        {"quantity", ASDF_KIND_QUANTITY},   {"time", ASDF_KIND_TIME},          {"span", ASDF_KIND_TIME_DELTA},
        {"unit", ASDF_KIND_UNIT},           {"mag", ASDF_KIND_UNIT},           {"link", ASDF_KIND_QUANTITY},
        {"outside", ASDF_KIND_REFERENCE},   {"dangling", ASDF_KIND_REFERENCE}, {"circle", ASDF_KIND_REFERENCE},
        {"alias", ASDF_KIND_UNIT},          {"", ASDF_KIND_MAPPING},
    };
    asdf_file *file =
        open_tree("nothing: null\nbool: true\nint: 12\nbig: !core/integer-1.1.0 {sign: +, words: [1], string: '1'}\n"
                  "float: 1.5\ncomplex: !core/complex-1.0.0 1+1j\nstring: text\n"
                  "foreign: !<tag:example.org:x> 12\ndate: 2027-01-31\nbytes: !!binary AAEC\n"
                  "array: !core/ndarray-1.1.0 {data: [1, 2]}\nnumbers: [[1, 2.5], [3, 4]]\n"
                  "uneven: [[1, 2], [3]]\nmixed: [1, a]\nempty: []\ntagged: !<tag:example.org:x> [1]\n"
                  "mapping: !<tag:example.org:x> {}\n"
                  "table: !table/table-1.1.0 {columns: [!table/column-1.1.0 {name: a, data: [1]}]}\n"
                  "old: !<tag:astropy.org:astropy/table/table-1.0.0> {}\n"
                  "quantity: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 m, value: 2.5}\n"
                  "time: !time/time-1.2.0 2000-01-01T00:00:00.000\n"
                  "span: !<tag:astropy.org:astropy/time/timedelta-1.1.0> {}\n"
                  "unit: &unit !unit/unit-1.0.0 m\nmag: !<tag:astropy.org:astropy/units/magunit-1.0.0> {unit: Jy}\n"
                  "link: {$ref: '#/quantity'}\noutside: {$ref: 'other.asdf#/a'}\n"
                  "dangling: {$ref: '#/absent'}\ncircle: {$ref: '#/circle'}\nalias: *unit\n");
    asdf_node *root = root_of(file);
    int32_t kind = -1;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        kind = -1;
        OK(asdf_node_kind(root, expected[i].path, &kind));
        CHECK(kind == expected[i].kind);
        if (kind != expected[i].kind) fprintf(stderr, "  %s: %d\n", expected[i].path, kind);
    }
    kind = -1;
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_kind(root, "x", &kind));
    FAILS(ASDF_ERR_DANGLING_REFERENCE, asdf_node_kind(root, "dangling/x", &kind));
    CHECK(kind == -1);
    asdf_node *dead = NULL;
    OK(asdf_node_get(root, "outside", &dead));
    OK(asdf_file_close(file));
    FAILS(ASDF_ERR_CLOSED, asdf_node_kind(dead, "", &kind));
    asdf_node_free(dead);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void names(void) {
    for (int32_t kind = ASDF_KIND_NULL; kind <= ASDF_KIND_COORDINATES; kind++) {
        CHECK(strcmp(asdf_kind_name(kind), "unknown kind") != 0);
    }
    for (int32_t type = ASDF_NODE_NULL; type <= ASDF_NODE_MAPPING; type++) {
        CHECK(strcmp(asdf_node_type_name(type), "unknown type") != 0);
    }
    CHECK(strcmp(asdf_kind_name(ASDF_KIND_NUMBER_LIST), "number list") == 0);
    CHECK(strcmp(asdf_node_type_name(ASDF_NODE_SEQUENCE), "sequence") == 0);
    CHECK(strcmp(asdf_kind_name(-1), "unknown kind") == 0 && strcmp(asdf_kind_name(99), "unknown kind") == 0);
    CHECK(strcmp(asdf_node_type_name(9), "unknown type") == 0);
}

/* Appends the path of each node, and accepts the one whose path has this length. */
struct visit {
    char paths[256];
    size_t wanted;
    asdf_node *kept;
};

static int32_t visit(void *user, const asdf_node *node) {
    struct visit *visit = user;
    size_t length = 0, used = strlen(visit->paths);
    OK(asdf_node_path(node, "", visit->paths + used, sizeof visit->paths - used - 1, &length));
    strcat(visit->paths, " ");
    if (visit->kept == NULL) OK(asdf_node_retain(node, &visit->kept));
    return length == visit->wanted;
}

static void found(void) {
    asdf_file *file = open_tree("a: {x: 1, b: {x: two}}\nc: !core/ndarray-1.1.0 {data: [1, 2]}\nd: [{x: 3.5}]\n"
                                "alias: &x {x: 4}\nsame: *x\n");
    asdf_node *root = root_of(file), *node = NULL;
    OK(asdf_node_find(root, "", "x", NULL, -1, NULL, NULL, &node));
    TEXT("/a/x", asdf_node_path, node, "");
    asdf_node_free(node);
    OK(asdf_node_find(root, "", "x", NULL, ASDF_KIND_FLOAT, NULL, NULL, &node));
    TEXT("/d/0/x", asdf_node_path, node, "");
    asdf_node_free(node);
    const char *const tags[] = {"!core/ndarray", "!core/ndarray-1.1.0", "tag:stsci.edu:asdf/core/ndarray-1.1.0"};
    for (int i = 0; i < 3; i++) {
        OK(asdf_node_find(root, "", NULL, tags[i], -1, NULL, NULL, &node));
        TEXT("/c", asdf_node_path, node, "");
        asdf_node_free(node);
    }
    struct visit all = {.wanted = 0, .kept = NULL};
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_find(root, "", "x", NULL, -1, visit, &all, &node));
    CHECK(node == NULL && strcmp(all.paths, "/a/x /a/b/x /d/0/x /alias/x ") == 0);
    TEXT("/a/x", asdf_node_path, all.kept, "");
    asdf_node_free(all.kept);
    struct visit some = {.wanted = 6, .kept = NULL};
    OK(asdf_node_find(root, "", "x", NULL, -1, visit, &some, &node));
    TEXT("/a/b/x", asdf_node_path, node, "");
    asdf_node_free(node);
    asdf_node_free(some.kept);
    OK(asdf_node_find(root, "a/b", "x", NULL, -1, NULL, NULL, &node));
    TEXT("/a/b/x", asdf_node_path, node, "");
    asdf_node_free(node);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_find(root, "", NULL, "!core/ndarray-1.0.0", -1, NULL, NULL, &node));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_find(root, "none", NULL, NULL, -1, NULL, NULL, &node));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_find(root, "", NULL, NULL, 99, NULL, NULL, &node));
    CHECK(node == NULL);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* The text under the key "//". */
static void notes(void) {
    asdf_file *file = open_tree("a: {//: why, x: 1}\nb: {x: 1}\nlist: [1]\nother: {//: 5}\n");
    asdf_node *root = root_of(file);
    char note[8] = "";
    TEXT("why", asdf_node_note, root, "a");
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_note(root, "b", note, sizeof note, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_note(root, "list", note, sizeof note, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_note(root, "other", note, sizeof note, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_node_note(root, "a", note, 3, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_new(NULL, &file));
    root = root_of(file);
    OK(asdf_node_set_i64(root, "meta/x", 1));
    OK(asdf_node_set_note(root, "meta", SIZED("made by a test")));
    OK(asdf_node_set_note(root, "meta", "made by hand", ASDF_NUL_TERMINATED));
    TEXT("made by hand", asdf_node_note, root, "meta");
    TEXT("//", asdf_node_key_string, root, "meta", 0);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_set_note(root, "meta/x", SIZED("no mapping")));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_set_note(root, "none", SIZED("nothing")));
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Comments of a text, and those that are set. */
static void comments(void) {
    asdf_file *file = open_tree("# before\na: 1  # end\nflow: {x: 1}\n"), *copy = NULL;
    asdf_node *root = root_of(file), *target = NULL, *node = NULL;
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    char text[64] = "";
    TEXT("before", asdf_node_comment, root, "a", ASDF_COMMENT_BEFORE);
    TEXT("end", asdf_node_comment, root, "a", ASDF_COMMENT_LINE_END);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_comment(root, "flow", ASDF_COMMENT_BEFORE, text, sizeof text, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_comment(root, "a", 3, text, sizeof text, NULL));
    FAILS(ASDF_ERR_READ_ONLY, asdf_node_set_comment(root, "a", ASDF_COMMENT_BEFORE, "x", 1));
    OK(asdf_file_new(NULL, &copy));
    target = root_of(copy);
    OK(asdf_node_get(root, "a", &node));
    OK(asdf_node_copy(target, "meta/a", node, NULL));
    asdf_node_free(node);
    OK(asdf_node_set_comment(target, "meta", ASDF_COMMENT_BEFORE, SIZED("two\nlines")));
    OK(asdf_node_set_comment(target, "meta", ASDF_COMMENT_LINE_END, SIZED("block")));
    OK(asdf_node_set_comment(target, "", ASDF_COMMENT_DOCUMENT_END, SIZED("last")));
    TEXT("two\nlines", asdf_node_comment, target, "meta", ASDF_COMMENT_BEFORE);
    /* A copy in memory keeps them. */
    OK(asdf_node_get(target, "meta", &node));
    OK(asdf_node_copy(target, "twin", node, NULL));
    asdf_node_free(node);
    TEXT("block", asdf_node_comment, target, "twin", ASDF_COMMENT_LINE_END);
    OK(asdf_file_write_memory(copy, NULL, &buffer));
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    const char *expected = "# two\n# lines\nmeta:  # block\n  # before\n  a: 1  # end\n# two\n# lines\ntwin:  # block\n"
                           "  # before\n  a: 1  # end\n# last\n...\n";
    CHECK(size > strlen(expected) &&
          memcmp((const char *)bytes + size - strlen(expected), expected, strlen(expected)) == 0);
    asdf_buffer_free(buffer);
    OK(asdf_node_set_mapping(target, "flow", 1));
    OK(asdf_node_set_i64(target, "flow/x", 1));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_set_comment(target, "flow/x", ASDF_COMMENT_BEFORE, SIZED("x")));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_set_comment(target, "", ASDF_COMMENT_BEFORE, SIZED("x")));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_set_comment(target, "meta", ASDF_COMMENT_DOCUMENT_END, SIZED("x")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_comment(target, "meta", ASDF_COMMENT_LINE_END, SIZED("x\ny")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_comment(target, "meta", ASDF_COMMENT_BEFORE, SIZED("x\ty")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_comment(target, "meta", -1, SIZED("x")));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_set_comment(target, "none", ASDF_COMMENT_BEFORE, SIZED("x")));
    asdf_node_free(target);
    asdf_file_free(copy);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Keys of digits are integers in YAML 1.1, and the message says so. */
static void keys_of_digits(void) {
    asdf_file *file = open_tree("frames: {00000001: a, 00000010: b, '00000002': c}\nlist: [1]\n");
    asdf_node *root = root_of(file);
    TEXT("a", asdf_node_get_string, root, "frames/1");
    TEXT("b", asdf_node_get_string, root, "frames/8");
    TEXT("c", asdf_node_get_string, root, "frames/00000002");
    int64_t value = 0;
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_i64(root, "frames/00000001", &value));
    CHECK(message_holds("a key of digits without quotes is an integer") && message_holds("Its path is '1'"));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_i64(root, "list[0]", &value));
    CHECK(message_holds("the path of an item is 'list/0'"));
    asdf_node_free(root);
    asdf_file_free(file);
}

static void quantities(void) {
    asdf_file *file = open_tree(
        "length: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 km.s**-1, value: 3}\n"
        "image: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 Jy, value: !core/ndarray-1.1.0 {data: [[1, 2]]}}\n"
        "none: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 '', value: 1.5}\n"
        "phase: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 V, value: !core/complex-1.0.0 1+2j}\n"
        "column: {unit: m, data: [1, 2]}\nplain: {data: [1], unit: null}\nno: {data: [1]}\nscalar: 1\n"
        "mag: !<tag:astropy.org:astropy/units/magunit-1.1.0> Jy\n"
        "odd: {unit: !<tag:example.org:unit-1.0.0> m}\n"
        "inner: &inner !unit/quantity-1.2.0 {unit: m, value: *inner}\n"
        "empty: !unit/quantity-1.2.0 {unit: m}\n");
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    double f64 = 0, real = 0, imaginary = 0;
    int32_t i32 = 0, rank = -1;
    int64_t i64 = 0, shape[2] = {0, 0};
    char text[8] = "1234567";
    OK(asdf_node_get_f64(root, "length", &f64));
    OK(asdf_node_get_i32(root, "length", &i32));
    OK(asdf_node_get_i64(root, "length", &i64));
    CHECK(f64 == 3 && i32 == 3 && i64 == 3);
    OK(asdf_node_get_complex(root, "phase", &real, &imaginary));
    CHECK(real == 1 && imaginary == 2);
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_node_get_f64(root, "phase", &f64));
    OK(asdf_node_get_array(root, "image", &array));
    OK(asdf_array_shape(array, shape, 2, &rank));
    CHECK(rank == 2 && shape[0] == 1 && shape[1] == 2);
    asdf_array_free(array);
    array = NULL;
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_array(root, "length", &array));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_f64(root, "image", &f64));
    FAILS(ASDF_ERR_TAG_CONTENT, asdf_node_get_f64(root, "inner", &f64));
    FAILS(ASDF_ERR_TAG_CONTENT, asdf_node_get_array(root, "inner", &array));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_f64(root, "empty", &f64));
    CHECK(f64 == 3 && array == NULL);

    TEXT("km.s**-1", asdf_node_get_unit, root, "length");
    TEXT("Jy", asdf_node_get_unit, root, "image");
    TEXT("Jy", asdf_node_get_unit, root, "image/unit");
    TEXT("", asdf_node_get_unit, root, "none");
    TEXT("m", asdf_node_get_unit, root, "column");
    TEXT("mag(Jy)", asdf_node_get_unit, root, "mag");
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_unit(root, "plain", text, sizeof text, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_unit(root, "no", text, sizeof text, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_unit(root, "scalar", text, sizeof text, NULL));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_get_unit(root, "odd", text, sizeof text, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_node_get_unit(root, "length", text, 8, NULL));
    CHECK(strcmp(text, "1234567") == 0);
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    asdf_file *file = open_tree(tree);
    asdf_node *root = root_of(file);
    types(root);
    paths(root);
    keys(root);
    items(root);
    below_paths();
    tags_and_references(root);
    places(root);
    owners(file);
    arrays();
    kinds();
    names();
    found();
    keys_of_digits();
    notes();
    comments();
    quantities();
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}

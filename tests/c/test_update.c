/* Changing an existing file: opened for update, saved, refused. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <sys/stat.h>
#include <unistd.h>

static const char head[] = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n# a remark\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n";
static const char tree[] = "--- !core/asdf-1.1.0\n"
                           "asdf_library: !core/software-1.0.0 {name: x, version: '1'}\n"
                           "meta:   # about it\n"
                           "  time: 139.8   # seconds\n"
                           "  odd: !other/thing-1.0.0 {a: 1}\n"
                           "list: [1, 2 , 3]\n"
                           "...\n";

static void put(const char *name) {
    FILE *stream = fopen(name, "wb");
    if (!stream || fputs(head, stream) < 0 || fputs(tree, stream) < 0 || fclose(stream) != 0) exit(1);
}

static char *slurp(const char *name) {
    FILE *stream = fopen(name, "rb");
    char *text = calloc(1, 1 << 16);
    if (!stream || !text || fread(text, 1, (1 << 16) - 1, stream) == 0) exit(1);
    fclose(stream);
    return text;
}

static asdf_file *open_for_update(const char *name, asdf_node **root) {
    asdf_file *file = NULL;
    OK(asdf_file_open_for_update(name, NULL, &file));
    *root = root_of(file);
    return file;
}

static void the_rest_stays(void) {
    put("text.asdf");
    asdf_node *root = NULL;
    asdf_file *file = open_for_update("text.asdf", &root);
    OK(asdf_node_set_f64(root, "meta/time", 140.2));
    OK(asdf_node_set_i64(root, "list/-", 4));
    char *text = slurp("text.asdf");
    CHECK(strstr(text, "139.8") != NULL);
    free(text);
    OK(asdf_file_save(file, NULL));
    text = slurp("text.asdf");
    CHECK(strstr(text, "# a remark\n%YAML") != NULL);
    CHECK(strstr(text, "\nmeta:   # about it\n  time: 140.2   # seconds\n  odd: !other/thing-1.0.0 {a: 1}\n") != NULL);
    CHECK(strstr(text, "\nlist: [1, 2 , 3, 4]\n...\n") != NULL);
    CHECK(strstr(text, "name: asdfkit") != NULL);
    free(text);

    /* Nodes stay valid, and the file can be changed again. */
    double seconds = 0;
    OK(asdf_node_get_f64(root, "meta/time", &seconds));
    CHECK(seconds == 140.2);
    OK(asdf_node_remove(root, "meta/odd"));
    OK(asdf_file_save(file, NULL));
    text = slurp("text.asdf");
    CHECK(strstr(text, "\nmeta:   # about it\n  time: 140.2   # seconds\nlist:") != NULL);
    free(text);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void nothing_changed(void) {
    put("same.asdf");
    asdf_node *root = NULL;
    asdf_file *file = open_for_update("same.asdf", &root);
    OK(asdf_file_save(file, NULL));
    char *text = slurp("same.asdf");
    CHECK(strncmp(text, head, strlen(head)) == 0 && strcmp(text + strlen(head), tree) == 0);
    free(text);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void arrays_are_added(void) {
    const int64_t shape[] = {3};
    const double old[] = {1, 2, 3}, new[] = {4, 5, 6};
    double found[3];
    asdf_node *root = NULL;
    asdf_array *array = NULL, *kept = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_array(root, "old", ASDF_FLOAT64, 1, shape, old, sizeof old, NULL));
    OK(asdf_file_write(file, "arrays.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);

    file = open_for_update("arrays.asdf", &root);
    OK(asdf_node_get_array(root, "old", &kept));
    OK(asdf_node_set_array(root, "new", ASDF_FLOAT64, 1, shape, new, sizeof new, NULL));
    for (int round = 0; round < 2; round++) {
        /* Before the save, and after it. */
        OK(asdf_node_get_array(root, "new", &array));
        OK(asdf_array_read(array, ASDF_FLOAT64, NULL, found, sizeof found, NULL, 0));
        CHECK(memcmp(found, new, sizeof new) == 0);
        asdf_array_free(array);
        OK(asdf_file_save(file, NULL));
    }
    OK(asdf_array_read(kept, ASDF_FLOAT64, NULL, found, sizeof found, NULL, 0));
    CHECK(memcmp(found, old, sizeof old) == 0);
    int64_t blocks = 0, absent = 0, stored = 0, decoded = 0;
    OK(asdf_file_block_count(file, &blocks));
    CHECK(blocks == 2);
    OK(asdf_file_verify(file, NULL, &absent, &stored, &decoded));
    CHECK(absent == 0 && stored == 2);
    OK(asdf_file_close(file));
    FAILS(ASDF_ERR_CLOSED, asdf_array_read(kept, ASDF_FLOAT64, NULL, found, sizeof found, NULL, 0));
    asdf_array_free(kept);
    asdf_node_free(root);
    asdf_file_free(file);
}

static asdf_options *save_mode(int32_t mode) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_SAVE_MODE, mode));
    return options;
}

static ino_t inode(const char *name) {
    struct stat status;
    CHECK(stat(name, &status) == 0);
    return status.st_ino;
}

static void saved_in_place(void) {
    const int64_t shape[] = {3};
    const double elements[] = {1, 2, 3};
    double found[3];
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    asdf_options *in_place = save_mode(ASDF_SAVE_IN_PLACE), *whole = save_mode(ASDF_SAVE_WHOLE);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(whole, ASDF_OPTION_SAVE_MODE, 3));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(whole, ASDF_OPTION_SAVE_MODE, -1));

    asdf_file *file = new_file(&root);
    OK(asdf_node_set_array(root, "old", ASDF_FLOAT64, 1, shape, elements, sizeof elements, NULL));
    OK(asdf_file_write(file, "place.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    ino_t before = inode("place.asdf");

    file = open_for_update("place.asdf", &root);
    OK(asdf_node_get_array(root, "old", &array));
    OK(asdf_node_set_i64(root, "number", 1));
    OK(asdf_file_save(file, in_place));
    OK(asdf_node_set_array(root, "new", ASDF_FLOAT64, 1, shape, elements, sizeof elements, NULL));
    OK(asdf_file_save(file, in_place));
    CHECK(inode("place.asdf") == before);
    OK(asdf_array_read(array, ASDF_FLOAT64, NULL, found, sizeof found, NULL, 0));
    CHECK(memcmp(found, elements, sizeof elements) == 0);
    asdf_array_free(array);

    /* Too much text for the room after the tree. */
    char *text = calloc(1, 3000);
    if (!text) exit(1);
    memset(text, 'x', 2999);
    OK(asdf_node_set_string(root, "text", text, 2999));
    FAILS(ASDF_ERR_NOT_IN_PLACE, asdf_file_save(file, in_place));
    CHECK(inode("place.asdf") == before);
    OK(asdf_file_save(file, NULL));
    CHECK(inode("place.asdf") != before);
    OK(asdf_node_remove(root, "text"));
    OK(asdf_file_save(file, whole));
    free(text);
    asdf_node_free(root);
    asdf_file_free(file);

    OK(asdf_file_open("place.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_node_get_array(root, "new", &array));
    OK(asdf_array_read(array, ASDF_FLOAT64, NULL, found, sizeof found, NULL, 0));
    CHECK(memcmp(found, elements, sizeof elements) == 0);
    int64_t number = 0;
    OK(asdf_node_get_i64(root, "number", &number));
    CHECK(number == 1);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(in_place);
    asdf_options_free(whole);
}

/* These journals are made by hand; tests/crash tests those that killed processes leave. */
static void journals(void) {
    static const char name[] = ".text.asdf.asdf-journal";
    put("text.asdf");
    asdf_file *file = NULL;
    for (int round = 0; round < 2; round++) {
        /* The journal is incomplete, so nothing was overwritten yet; or it is damaged. */
        const char *text = round == 0
                               ? "asdf undo log 2\nand"
                               : "asdf undo log 2\nand so on, for so long that it could be whole, and then even longer "
                                 "than that, but without any sense";
        FILE *journal = fopen(name, "wb");
        if (!journal || fputs(text, journal) < 0 || fclose(journal) != 0) exit(1);
        OK(asdf_file_open("text.asdf", NULL, &file));
        CHECK(file_warnings(file) == round);
        asdf_file_free(file);
        OK(asdf_file_open_for_update("text.asdf", NULL, &file));
        CHECK(file_warnings(file) == round);
        asdf_file_free(file);
        /* A journal that may still be needed is not removed. */
        CHECK((access(name, F_OK) == 0) == (round == 1));
    }
    OK(asdf_file_new(NULL, &file));
    OK(write_over(file, "text.asdf"));
    asdf_file_free(file);
    CHECK(access(name, F_OK) != 0);
}

static void refusals(void) {
    asdf_file *file = (asdf_file *)&file;
    asdf_node *root = NULL;
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_open_for_update("missing.asdf", NULL, &file));
    CHECK(file == NULL);

    file = new_file(&root);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_save(file, NULL));
    asdf_node_free(root);
    asdf_file_free(file);

    put("text.asdf");
    OK(asdf_file_open("text.asdf", NULL, &file));
    FAILS(ASDF_ERR_READ_ONLY, asdf_file_save(file, NULL));
    asdf_file_free(file);

    /* Another program saved first. */
    file = open_for_update("text.asdf", &root);
    OK(asdf_node_set_i64(root, "a", 1));
    CHECK(rename("text.asdf", "moved.asdf") == 0);
    put("text.asdf");
    FAILS(ASDF_ERR_FILE_CHANGED, asdf_file_save(file, NULL));
    char *text = slurp("text.asdf");
    CHECK(strstr(text, "\na: 1") == NULL);
    free(text);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_add_comment(file, "late", 4));

    /* A failed setter prevents writing, so that no file is incomplete by mistake. */
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_set_i64(root, "list/7", 1));
    FAILS(ASDF_ERR_INCOMPLETE, asdf_file_save(file, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
}

static void one_at_a_time(void) {
    put("text.asdf");
    asdf_node *root = NULL;
    asdf_file *other = NULL;
    asdf_file *file = open_for_update("text.asdf", &root);
    asdf_status status = asdf_file_open_for_update("text.asdf", NULL, &other);
    if (status == ASDF_OK) {
        printf("no locks in this file system\n");
        asdf_file_free(other);
        asdf_node_free(root);
        asdf_file_free(file);
        return;
    }
    FAILS(ASDF_ERR_LOCKED, status);

    /* The lock does not affect readers, nor programs that open without locks. */
    OK(asdf_file_open("text.asdf", NULL, &other));
    asdf_file_free(other);
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_LOCK, 0));
    OK(asdf_file_open_for_update("text.asdf", options, &other));
    asdf_file_free(other);
    asdf_options_free(options);

    /* The new file that replaced the old one is locked, too. */
    OK(asdf_node_set_i64(root, "a", 1));
    OK(asdf_file_save(file, NULL));
    FAILS(ASDF_ERR_LOCKED, asdf_file_open_for_update("text.asdf", NULL, &other));
    OK(asdf_file_close(file));
    OK(asdf_file_open_for_update("text.asdf", NULL, &other));
    asdf_file_free(other);
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    one_at_a_time();
    the_rest_stays();
    nothing_changed();
    arrays_are_added();
    saved_in_place();
    journals();
    refusals();
    return report();
}

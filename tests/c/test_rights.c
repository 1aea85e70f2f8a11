/* Rights of new files: at most those of the file that they replace, belong to or copy, from their creation on. */
#define _GNU_SOURCE
#include "check.h"
/* Included after the checks. */
#include "child.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#ifndef __linux__
int main(void) {
    printf("skipped: access control lists and attributes are kept on Linux only\n");
    return 0;
}
#else

enum { OWNER = 1234, GROUP_ID = 2345, NOBODY = 65534 };

/* Bits of the modes of all files that were created, and their number. */
static mode_t created;
static int creations;
static int lists_are_refused;

/* Definitions of the program take precedence over those of shared libraries. */
int open64(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
        created |= mode;
        creations++;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags) {
    if (lists_are_refused) return errno = ENOTSUP, -1;
    return (int)syscall(SYS_fsetxattr, descriptor, name, value, size, flags);
}

static struct stat of(const char *path) {
    struct stat found;
    if (stat(path, &found) != 0) {
        fprintf(stderr, "no file %s\n", path);
        exit(1);
    }
    return found;
}

static unsigned mode_of(const char *path) {
    return of(path).st_mode & 07777;
}

/* Access control lists ----------------------------------------------------------------------------------------- */

struct entry {
    uint16_t tag, permissions;
    uint32_t id;
};
struct list {
    uint32_t version;
    struct entry entries[5];
};

/* A user may read and write, the group may only read: the mode bits are those of the mask. */
static const struct list shared = {2, {{1, 6, ~0U}, {2, 6, NOBODY}, {4, 4, ~0U}, {16, 6, ~0U}, {32, 0, ~0U}}};

static int set_list(const char *path, const char *kind) {
    return setxattr(path, kind, &shared, sizeof shared, 0) == 0;
}

static int has_list(const char *path) {
    struct list found;
    return getxattr(path, "system.posix_acl_access", &found, sizeof found) == sizeof found &&
           memcmp(&found, &shared, sizeof found) == 0;
}

static int has_no_list(const char *path) {
    return getxattr(path, "system.posix_acl_access", NULL, 0) < 0;
}

/* Ways to replace a file ---------------------------------------------------------------------------------------- */

static const int32_t numbers[] = {1, 2, 3, 4};
static const int64_t four[] = {4};

static asdf_file *content(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_array(root, "a", ASDF_INT32, 1, four, numbers, sizeof numbers, NULL));
    asdf_node_free(root);
    return file;
}

static void make(const char *path, mode_t mode) {
    asdf_file *file = content();
    remove(path);
    OK(asdf_file_write(file, path, NULL));
    asdf_file_free(file);
    if (chmod(path, mode) != 0) exit(1);
}

static void by_write(const char *path) {
    asdf_file *file = content();
    OK(write_over(file, path));
    asdf_file_free(file);
}

static void by_save(const char *path) {
    asdf_file *file = NULL;
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_SAVE_MODE, ASDF_SAVE_WHOLE));
    OK(asdf_file_open_for_update(path, NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_set_i64(root, "number", 1));
    OK(asdf_file_save(file, options));
    CHECK(file_warnings(file) == 0);
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void by_compact(const char *path) {
    asdf_file *file = NULL;
    OK(asdf_file_open_for_update(path, NULL, &file));
    OK(asdf_file_compact(file, NULL));
    asdf_file_free(file);
}

static void stream_rows(const char *path, int32_t storage) {
    asdf_file *file = content();
    asdf_options *options = replacing();
    asdf_stream *stream = NULL;
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, storage));
    OK(asdf_stream_create(file, path, "rows", ASDF_INT32, 1, four, options, &stream));
    OK(asdf_stream_push(stream, 1, numbers, sizeof numbers));
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    asdf_options_free(options);
    asdf_file_free(file);
}

static void by_stream(const char *path) {
    stream_rows(path, ASDF_STORAGE_INTERNAL);
}

static void by_external_stream(const char *path) {
    remove("replaced0000.asdf");
    stream_rows(path, ASDF_STORAGE_EXTERNAL);
    CHECK(mode_of("replaced0000.asdf") == mode_of(path));
}

static void copy_from(const char *source, const char *path,
                      asdf_status (*copy)(const asdf_file *, const char *, const asdf_options *)) {
    asdf_file *file = NULL;
    asdf_options *options = replacing(), *access = NULL;
    OK(asdf_options_new(&access));
    OK(asdf_options_set_int(access, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    OK(asdf_file_open(source, access, &file));
    OK(copy(file, path, options));
    asdf_options_free(options);
    asdf_options_free(access);
    asdf_file_free(file);
}

static void by_explode(const char *path) {
    make("source.asdf", 0644);
    remove("replaced0000.asdf");
    copy_from("source.asdf", path, asdf_file_explode);
    CHECK(mode_of("replaced0000.asdf") == mode_of(path));
}

static void by_implode(const char *path) {
    make("source.asdf", 0644);
    copy_from("source.asdf", path, asdf_file_implode);
}

static void by_recover(const char *path) {
    asdf_options *options = replacing();
    make("source.asdf", 0644);
    OK(asdf_file_recover("source.asdf", path, 0, options, NULL));
    asdf_options_free(options);
}

static void by_table(const char *path) {
    asdf_table *table = NULL;
    asdf_options *options = replacing();
    OK(asdf_table_new(4, &table));
    OK(asdf_table_add_column(table, "a", ASDF_INT32, 0, NULL, numbers, sizeof numbers, NULL, 0, NULL));
    OK(asdf_table_write_ecsv(table, path, options));
    asdf_options_free(options);
    asdf_table_free(table);
}

static const struct way {
    const char *name;
    void (*replace)(const char *path);
} ways[] = {
    {"write", by_write},     {"save", by_save},       {"compact", by_compact}, {"stream", by_stream},
    {"explode", by_explode}, {"implode", by_implode}, {"recover", by_recover}, {"external stream", by_external_stream},
    {"table", by_table},
};
enum { WAYS = sizeof ways / sizeof *ways };

static void replaced_files_keep_their_rights(void) {
    const char *path = "replaced.asdf";
    for (int i = 0; i < WAYS; i++) {
        int before = checks_failed;
        make(path, 0600);
        int lists_work = setxattr(path, "user.note", "kept", 4, 0) == 0;
        created = 0, creations = 0;
        ways[i].replace(path);
        CHECK(mode_of(path) == 0600);
        /* The sources of copies are made, too. */
        if (strcmp(ways[i].name, "explode") != 0 && strcmp(ways[i].name, "implode") != 0 &&
            strcmp(ways[i].name, "recover") != 0)
            CHECK(creations > 0 && (created & 077) == 0);
        char note[8] = "";
        CHECK(!lists_work || (getxattr(path, "user.note", note, sizeof note) == 4 && strcmp(note, "kept") == 0));

        make(path, 0600);
        if (set_list(path, "system.posix_acl_access")) {
            CHECK(mode_of(path) == 0660);
            ways[i].replace(path);
            CHECK(has_list(path) && mode_of(path) == 0660);
            lists_are_refused = 1;
            if (strcmp(ways[i].name, "save") != 0) ways[i].replace(path);
            lists_are_refused = 0;
            if (strcmp(ways[i].name, "save") != 0) CHECK(has_no_list(path) && mode_of(path) == 0640);
        } else {
            printf("skipped: no access control lists here\n");
        }
        if (checks_failed > before) fprintf(stderr, "  so it is with: %s\n", ways[i].name);
    }
    /* A link leads to the file that is replaced. Another name keeps the old file and its rights. */
    make(path, 0640);
    remove("link.asdf"), remove("other.asdf");
    CHECK(symlink(path, "link.asdf") == 0 && link(path, "other.asdf") == 0);
    by_write("link.asdf");
    CHECK(mode_of(path) == 0640 && mode_of("other.asdf") == 0640 && of("other.asdf").st_nlink == 1);
}

static void a_default_list_gives_nothing_to_replaced_files(void) {
    if (mkdir("shared", 0700) != 0 || !set_list("shared", "system.posix_acl_default")) return;
    make("shared/new.asdf", 0660);
    CHECK(has_list("shared/new.asdf"));
    CHECK(removexattr("shared/new.asdf", "system.posix_acl_access") == 0 && chmod("shared/new.asdf", 0640) == 0);
    by_write("shared/new.asdf");
    CHECK(has_no_list("shared/new.asdf") && mode_of("shared/new.asdf") == 0640);
    make("source.asdf", 0600);
    copy_from("source.asdf", "shared/copy.asdf", asdf_file_write);
    CHECK(has_no_list("shared/copy.asdf") && mode_of("shared/copy.asdf") == 0600);
    make("source.asdf", 0666);
    copy_from("source.asdf", "shared/open.asdf", asdf_file_write);
    CHECK(has_no_list("shared/open.asdf") && mode_of("shared/open.asdf") == 0640);
}

static void copies_have_at_most_the_rights_of_the_original(void) {
    static const struct { unsigned mode, copy; } cases[] = {{0600, 0600}, {0640, 0640}, {0444, 0644}, {0666, 0666}};
    for (int i = 0; i < 4; i++) {
        unsigned copy = cases[i].copy;
        make("original.asdf", cases[i].mode);
        remove("copy.asdf"), remove("part.asdf"), remove("part0000.asdf"), remove("whole.asdf"), remove("saved.asdf");
        created = 0;
        copy_from("original.asdf", "copy.asdf", asdf_file_write);
        copy_from("original.asdf", "part.asdf", asdf_file_explode);
        copy_from("part.asdf", "whole.asdf", asdf_file_implode);
        OK(asdf_file_recover("original.asdf", "saved.asdf", 0, NULL, NULL));
        CHECK((created & 0777) == copy);
        CHECK(mode_of("copy.asdf") == copy && mode_of("part.asdf") == copy && mode_of("part0000.asdf") == copy);
        CHECK(mode_of("whole.asdf") == copy && mode_of("saved.asdf") == copy);
    }
    /* A whole file has at most the rights of each of its parts. */
    CHECK(chmod("part0000.asdf", 0640) == 0);
    copy_from("part.asdf", "whole.asdf", asdf_file_implode);
    CHECK(mode_of("part.asdf") == 0666 && mode_of("whole.asdf") == 0666);
    remove("whole.asdf");
    copy_from("part.asdf", "whole.asdf", asdf_file_implode);
    CHECK(mode_of("whole.asdf") == 0640);

    make("original.asdf", 0660);
    remove("copy.asdf");
    if (set_list("original.asdf", "system.posix_acl_access")) {
        copy_from("original.asdf", "copy.asdf", asdf_file_write);
        CHECK(has_no_list("copy.asdf") && mode_of("copy.asdf") == 0640);
    }
    make("new.asdf", 0600);
    remove("new.asdf");
    by_write("new.asdf");
    CHECK(mode_of("new.asdf") == 0666);
    umask(027);
    remove("new.asdf");
    by_write("new.asdf");
    CHECK(mode_of("new.asdf") == 0640);
    umask(0);
}

/* An array that is copied and encoded anew is the content of the original, too. */
static void encoded_copies_have_at_most_the_rights_of_the_original(void) {
    static const char *const codecs[] = {NULL, "zlib", "lz4"};
    for (int i = 0; i < 9; i++) {
        asdf_options *options = NULL, *recompressed = NULL;
        OK(asdf_options_new(&options));
        OK(asdf_options_new(&recompressed));
        OK(set_codec(options, codecs[i / 3], -1));
        asdf_node *root = NULL, *from = NULL;
        asdf_file *file = new_file(&root), *source = NULL;
        OK(asdf_node_set_array(root, "a", ASDF_INT32, 1, four, numbers, sizeof numbers, options));
        remove("original.asdf"), remove("copy.asdf");
        OK(asdf_file_write(file, "original.asdf", NULL));
        asdf_node_free(root), asdf_file_free(file);
        CHECK(chmod("original.asdf", 0600) == 0);

        OK(asdf_file_open("original.asdf", NULL, &source));
        asdf_node *whole = root_of(source);
        OK(asdf_node_get(whole, "a", &from));
        asdf_node_free(whole);
        file = new_file(&root);
        OK(asdf_node_copy(root, "copy", from, NULL));
        OK(set_codec(recompressed, codecs[i % 3], -1));
        OK(asdf_node_recompress_array(root, "copy", recompressed));
        OK(asdf_file_write(file, "copy.asdf", NULL));
        CHECK(mode_of("copy.asdf") == 0600);
        asdf_options_free(options), asdf_options_free(recompressed);
        asdf_node_free(root), asdf_node_free(from);
        asdf_file_free(source), asdf_file_free(file);
    }
}

static void a_journal_has_the_rights_of_the_file(void) {
    asdf_file *file = NULL;
    asdf_array *array = NULL;
    const int64_t start[] = {0}, count[] = {1};
    const char *journal = ".replaced.asdf.asdf-journal";
    for (int with_list = 0; with_list < 2; with_list++) {
        make("replaced.asdf", 0640);
        if (with_list && !set_list("replaced.asdf", "system.posix_acl_access")) continue;
        created = 0;
        OK(asdf_file_open_for_update("replaced.asdf", NULL, &file));
        asdf_node *root = root_of(file);
        OK(asdf_node_get_array(root, "a", &array));
        OK(asdf_array_write_region(array, 1, start, count, NULL, ASDF_INT32, numbers + 2, 4, NULL));
        CHECK((created & 077) == 0 && mode_of(journal) == mode_of("replaced.asdf"));
        CHECK(with_list ? has_list(journal) : has_no_list(journal));
        free_file(&file, &root, &array);
    }
}

/* Other owners, as root ------------------------------------------------------------------------------------------ */

static void owners_are_kept(void) {
    for (int i = 0; i < WAYS; i++) {
        make("replaced.asdf", 0640);
        CHECK(chown("replaced.asdf", OWNER, GROUP_ID) == 0 && chmod("replaced.asdf", 06640) == 0);
        ways[i].replace("replaced.asdf");
        struct stat found = of("replaced.asdf");
        CHECK(found.st_uid == OWNER && found.st_gid == GROUP_ID && (found.st_mode & 07777) == 06640);
    }
    remove("replaced.asdf");
    /* Root's copy belongs to another group, which may not read it. */
    make("original.asdf", 0640);
    CHECK(chown("original.asdf", OWNER, GROUP_ID) == 0);
    remove("copy.asdf");
    created = 0;
    copy_from("original.asdf", "copy.asdf", asdf_file_write);
    CHECK(mode_of("copy.asdf") == 0600 && (created & 077) == 0);
}

static void replace_as_nobody(void) {
    static const struct {
        const char *path;
        unsigned mode;
        gid_t group;
    } cases[] = {{"nobody-group.asdf", 0660, GROUP_ID},
                 {"nobody-read.asdf", 0644, NOBODY},
                 {"nobody-private.asdf", 0600, NOBODY},
                 {"nobody-odd.asdf", 0600, NOBODY},
                 {"nobody-set.asdf", 0755, NOBODY}};
    gid_t member = GROUP_ID;
    CHECK(setgroups(1, &member) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0);
    CHECK(setresuid(NOBODY, NOBODY, NOBODY) == 0);
    for (int i = 0; i < 5; i++) {
        asdf_file *file = content();
        created = 0;
        OK(write_over(file, cases[i].path));
        struct stat found = of(cases[i].path);
        CHECK((created & 077) == 0 && found.st_uid == NOBODY && found.st_gid == cases[i].group);
        if ((found.st_mode & 07777) != cases[i].mode)
            fprintf(stderr, "%s has the mode %o\n", cases[i].path, (unsigned)found.st_mode & 07777);
        CHECK((found.st_mode & 07777) == cases[i].mode);
        /* The owner is lost, and the file says so. */
        char text[400] = "";
        asdf_report *warnings = report_of_file(file);
        CHECK(report_count(warnings) == 1);
        OK(asdf_report_text(warnings, 0, ASDF_REPORT_MESSAGE, text, sizeof text, NULL));
        CHECK(strstr(text, "the owner (user 0)"));
        asdf_report_free(warnings);
        asdf_file_free(file);
    }
}

static void others_get_no_more(void) {
    static const struct {
        const char *path;
        unsigned mode;
        gid_t group;
    } cases[] = {{"nobody-group.asdf", 0660, GROUP_ID},
                 {"nobody-read.asdf", 0664, 0},
                 {"nobody-private.asdf", 0640, 0},
                 {"nobody-odd.asdf", 0604, 0},
                 {"nobody-set.asdf", 06775, 0}};
    for (int i = 0; i < 5; i++) {
        make(cases[i].path, 0600);
        CHECK(chown(cases[i].path, 0, cases[i].group) == 0 && chmod(cases[i].path, cases[i].mode) == 0);
    }
    in_child("replace as nobody", replace_as_nobody);
}

int main(void) {
    char folder[] = "/tmp/asdfkit-rights-XXXXXX";
    umask(0);
    if (!mkdtemp(folder) || chmod(folder, 0777) != 0 || chdir(folder) != 0) exit(1);
    replaced_files_keep_their_rights();
    a_default_list_gives_nothing_to_replaced_files();
    copies_have_at_most_the_rights_of_the_original();
    encoded_copies_have_at_most_the_rights_of_the_original();
    a_journal_has_the_rights_of_the_file();
    if (geteuid() == 0) {
        owners_are_kept();
        others_get_no_more();
    } else {
        printf("skipped: only root can make files of other owners\n");
    }
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0) exit(1);
    return report();
}
#endif

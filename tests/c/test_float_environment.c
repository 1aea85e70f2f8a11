/* Calls compute in the default floating-point environment, callbacks in that of the program, which calls leave as it
   was: rounding direction, traps, flags. */
#define _GNU_SOURCE
#include "check.h"
#include <fenv.h>
#include <float.h>
#include <math.h>

enum { COUNT = 5 };

/* An environment of a program. */
struct environment {
    const char *name;
    int rounding, traps;
};

static struct environment now;
static int callbacks;

static void enter(struct environment wanted) {
    now = wanted;
    fesetround(wanted.rounding);
#ifdef __GLIBC__
    feenableexcept(wanted.traps);
#endif
}

/* Checks that the environment is that of the program. */
static void check_environment(void) {
    CHECK(fegetround() == now.rounding);
#ifdef __GLIBC__
    CHECK(fegetexcept() == now.traps);
#endif
}

static asdf_status read_elements(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    check_environment();
    callbacks |= 1;
    memcpy(buffer, (const char *)user + offset, size);
    *got = size;
    return ASDF_OK;
}

static asdf_status close_elements(void *user) {
    (void)user;
    check_environment();
    callbacks |= 2;
    return ASDF_OK;
}

static int32_t see_progress(void *user, int64_t done, int64_t total) {
    (void)user, (void)done, (void)total;
    check_environment();
    callbacks |= 4;
    return 0;
}

static asdf_status copy_payload(void *user, const void *from, size_t size, void *to, size_t capacity, size_t *made) {
    (void)user;
    check_environment();
    callbacks |= 8;
    *made = size;
    if (size > capacity) return ASDF_ERR_BUFFER_TOO_SMALL;
    memcpy(to, from, size);
    return ASDF_OK;
}

/* Elements that overflow and that are not numbers, through a file with a codec of the program. */
static void arrays(const double *values) {
    const int64_t shape[] = {COUNT};
    float narrow[COUNT] = {0};
    int32_t integers[COUNT];
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    asdf_codec *codec = NULL;
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_codec_new("copy", copy_payload, copy_payload, NULL, NULL, &codec));
    OK(asdf_options_add_codec(options, codec));
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_array_callback(root, "v", ASDF_FLOAT64, 1, shape, read_elements, close_elements, (void *)values,
                                    NULL));
    OK(asdf_node_set_array(root, "c", ASDF_FLOAT64, 1, shape, values, COUNT * sizeof *values, options));
    OK(write_over(file, "floats.asdf"));
    free_file(&file, &root, &array);

    OK(asdf_file_open("floats.asdf", options, &file));
    root = root_of(file);
    asdf_options_free(options);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 2));
    OK(asdf_options_set_progress(options, see_progress, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        OK(asdf_node_get_array(root, i == 0 ? "v" : "c", &array));
        OK(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 0));
        FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(array, ASDF_FLOAT32, NULL, narrow, sizeof narrow, NULL, 0));
        FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(array, ASDF_INT32, options, integers, sizeof integers, NULL, 0));
        OK(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 1));
        OK(asdf_array_read(array, ASDF_FLOAT32, options, narrow, sizeof narrow, NULL, 0));
        static const float clamped[] = {0.1F, FLT_MAX, 0, -0.1F};
        CHECK(memcmp(narrow, clamped, sizeof clamped) == 0);
        asdf_array_free(array);
        array = NULL;
    }
    asdf_options_free(options);
    asdf_codec_free(codec);
    free_file(&file, &root, &array);
}

/* Texts of numbers, in trees and tables. */
static void texts(const double *values) {
    asdf_node *root = NULL;
    asdf_table *table = NULL, *again = NULL;
    double back[COUNT];
    float narrow[COUNT];
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_f64(root, "x", values[0]));
    TEXT("0.1", asdf_node_get_text, root, "x");
    asdf_node_free(root);
    asdf_file_free(file);
    file = open_tree("{a: 0.1, b: 2.2250738585072011e-308, c: [0.1, 1.0e+300, .nan], d: 1e999}\n");
    root = root_of(file);
    OK(asdf_node_get_f64(root, "a", back));
    OK(asdf_node_get_f64(root, "b", back + 1));
    CHECK(back[0] == values[0] && back[1] == 2.2250738585072011e-308);
    asdf_node_free(root);
    asdf_file_free(file);

    asdf_options *options = replacing();
    OK(asdf_table_new(COUNT, &table));
    OK(asdf_table_add_column(table, "v", ASDF_FLOAT64, 0, NULL, values, COUNT * sizeof *values, NULL, 0, NULL));
    OK(asdf_table_write_ecsv(table, "floats.ecsv", options));
    OK(asdf_table_read_ecsv("floats.ecsv", NULL, &again));
    OK(asdf_table_read_column(again, "v", 0, -1, ASDF_FLOAT64, NULL, back, sizeof back, NULL, 0));
    CHECK(memcmp(back, values, sizeof back) == 0);
    FAILS(ASDF_ERR_OVERFLOW,
          asdf_table_read_column(table, "v", 0, -1, ASDF_FLOAT32, NULL, narrow, sizeof narrow, NULL, 0));
    asdf_options_free(options);
    asdf_table_free(again);
    asdf_table_free(table);
}

int main(void) {
    static const struct environment environments[] = {
        {"default", FE_TONEAREST, 0},
        {"traps", FE_TONEAREST, FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW},
        {"all traps, upward", FE_UPWARD, FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT},
        {"downward", FE_DOWNWARD, 0},
    };
    const double values[COUNT] = {0.1, 1e300, 5e-324, -0.1, NAN};
    fenv_t before;
    fegetenv(&before);
    for (size_t i = 0; i < sizeof environments / sizeof *environments; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        callbacks = 0;
        enter(environments[i]);
        arrays(values);
        texts(values);
        check_environment();
        fesetenv(&before);
        if (callbacks != 15) fprintf(stderr, "%s: callbacks %d\n", environments[i].name, callbacks);
        CHECK(callbacks == 15);
    }
    /* Calls raise no flags and clear none. */
    enter(environments[0]);
    feclearexcept(FE_ALL_EXCEPT);
    arrays(values);
    texts(values);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == 0);
    feraiseexcept(FE_DIVBYZERO);
    texts(values);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
    return report();
}

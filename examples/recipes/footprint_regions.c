/* Writes the footprints of images as a region file of DS9: footprint_regions FILE... > images.reg */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

/* Prints the polygon of one image. The frame of the coordinates stands before it, such as icrs. */
static int print_footprint(const char *name) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_wcs *wcs = NULL;
    int64_t frames = 0, corners = 0, axes = 0;
    double sky[8];
    char frame[32];
    if (asdf_file_open(name, NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_get_wcs(root, "meta/wcs", NULL, &wcs) || asdf_wcs_frame_count(wcs, &frames)) return report();
    if (asdf_wcs_frame_reference(wcs, frames - 1, frame, sizeof frame, NULL)) return report();
    if (asdf_wcs_footprint(wcs, 0, sky, 8, &corners, &axes)) return report();
    printf("%s; polygon(", frame);
    for (int i = 0; i < 8; i++) printf("%s%.8f", i ? ", " : "", sky[i]);
    printf(") # text={%s}\n", name);
    asdf_wcs_free(wcs);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    puts("# Region file format: DS9");
    for (int i = 1; i < argc; i++)
        if (print_footprint(argv[i])) return 1;
    return 0;
}

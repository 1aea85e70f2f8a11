/* Converts a pixel of an image to a position on the sky, and back: sky_position FILE X Y */
#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_wcs *wcs = NULL;
    double ra, dec, x, y;
    if (argc != 4) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_get_wcs(root, "meta/wcs", NULL, &wcs)) return report();
    if (asdf_wcs_sky_at(wcs, atof(argv[2]), atof(argv[3]), NULL, &ra, &dec)) return report();
    if (asdf_wcs_pixel_at(wcs, ra, dec, NULL, &x, &y)) return report();
    printf("ra %.6f, dec %.6f: pixel %.3f, %.3f\n", ra, dec, x, y);
    asdf_wcs_free(wcs);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}

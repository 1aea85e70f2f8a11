/* Gives an image the WCS of the cards in a file: add_wcs FILE CARDS */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    static char cards[1 << 20];
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_wcs *wcs = NULL;
    double ra, dec;
    if (argc != 3) return 2;
    FILE *header = fopen(argv[2], "rb");
    if (!header) {
        perror(argv[2]);
        return 1;
    }
    size_t length = fread(cards, 1, sizeof cards, header);
    fclose(header);
    if (asdf_file_open_for_update(argv[1], NULL, &file) || asdf_file_root(file, &root) ||
        asdf_node_set_wcs_cards(root, "wcs", cards, length, NULL) || asdf_file_save(file, NULL) ||
        asdf_node_get_wcs(root, "wcs", NULL, &wcs) || asdf_wcs_sky_at(wcs, 0, 0, NULL, &ra, &dec))
        return report();
    printf("first pixel at %.6f, %.6f\n", ra, dec);
    asdf_wcs_free(wcs);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}

#include "files.h"

int main(void) {
    CHECK(system("./program 2>message") != 0);
    CHECK(system("grep -q 'image.asdf: cannot open the file' message") == 0);
    put_image_file();
    CHECK(system("./program") == 0);
    return report();
}

// Two translation units of one program include all headers: no definition collides.
#include "check.hpp"

#include <asdf.hpp>
#include <vector>

asdf::file make_file();

int main() {
    const asdf::file file = make_file();
    EQUAL(file["a"].get<int>(), 7);
    EQUAL(file["data"].array().read<float>()[1], 2.0F);
    FAILS(ASDF_ERR_NOT_FOUND, "", file["b"].get<int>());
    return report();
}

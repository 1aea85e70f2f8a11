// Second translation unit of test_one_definition: includes all headers again and uses the same templates.
#include <asdf.hpp>
#include <vector>

asdf::file make_file();
asdf::file make_file() {
    asdf::file file;
    file["a"] = 7;
    file["data"].set(std::vector<float>{1, 2}, {2}, asdf::compression::zlib);
    return file;
}

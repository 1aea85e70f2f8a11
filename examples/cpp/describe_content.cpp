// Describes the content of a file in NDL: describe_content FILE
#include <asdf.hpp>
#include <iostream>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    std::cout << asdf::ndl::describe(asdf::file::open(argv[1])).to_text();
} catch (const asdf::error &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}

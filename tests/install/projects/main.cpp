// First C++ program of another project: prints the version, opens a file, reads one value.
#include <asdf.hpp>
#include <cstdio>
#include <exception>

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    try {
        asdf::file file = asdf::file::open(argv[1]);
        std::printf("asdfkit %s: %.1f s\n", asdf_library_version(), file["meta/exposure/time"].get<double>());
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

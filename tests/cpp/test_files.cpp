// Files: making, opening, writing, saving, history, warnings, blocks, damage. lz.asdf comes from Python asdf.
#include "check.hpp"

#include <array>
#include <asdf.hpp>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

static std::string content(const char *name) {
    std::ifstream stream(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

static std::vector<int> numbers() {
    std::vector<int> values(1000);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

static void writing() {
    asdf::new_options old;
    old.standard = "1.5.0";
    asdf::file out(old);
    out["data"].set(numbers(), {1000}, asdf::compression::zlib);
    out["copy"].set(numbers(), {10, 100});
    out.add_comment("made by a test");
    out.add_history("flat field divided", asdf::software{"pipeline", "2.1"}, "2027-01-31T04:05:06Z");
    out.add_history("renamed");
    EQUAL(out.standard(), "1.5.0");
    EQUAL(out.block_count(), 2);
    out.write(std::filesystem::path("written.asdf"));
    FAILS(ASDF_ERR_FILE_EXISTS, "written.asdf", out.write("written.asdf"));
    asdf::write_options options;
    options.replace = true;
    options.checksums = false;
    out.write("written.asdf", options);
    FAILS(ASDF_ERR_FILE_NOT_FOUND, "nowhere", out.write("nowhere/written.asdf"));

    const asdf::file in = asdf::file::open("written.asdf");
    EQUAL(in.name(), "written.asdf");
    EQUAL(in.format_version(), "1.0.0");
    CHECK(in.transfers().requests == 0 && in.transfers().bytes == 0);
    EQUAL(in.declared_standard(), "1.5.0");
    CHECK((in.comments() == std::vector<std::string>{"ASDF_STANDARD 1.5.0", "made by a test"}));
    EQUAL(in.history()->size(), 2);
    EQUAL(in.history()->at("0/description").get<std::string>(), "flat field divided");
    EQUAL(in.history()->at("0/software/version").get<std::string>(), "2.1");
    CHECK(!asdf::file().history());
    EQUAL(in.report().size(), 0);
    CHECK(in["data"].array().read<int>() == numbers());
    const asdf::file copy = in;
    EQUAL(copy["copy"].array().read<int>().back(), 999);

    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out.add_comment("two\nlines"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out.add_history("x", std::nullopt, "yesterday"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out.save());
    old.standard = "9.9.9";
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", asdf::file(old));
}

static void opening() {
    const std::string bytes = content("written.asdf");
    CHECK(asdf::file::open_memory(bytes)["data"].array().size() == 1000);
    bool released = false;
    {
        const asdf::file lent = asdf::file::open_borrowed(bytes.data(), bytes.size(), [&] { released = true; });
        CHECK(lent["data"].array().size() == 1000 && !released);
    }
    CHECK(released);
    released = false;
    FAILS(ASDF_ERR_NOT_ASDF, "", asdf::file::open_borrowed("none", 4, [&] { released = true; }));
    CHECK(!released);
    CHECK(asdf::file::open_borrowed(bytes.data(), bytes.size())["copy"].exists());
    const int descriptor = ::open("written.asdf", O_RDONLY);
    CHECK(asdf::file::open_descriptor(descriptor)["data"].exists());
    ::close(descriptor);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", asdf::file::open_descriptor(-1));
    FAILS(ASDF_ERR_NOT_ASDF, "", asdf::file::open_memory("no file", 7));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, "none.asdf", asdf::file::open("none.asdf"));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, "none.asdf", asdf::file::open_for_update("none.asdf"));
    asdf::file closed = asdf::file::open("written.asdf");
    closed.close();
    FAILS(ASDF_ERR_CLOSED, "", closed["data"].array());
    asdf::open_options options;
    options.verify_checksums = true;
    options.limits.tree_bytes = 10;
    FAILS(ASDF_ERR_LIMIT, "", asdf::file::open("written.asdf", options));
}

static void saving() {
    asdf::file file = asdf::file::open_for_update("written.asdf");
    FAILS(ASDF_ERR_LOCKED, "", asdf::file::open_for_update("written.asdf"));
    file["meta/observer"] = "N. Roman";
    file["data"].recompress(asdf::compression::lz4);
    file["copy"].array().region({2, 0}, {1, 2}).write(std::vector<short>{-1, -2});
    file["copy"].array().region({3, 0}, {2, 100}).fill(7);
    // More elements are meant for a larger region.
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "the elements of the region take 4 bytes, but 8 bytes are given",
          file["copy"].array().region({2, 0}, {1, 2}).write(std::vector<short>{-3, -4, -5, -6}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "",
          file["copy"].array().write(std::vector<int>(static_cast<std::size_t>(file["copy"].array().size()) + 1)));
    file.save();
    EQUAL(asdf::file::open("written.asdf")["meta/observer"].get<std::string>(), "N. Roman");
    CHECK((file["copy"].array().region({2, 0}, {3, 2}).read<int>() == std::vector<int>{-1, -2, 7, 7, 7, 7}));
    file["copy"].resize({2, 3});
    file["data"].resize({1001}, std::int32_t{-5});
    file.save();
    CHECK((file["copy"].array().read<int>() == std::vector<int>{0, 1, 2, 100, 101, 102}));
    EQUAL(file["data"].array().read<int>().back(), -5);
    const auto size = std::filesystem::file_size("written.asdf");
    file.compact();
    CHECK(std::filesystem::file_size("written.asdf") < size);
    const asdf::repaired repaired = file.repair(asdf::repair::index | asdf::repair::absent_checksums);
    CHECK(!repaired.index && repaired.checksums == file.block_count());
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", file.repair(static_cast<asdf::repair>(1024)));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", file["copy"].resize({2}));
    file.forget_failure();
    FAILS(ASDF_ERR_UNSUPPORTED, "", file["data"].array().write(std::vector<int>(1001)));
    FAILS(ASDF_ERR_READ_ONLY, "", asdf::file::open("input.asdf")["image"].array().write(std::vector<int>(12)));
    FAILS(ASDF_ERR_READ_ONLY, "", asdf::file::open("input.asdf")["image"].recompress(asdf::compression::zlib, 3));
    FAILS(ASDF_ERR_READ_ONLY, "", asdf::file::open("input.asdf").compact());
}

static void texts_are_overwritten() {
    using std::string;
    using std::vector;
    asdf::write_options replace;
    replace.replace = true;
    asdf::file out;
    out["name"].set(vector<string>{"NGC 1300", "M 31", "M 33", "M 51"}, {2, 2});
    out["word"].set(vector<string>{"日本語", "", "é"}, {3});
    out.write("texts.asdf", replace);
    asdf::file file = asdf::file::open_for_update("texts.asdf");
    const asdf::array names = file["name"].array(), words = file["word"].array();
    names.region({0, 0}, {1, 2}).write(vector<string>{"M 81", ""});
    names.region({1, 1}, {1, 1}).write(vector<std::string_view>{"M 101"});
    words.region({1}, {2}).write(std::array<const char *, 2>{"日", "abc"});
    FAILS(ASDF_ERR_OVERFLOW, "", names.region({0, 0}, {1, 1}).write(vector<string>{"a longer text"}));
    FAILS(ASDF_ERR_ENCODING, "not ASCII", names.region({0, 0}, {1, 1}).write(vector<string>{"é"}));
    FAILS(ASDF_ERR_ENCODING, "", words.region({0}, {1}).write(vector<string>{"\xff"}));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, "", words.region({0}, {2}).write(vector<string>{"a"}));
    asdf::write_region_options strided;
    strided.strides = vector<std::int64_t>{32};
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "strides must be 0", words.write(vector<string>{"a", "b", "c"}, strided));
    file.save();
    const asdf::file in = asdf::file::open("texts.asdf");
    CHECK((in["name"].array().read<string>() == vector<string>{"M 81", "", "M 33", "M 101"}));
    CHECK((in["word"].array().read<string>() == vector<string>{"日本語", "日", "abc"}));
    words.region({0}, {2}).fill("été");
    names.write(vector<string>(4));
    file.save();
    CHECK((words.read<string>() == vector<string>{"été", "été", "abc"}));
    CHECK((names.read<string>() == vector<string>(4)));
}

static void storage() {
    asdf::file out;
    out["a"].set(numbers(), {1000});
    out["b"].set({1, 2, 3}, {3});
    out["a"].set_storage(asdf::storage::external);
    out["b"].set_storage(asdf::storage::inline_);
    out.write("external.asdf");
    FAILS(ASDF_ERR_EXTERNAL_REFERENCE, "", asdf::file::open("external.asdf")["a"].array().read<int>());
    asdf::open_options options;
    options.access = asdf::access::same_directory;
    const asdf::file in = asdf::file::open("external.asdf", options);
    CHECK(in["a"].array().read<int>() == numbers() && in["b"].array().is_inline());
    in.implode("imploded.asdf");
    EQUAL(asdf::file::open("imploded.asdf").block_count(), 1 + asdf::file::open("external.asdf").block_count());
    asdf::file::open("imploded.asdf").explode("exploded.asdf");
    CHECK(std::filesystem::exists("exploded0000.asdf"));
    FAILS(ASDF_ERR_FILE_EXISTS, "", in.implode("imploded.asdf"));
    FAILS(ASDF_ERR_FILE_EXISTS, "", asdf::file::open("imploded.asdf").explode("exploded.asdf"));
    FAILS(ASDF_ERR_NOT_FOUND, "", out["c"].set_storage(asdf::storage::internal));
}

static void chunks() {
    asdf::file out;
    asdf::store_options growing;
    growing.chunks = {2, 3, 4};
    growing.codec = asdf::compression::zlib;
    out["run/heat"].set_zeros<float>({0, 3, 4}, growing);
    asdf::array_options options;
    options.chunks = {300};
    options.chunk_codec = "gzip";
    options.chunk_filters = {"delta", "shuffle"};
    options.threads = 2;
    out["z"].set(numbers(), {1000}, options);
    EQUAL(out["z/.zarray/filters/1/id"].get<std::string>(), "shuffle");
    options.chunk_codec = "gunzip";
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "gunzip", out["y"].set(numbers(), {1000}, options));
    out.forget_failure();
    asdf::write_options replacing;
    replacing.replace = true;
    out.write("chunked.asdf", replacing);
    asdf::file file = asdf::file::open_for_update("chunked.asdf");
    for (int step = 0; step < 5; step++) {
        file["run/heat"].array().append(1, std::vector<float>(12, static_cast<float>(step)));
        file.save();
        const std::vector<float> read = asdf::file::open("chunked.asdf")["run/heat"].array().read<float>();
        EQUAL(read.size(), 12U * (static_cast<std::size_t>(step) + 1));
        EQUAL(read.back(), static_cast<float>(step));
    }
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, "", file["run/heat"].array().append(2, std::vector<float>(12)));
    file["run/heat"].resize({2, 3, 4});
    EQUAL(file["run/heat"].array().read<float>().size(), 24U);
    CHECK(file["z"].array().read<int>() == numbers());
}

static void blocks() {
    const asdf::file file = asdf::file::open("lz.asdf");
    const std::vector<asdf::block> blocks = file.blocks();
    CHECK(blocks.size() == 1 && blocks[0].compression == "zlib" && blocks[0].decoded_size == 4000);
    CHECK(blocks[0].stored_size < 4000 && blocks[0].offset > 0 && blocks[0].payload_offset > blocks[0].offset);
    CHECK(!blocks[0].is_streamed && blocks[0].checksum[0] + blocks[0].checksum[1] > 0);
    EQUAL(file.read_block(-1).size(), 4000U);
    EQUAL(file.read_stored_block(0).size(), static_cast<std::size_t>(blocks[0].stored_size));
    CHECK(file.read_block(0)[4] == std::byte{1});
    const asdf::verified_blocks verified = file.verify();
    EQUAL(verified.absent + verified.stored + verified.decoded, 1);
    CHECK(file.verify_block(0) == asdf::checksum::stored);
    file.check_blocks();
    const asdf::chunk_map map = file["data"].array().chunk_map();
    CHECK(map.size() == 1 && map.codec() == "zlib" && map.file() == "lz.asdf");
    CHECK(map[0].offset == blocks[0].payload_offset && map[0].decoded == 4000 && map[0].is_complete);
    CHECK((map.chunks()[0].shape == asdf::shape{1000} && map[0].origin == asdf::shape{0}));
    EQUAL(map[0].first_element, 0);
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", map[1]);
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, "", file.block(1));
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, "", file.read_block(1));
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, "", file.verify_block(1));
    asdf::file fresh;
    fresh["x"].set({1}, {1});
    FAILS(ASDF_ERR_UNSUPPORTED, "", fresh["x"].array().chunk_map());
}

static void damage() {
    std::string bytes = content("lz.asdf");
    std::ofstream("cut.asdf", std::ios::binary) << bytes.substr(0, bytes.size() / 2);
    const asdf::report losses = asdf::file::recover("cut.asdf", "recovered.asdf");
    CHECK(!losses.empty() && losses.dropped() == 0);
    bool found = false;
    for (const asdf::finding &loss : losses) {
        CHECK(loss.kind() == asdf::finding_kind::loss && !loss.text().empty() && loss.code().has_value());
        found = found || loss.path() == "/data";
    }
    CHECK(found);
    CHECK(losses.json().front() == '[' && !losses[0].operation() && losses[0].severity() == asdf::severity::error);
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", losses[losses.size()].severity());
    FAILS(ASDF_ERR_FILE_EXISTS, "", asdf::file::recover("cut.asdf", "recovered.asdf", asdf::recover::whole_blocks));
    std::ofstream("text.txt") << "no file";
    FAILS(ASDF_ERR_NOT_ASDF, "", asdf::file::recover("text.txt", "none.asdf"));
    const asdf::file file = asdf::file::open("lz.asdf");
    // The checksum in the header of the block: its last 16 bytes.
    bytes[static_cast<std::size_t>(file.block(0).payload_offset) - 1] ^= 1;
    std::ofstream("wrong.asdf", std::ios::binary) << bytes;
    FAILS(ASDF_ERR_CHECKSUM, "wrong.asdf", asdf::file::open("wrong.asdf").verify());
    const asdf::report damage = asdf::file::open("wrong.asdf").inspect();
    CHECK(damage.size() == 1 && damage[0].severity() == asdf::severity::error && damage[0].code() == "CHECKSUM");
    CHECK(file.inspect().empty());
    CHECK(asdf::file::open("wrong.asdf").verify_block(0) == asdf::checksum::mismatch);
    std::ofstream("broken.asdf") << "#ASDF 1.0.0\n%YAML 1.1\n---\na: 1\nb: [1, 2\n...\n";
    try {
        asdf::file::open("broken.asdf");
        CHECK(false);
    } catch (const asdf::error &problem) {
        CHECK(problem.status() == ASDF_ERR_YAML && problem.line() > 1 && problem.column() >= 1);
        CHECK(problem.offset() > 0 && problem.file() == "broken.asdf" && !problem.text().empty());
        EQUAL(std::string(problem.status_name()), "ASDF_ERR_YAML");
    }
    try {
        file["data"].get<int>();
        CHECK(false);
    } catch (const std::runtime_error &problem) {
        const auto &details = dynamic_cast<const asdf::error &>(problem);
        CHECK(details.path() == "/data" && details.os_number() == -1 && details.subject().empty());
    }
}

static void references() {
    for (const char *name : {"refs_1.asdf", "refs_2.asdf"}) {
        asdf::file file;
        file["data"] = std::vector<float>{1, 2, 3};
        asdf::write_options options;
        options.replace = true;
        file.write(name, options);
    }
    const std::vector<asdf::file> files = {asdf::file::open("refs_1.asdf"), asdf::file::open("refs_2.asdf")};
    const auto text = [](const asdf::buffer &bytes) {
        return std::string(static_cast<const char *>(static_cast<const void *>(bytes.data())), bytes.size());
    };
    asdf::references_options options;
    options.url = "s3://bucket/";
    CHECK(text(files[0].export_references(options)).find("\"s3://bucket/refs_1.asdf\"") != std::string::npos);
    CHECK(text(asdf::file::export_references_of(files)).find("\\\"shape\\\":[2,3]") != std::string::npos);
    options.root = "none";
    FAILS(ASDF_ERR_NOT_FOUND, "none", files[0].export_references(options));
}

static void schemas() {
    asdf::schemas all;
    const std::string uri = all.add_text("id: asdf://example.org/schemas/root-1.0.0\n"
                                         "properties:\n  a: {title: An entry, type: string, default: x}\n");
    EQUAL(uri, "asdf://example.org/schemas/root-1.0.0");
    CHECK(all.uris().size() == 2);
    asdf::file file;
    file["a"] = 1;
    CHECK(file.validate(all).empty());
    asdf::validate_options options;
    options.root_schema = uri;
    const asdf::report found = file.validate(all, options);
    CHECK(found.size() == 1 && found[0].severity() == asdf::severity::error && found[0].code() == "type");
    CHECK(file["a"].validate(all).empty());
    const asdf::description entry = file.root().describe(all, "a", options);
    CHECK(entry.title == "An entry" && entry.type == "string" && entry.default_value == "x" && !entry.unit);
    FAILS(ASDF_ERR_SCHEMA_NOT_FOUND, "no-such-package", all.add_package("no-such-package"));
    asdf::write_options checked;
    checked.schemas = all;
    checked.root_schema = uri;
    FAILS(ASDF_ERR_INVALID, "expected string", file.write("invalid.asdf", checked));
    checked.root_schema.reset();
    checked.replace = true;
    file.write("schemas.asdf", checked);
    asdf::open_options reading;
    reading.schemas = all;
    asdf::file::open("schemas.asdf", reading).close();
    reading.root_schema = uri;
    FAILS(ASDF_ERR_INVALID, "expected string", asdf::file::open("schemas.asdf", reading));
    asdf::table table(1);
    table.add_column("a", {1.5});
    CHECK(table.validate(all).empty());
    options.root_schema =
        all.add_text("{id: 'asdf://example.org/schemas/columns-1.0.0', properties: {datatype: {maxItems: 0}}}");
    CHECK(table.validate(all, options).size() == 1);
}

int main() {
    references();
    schemas();
    writing();
    opening();
    saving();
    texts_are_overwritten();
    storage();
    chunks();
    blocks();
    damage();
    return report();
}

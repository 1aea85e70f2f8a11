// ASDF files: opening, making, writing, saving, history, warnings, blocks.
#pragma once

#include "block.hpp"
#include "buffer.hpp"
#include "callback.hpp"
#include "enumerations.hpp"
#include "handle.hpp"
#include "node.hpp"
#include "options.hpp"
#include "report.hpp"
#include "results.hpp"
#include "text.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asdf {

/// Results of file::repair().
struct repaired {
    bool index = false;         ///< the block index was written
    std::int64_t checksums = 0; ///< number of blocks whose checksum was changed
};

/// Requests for bytes of a file.
struct transfers {
    /// Number of calls: for a server, each may need several requests of its protocol.
    std::int64_t requests = 0;
    /// Number of bytes asked for, with those that were read ahead.
    std::int64_t bytes = 0;
};

/// ASDF file: opened for reading or for update, or new. A copy is one more owner of the same file; nodes, arrays and
/// views keep it open, too. Several threads may read from one file at once; a change needs exclusive access.
///
///     asdf::file file = asdf::file::open("image.asdf");
///     double seconds = file["meta/exposure/time"].get<double>();
///
///     asdf::file out;
///     out["meta/telescope"] = "Roman";
///     out["data"].set(pixels, {512, 512}, asdf::compression::zlib);
///     out.write("copy.asdf");
class file {
  public:
    using handle_type = detail::handle<asdf_file, asdf_file_retain, asdf_file_free>;

    // Opening -----------------------------------------------------------------------------------------------------

    /// Makes a new file, whose tree contains only the name of this library.
    file() : file(new_options()) {}
    explicit file(const new_options &options) : root_(nullptr) {
        detail::check(asdf_file_new(detail::make_options(options).get(), handle_.out()));
        find_root();
    }

    /// Takes over a handle of the C interface.
    explicit file(asdf_file *owned) : handle_(owned), root_(nullptr) {
        find_root();
    }

    /// Opens a file for reading. Only its tree is read; blocks are read when a call needs them.
    static file open(const c_string &path, const open_options &options = {}) {
        return detail::made_by<file>(asdf_file_open, path.c_str(), detail::make_options(options).get());
    }

    /// Opens a file whose bytes a callable of the program reads.
    static file open(const byte_source &source, const open_options &options = {}) {
        handle_type made;
        detail::hand_over(source.read, [&](void *user) {
            return asdf_file_open_source(detail::read_source, detail::delete_callable<decltype(source.read)>, user,
                                         source.length, detail::make_options(options).get(), made.out());
        });
        return file(made.release());
    }

    /// Opens a file to change it. The file on disk does not change before save(); only region::write() writes earlier.
    static file open_for_update(const c_string &path, const update_options &options = {}) {
        return detail::made_by<file>(asdf_file_open_for_update, path.c_str(), detail::make_options(options).get());
    }

    /// Opens a file in memory. The bytes are copied.
    static file open_memory(const void *bytes, std::size_t size, const open_options &options = {}) {
        return detail::made_by<file>(asdf_file_open_memory, bytes, size, detail::make_options(options).get());
    }

    /// Opens a file in a contiguous container of bytes: std::vector, std::string, std::span, asdf::buffer. The bytes
    /// are copied.
    template <class Container, class T = detail::container_element<const Container>>
    static file open_memory(const Container &bytes, const open_options &options = {}) {
        static_assert(sizeof(T) == 1, "the elements of the container are not bytes");
        return open_memory(std::data(bytes), std::size(bytes), options);
    }

    /// Opens a file in memory that the program lends. The bytes must stay valid and unchanged until `release` is
    /// called: once, when the last of the file and all objects that depend on it (also views) is destroyed. `release`
    /// must not throw. Without it, the bytes must outlive all these objects.
    static file open_borrowed(const void *bytes, std::size_t size, std::function<void()> release = {},
                              const open_options &options = {}) {
        handle_type made;
        detail::hand_over(std::move(release), [&](void *user) {
            return asdf_file_open_borrowed(bytes, size, detail::call_release, user, detail::make_options(options).get(),
                                           made.out());
        });
        return file(made.release());
    }

    /// Opens the regular file behind a descriptor, from its first byte on. The descriptor is duplicated and stays open.
    static file open_descriptor(std::int32_t descriptor, const open_options &options = {}) {
        return detail::made_by<file>(asdf_file_open_descriptor, descriptor, detail::make_options(options).get());
    }

    /// Opens a file in memory to change it, and then to write it by write(), write_memory() or write_descriptor(). The
    /// bytes are copied.
    template <class Bytes> static file open_memory_for_update(const Bytes &bytes, const update_options &options = {}) {
        return detail::made_by<file>(asdf_file_open_memory_for_update, static_cast<const void *>(std::data(bytes)),
                                     std::size(bytes) * sizeof *std::data(bytes), detail::make_options(options).get());
    }

    /// Opens the regular file behind a descriptor to change it: by its name if it has one and the system is Linux,
    /// otherwise as open_memory_for_update(). The descriptor is duplicated and stays open.
    static file open_descriptor_for_update(std::int32_t descriptor, const update_options &options = {}) {
        return detail::made_by<file>(asdf_file_open_descriptor_for_update, descriptor,
                                     detail::make_options(options).get());
    }

    // Tree --------------------------------------------------------------------------------------------------------

    /// Returns the place at a path from the root. Nothing is looked up before the place is used.
    place operator[](const c_string &path) {
        return root_[path];
    }
    const place operator[](const c_string &path) const {
        return root_[path];
    }

    /// Returns the place of a pair of the root, whose key is no path; see node::operator[].
    place operator[](const key &key) {
        return root_[key];
    }
    const place operator[](const key &key) const {
        return root_[key];
    }

    /// Returns the root of the tree.
    node root() {
        return root_;
    }
    const node root() const {
        return root_;
    }

    /// Returns the node at a path; std::nullopt if nothing exists there.
    std::optional<node> find(const c_string &path) const {
        return root_.find(path);
    }

    /// Tests whether something exists at a path.
    bool contains(const c_string &path) const {
        return root_.contains(path);
    }

    // Writing -----------------------------------------------------------------------------------------------------

    /// Writes the file under a name. An existing file is ASDF_ERR_FILE_EXISTS unless options.replace is true; then it
    /// stays until the new one is complete. A file opened for reading is copied byte for byte.
    void write(const c_string &path, const write_options &options = {}) const {
        detail::check(asdf_file_write(handle_.get(), path.c_str(), detail::make_options(options).get()));
    }

    /// Returns the bytes of the file.
    buffer write_memory(const write_memory_options &options = {}) const {
        return detail::made_by<buffer>(asdf_file_write_memory, handle_.get(), detail::make_options(options).get());
    }

    /// Returns references to the arrays of this file, for readers of zarr: JSON (kerchunk, version 1). Its list `notes`
    /// under the key `asdfkit` names arrays that zarr cannot express.
    buffer export_references(const references_options &options = {}) const {
        return references_of(this, this + 1, options);
    }

    /// Returns references to the arrays of several files, which are joined in this order.
    template <class Files>
    static buffer export_references_of(const Files &files, const references_options &options = {}) {
        return references_of(std::begin(files), std::end(files), options);
    }

    /// Writes the file to a descriptor, from its current position on; pipes are allowed. It stays open.
    void write_descriptor(std::int32_t descriptor, const write_memory_options &options = {}) const {
        detail::check(asdf_file_write_descriptor(handle_.get(), descriptor, detail::make_options(options).get()));
    }

    /// Saves the changes of a file that was opened for update. Untouched parts of the tree keep their text.
    void save(const save_options &options = {}) {
        detail::check(asdf_file_save(handle_.get(), detail::make_options(options).get()));
    }

    /// Saves a file that was opened for update in its smallest form: without unused blocks and gaps.
    void compact(const save_options &options = {}) {
        detail::check(asdf_file_compact(handle_.get(), detail::make_options(options).get()));
    }

    /// Repairs the block index and checksums of a file that was opened for update: repair::index |
    /// repair::absent_checksums. Tree and payloads stay unchanged.
    repaired repair(asdf::repair what, const save_options &options = {}) {
        std::int32_t index = 0;
        repaired result;
        detail::check(asdf_file_repair(handle_.get(), static_cast<std::int32_t>(what),
                                       detail::make_options(options).get(), &index, &result.checksums));
        result.index = index != 0;
        return result;
    }

    /// Writes a copy in the exploded form: a main file, and a file for each block beside it.
    void explode(const c_string &path, const write_options &options = {}) const {
        detail::check(asdf_file_explode(handle_.get(), path.c_str(), detail::make_options(options).get()));
    }

    /// Writes a copy that contains the blocks of arrays in other files, which open_options must allow.
    void implode(const c_string &path, const write_options &options = {}) const {
        detail::check(asdf_file_implode(handle_.get(), path.c_str(), detail::make_options(options).get()));
    }

    /// Allows the file to be written although a setter failed. The value of that setter is missing in the file.
    void forget_failure() {
        detail::check(asdf_file_forget_failure(handle_.get()));
    }

    /// Writes the readable parts of a damaged file into a new file, and returns the losses.
    static asdf::report recover(const c_string &path, const c_string &new_path, const recover_options &options = {}) {
        return recover(path, new_path, static_cast<asdf::recover>(0), options);
    }
    static asdf::report recover(const c_string &path, const c_string &new_path, asdf::recover what,
                                const recover_options &options = {}) {
        return detail::made_by<asdf::report>(asdf_file_recover, path.c_str(), new_path.c_str(),
                                             static_cast<std::int32_t>(what), detail::make_options(options).get());
    }

    /// Closes the file immediately, even if other objects depend on it: their use is then ASDF_ERR_CLOSED, except for
    /// views. Throws asdf::error if the system reports one. Destroying the last owner closes the file, too.
    void close() {
        detail::check(asdf_file_close(handle_.get()));
    }

    // About the file ----------------------------------------------------------------------------------------------

    /// Returns the name under which the file was opened; empty if it was not opened by name.
    std::string name() const {
        return text(asdf_file_name);
    }

    /// Returns the version of the file format: "1.0.0".
    std::string format_version() const {
        return text(asdf_file_format_version);
    }

    /// Returns the version of the ASDF standard that the library uses for the file, such as "1.6.0".
    std::string standard() const {
        return text(asdf_file_standard);
    }

    /// Returns the version of the ASDF standard that the file declares; empty if it declares none.
    std::string declared_standard() const {
        return text(asdf_file_declared_standard);
    }

    /// Returns the comment lines before the tree, without "#" and surrounding blanks.
    std::vector<std::string> comments() const {
        std::int64_t count = 0;
        detail::check(asdf_file_comment_count(handle_.get(), &count));
        std::vector<std::string> lines;
        for (std::int64_t index = 0; index < count; ++index) {
            lines.push_back(detail::read_text(asdf_file_comment, handle_.get(), index));
        }
        return lines;
    }

    /// Adds a comment line before the tree of a new file.
    void add_comment(std::string_view line) {
        detail::check(asdf_file_add_comment(handle_.get(), line.data(), line.size()));
    }

    /// Returns the warnings so far: irregularities that do not prevent reading. Reading blocks can add some.
    asdf::report report() const {
        return detail::made_by<asdf::report>(asdf_file_report, handle_.get());
    }

    /// Returns the list of history entries; std::nullopt if the file has no history.
    std::optional<node> history() const {
        return detail::if_found([this] { return detail::made_by<node>(asdf_file_history, handle_.get()); });
    }

    /// Appends an entry to the history. The time has an offset, as in "2027-01-31T04:05:06Z"; empty is the current
    /// time.
    void add_history(std::string_view description, const std::optional<software> &program = std::nullopt,
                     const std::string &time = {}) {
        const auto optional = [](const std::string &text) { return text.empty() ? nullptr : text.c_str(); };
        detail::check(asdf_file_add_history(
            handle_.get(), description.data(), description.size(), optional(time),
            program ? program->name.c_str() : nullptr, program ? program->version.c_str() : nullptr,
            program ? optional(program->author) : nullptr, program ? optional(program->homepage) : nullptr));
    }

    /// Returns the list of the extensions that the file was written with, each with "extension_class", "extension_uri",
    /// "software"; std::nullopt if it lists none.
    std::optional<node> extensions() const {
        return detail::if_found([this] { return detail::made_by<node>(asdf_file_extensions, handle_.get()); });
    }

    /// Records an extension. An entry with the same URI, or without one with the same class, is replaced.
    void add_extension(const c_string &class_name, const std::string &uri = {},
                       const std::optional<software> &package = std::nullopt) {
        detail::check(asdf_file_add_extension(handle_.get(), class_name.c_str(), uri.empty() ? nullptr : uri.c_str(),
                                              package ? package->name.c_str() : nullptr,
                                              package ? package->version.c_str() : nullptr));
    }

    // Sources -----------------------------------------------------------------------------------------------------

    /// Returns how much was asked for so far from the server that this file is on, from the callbacks of a source, and
    /// for files that it refers to. Files on a disk have none.
    asdf::transfers transfers() const {
        asdf::transfers made;
        detail::check(asdf_file_transfers(handle_.get(), &made.requests, &made.bytes));
        return made;
    }

    // Blocks ------------------------------------------------------------------------------------------------------

    /// Returns the number of blocks.
    std::int64_t block_count() const {
        std::int64_t count = 0;
        detail::check(asdf_file_block_count(handle_.get(), &count));
        return count;
    }

    /// Returns the description of a block, from 0; negative numbers count from the end.
    asdf::block block(std::int64_t index) const {
        return detail::read_block_header(handle_.get(), index);
    }

    /// Returns the descriptions of all blocks.
    std::vector<asdf::block> blocks() const {
        const std::int64_t count = block_count();
        std::vector<asdf::block> all;
        for (std::int64_t index = 0; index < count; ++index) all.push_back(block(index));
        return all;
    }

    /// Checks the header of every block, so that report() is complete.
    void check_blocks() const {
        detail::check(asdf_file_check_blocks(handle_.get()));
    }

    /// Returns the decoded payload of a block.
    std::vector<std::byte> read_block(std::int64_t index, const call_options &options = {}) const {
        return payload(index, options, asdf_file_block_decoded_size, asdf_file_read_block);
    }

    /// Returns the stored payload of a block, without decoding it.
    std::vector<std::byte> read_stored_block(std::int64_t index, const call_options &options = {}) const {
        return payload(index, options, asdf_file_block_stored_size, asdf_file_read_block_stored);
    }

    /// Checks that the file is whole, and fails with the first problem: a block that is cut or does not match its
    /// checksum, an array that does not fit into its block, a reference that leads nowhere. Reads no elements.
    verified_blocks verify(const call_options &options = {}) const {
        verified_blocks found;
        detail::check(asdf_file_verify(handle_.get(), detail::make_options(options).get(), &found.absent, &found.stored,
                                       &found.decoded));
        return found;
    }

    /// Checks that the file is whole, and returns all findings: damage with the severity error, parts that cannot be
    /// checked and warnings of the file with the severity warning, and notes. Damage is not an error here.
    asdf::report inspect(const call_options &options = {}) const {
        return detail::made_by<asdf::report>(asdf_file_inspect, handle_.get(), detail::make_options(options).get());
    }

    /// Validates the tree by schemas. Violations are findings with the severity error.
    asdf::report validate(const schemas &all, const validate_options &options = {}) const {
        return detail::made_by<asdf::report>(asdf_file_validate, handle_.get(), all.native_handle(),
                                             detail::make_options(options).get());
    }

    /// Compares a block with its checksum. A mismatch is a result here, not an error.
    checksum verify_block(std::int64_t index, const call_options &options = {}) const {
        std::int32_t outcome = 0;
        detail::check(asdf_file_verify_block(handle_.get(), index, detail::make_options(options).get(), &outcome));
        return static_cast<checksum>(outcome);
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_file *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    template <class First, class Last>
    static buffer references_of(First first, Last last, const references_options &options) {
        std::vector<const asdf_file *> files;
        for (; first != last; ++first) files.push_back(first->handle_.get());
        return detail::made_by<buffer>(asdf_file_export_references, files.data(),
                                       static_cast<std::int64_t>(files.size()), detail::make_options(options).get());
    }

    void find_root() {
        root_ = detail::made_by<node>(asdf_file_root, handle_.get());
    }

    std::string text(asdf_status (*call)(const asdf_file *, char *, std::size_t, std::size_t *)) const {
        return detail::read_text(call, handle_.get());
    }

    std::vector<std::byte> payload(std::int64_t index, const call_options &options,
                                   asdf_status (*get_size)(const asdf_file *, std::int64_t, std::int64_t *),
                                   asdf_status (*read)(const asdf_file *, std::int64_t, const asdf_options *, void *,
                                                       std::size_t)) const {
        std::int64_t size = 0;
        detail::check(get_size(handle_.get(), index, &size));
        std::vector<std::byte> bytes(static_cast<std::size_t>(size < 0 ? 0 : size));
        detail::check(read(handle_.get(), index, detail::make_options(options).get(), bytes.data(), bytes.size()));
        return bytes;
    }

    handle_type handle_;
    node root_;
};

/// Returns the file of a node. If the path to the node passed a reference into another file, this is the other file.
inline file file_of(const node &from) {
    return detail::made_by<file>(asdf_node_file, from.native_handle());
}

} // namespace asdf

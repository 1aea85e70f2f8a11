// Chunk maps: the positions of the bytes of an array, for programs that read them by themselves.
#pragma once

#include "datatype.hpp"
#include "handle.hpp"
#include "text.hpp"

#include <asdf.h>
#include <cstdint>
#include <string>
#include <vector>

namespace asdf {

/// Piece of a file that can be read and decoded on its own.
struct chunk {
    std::int64_t offset = 0;        ///< offset of the first byte in the file
    std::int64_t length = 0;        ///< number of bytes in the file
    std::int64_t decoded = 0;       ///< number of bytes after decoding
    asdf::shape origin{};           ///< lowest index along each axis of the elements that it may contain bytes of
    asdf::shape shape{};            ///< extents of a box, from the origin on, that includes all these elements
    std::int64_t first_element = 0; ///< offset of the element at the origin in the decoded bytes; may be outside them
    bool is_complete = false;       ///< it contains all bytes of all elements of its box
};

/// Positions of the bytes of an array, chunk by chunk, in the order of the file. It never changes and does not depend
/// on other objects. A copy is one more owner of the same map.
class chunk_map {
  public:
    using handle_type = detail::handle<asdf_chunk_map, asdf_chunk_map_retain, asdf_chunk_map_free>;

    /// Takes over a handle of the C interface.
    explicit chunk_map(asdf_chunk_map *owned) noexcept : handle_(owned) {}

    /// Returns the number of chunks. An array without elements, or with elements in the tree, has none.
    std::int64_t size() const {
        std::int64_t count = 0;
        detail::check(asdf_chunk_map_count(handle_.get(), &count));
        return count;
    }

    /// Returns a chunk, from 0; throws asdf::error with ASDF_ERR_OUT_OF_RANGE if there is none.
    chunk operator[](std::int64_t index) const {
        chunk found;
        detail::check(asdf_chunk_map_bytes(handle_.get(), index, &found.offset, &found.length, &found.decoded));
        found.origin = detail::read_extents([&](std::int64_t *extents, std::int32_t capacity, std::int32_t *rank) {
            return asdf_chunk_map_origin(handle_.get(), index, extents, capacity, rank);
        });
        found.shape = detail::read_extents([&](std::int64_t *extents, std::int32_t capacity, std::int32_t *rank) {
            return asdf_chunk_map_shape(handle_.get(), index, extents, capacity, rank);
        });
        std::int32_t is_complete = 0;
        detail::check(asdf_chunk_map_first_element(handle_.get(), index, &found.first_element, &is_complete));
        found.is_complete = is_complete != 0;
        return found;
    }

    /// Returns all chunks.
    std::vector<chunk> chunks() const {
        std::vector<chunk> all;
        for (std::int64_t index = 0; index < size(); ++index) all.push_back((*this)[index]);
        return all;
    }

    /// Returns the file with the chunks: the name under which it was opened, or its URI; empty if it has none.
    std::string file() const {
        return detail::read_text(asdf_chunk_map_file, handle_.get());
    }

    /// Returns the codec of all chunks: "zlib", "lz4" and so on; empty if they are not compressed.
    std::string codec() const {
        return detail::read_text(asdf_chunk_map_codec, handle_.get());
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_chunk_map *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    handle_type handle_;
};

} // namespace asdf

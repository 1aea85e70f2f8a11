// Blocks of a file, for programs that inspect the file itself rather than its arrays.
#pragma once

#include "enumerations.hpp"
#include "text.hpp"

#include <array>
#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <string>

namespace asdf {

/// Block of a file. In a new file, sizes and offsets that are unknown before writing are -1.
struct block {
    std::int64_t offset = -1;                ///< offset of its header from the start of the file, in bytes
    std::int64_t payload_offset = -1;        ///< offset of its payload from the start of the file, in bytes
    std::int64_t allocated_size = -1;        ///< bytes allocated for the payload; -1 for a streamed block
    std::int64_t stored_size = -1;           ///< stored (possibly compressed) bytes of the payload
    std::int64_t decoded_size = -1;          ///< decoded bytes of the payload
    std::string compression{};               ///< label of the codec, such as "zlib"; empty if not compressed
    std::array<std::uint8_t, 16> checksum{}; ///< MD5; all zero if it has none
    bool is_streamed = false;                ///< its payload extends to the end of the file
};

/// Numbers of blocks by the result of the comparison with their checksums.
struct verified_blocks {
    std::int64_t absent = 0;  ///< without a checksum
    std::int64_t stored = 0;  ///< the checksum matches the stored bytes
    std::int64_t decoded = 0; ///< the checksum matches the decoded bytes, as some writers store it
};

namespace detail {

/// Returns the description of a block.
inline block read_block_header(const asdf_file *file, std::int64_t index) {
    block found;
    std::int32_t streamed = 0;
    check(asdf_file_block_offset(file, index, &found.offset));
    check(asdf_file_block_payload_offset(file, index, &found.payload_offset));
    check(asdf_file_block_allocated_size(file, index, &found.allocated_size));
    check(asdf_file_block_stored_size(file, index, &found.stored_size));
    check(asdf_file_block_decoded_size(file, index, &found.decoded_size));
    found.compression = read_text(asdf_file_block_compression, file, index);
    check(asdf_file_block_checksum(file, index, found.checksum.data(), found.checksum.size()));
    check(asdf_file_block_is_streamed(file, index, &streamed));
    found.is_streamed = streamed != 0;
    return found;
}

} // namespace detail
} // namespace asdf

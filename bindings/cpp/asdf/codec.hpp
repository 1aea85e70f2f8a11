// Compression of blocks: the codecs of the library, and codecs that the program implements.
#pragma once

#include "callback.hpp"
#include "handle.hpp"
#include "text.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace asdf {

/// Compression of a block with a codec of the library. Every ASDF library reads zlib and bzp2, most read lz4, few read
/// the others. In builds without zstd, blsc, bls2 or xz these fail with ASDF_ERR_UNKNOWN_CODEC.
enum class compression : std::int32_t {
    none,
    zlib,
    bzp2,
    lz4,
    lz4f, ///< one LZ4 frame
    zstd, ///< one Zstandard frame
    blsc, ///< one Blosc chunk of format 1, shuffled, compressed with LZ4, at most 2 GiB
    bls2, ///< one Blosc chunk of format 2, shuffled, compressed with LZ4, at most 2 GiB
    xz,   ///< one .xz stream
};

/// Returns the label of a compression in the headers of blocks, such as "zlib"; empty for none.
inline const char *label(compression method) noexcept {
    constexpr const char *labels[] = {"", "zlib", "bzp2", "lz4", "lz4f", "zstd", "blsc", "bls2", "xz"};
    return labels[static_cast<std::int32_t>(method)];
}

/// Compression method that the program implements, for options.custom_codecs. A copy is one more owner of the same
/// object.
class codec {
  public:
    using handle_type = detail::handle<asdf_codec, asdf_codec_retain, asdf_codec_free>;

    /// Decodes `size` stored bytes into `out`, which has room for `out_size` bytes, and returns the number of decoded
    /// bytes. The stored bytes may be damaged or malicious: throw asdf::error with ASDF_ERR_CORRUPT then. If several
    /// threads use files, it runs on several threads at once.
    using decoder =
        std::function<std::size_t(const std::byte *stored, std::size_t size, std::byte *out, std::size_t out_size)>;

    /// Encodes `size` bytes into `out`, which has room for `capacity` bytes, and returns the number of encoded bytes.
    /// A number above the capacity asks for a second call with that capacity.
    using encoder =
        std::function<std::size_t(const std::byte *data, std::size_t size, std::byte *out, std::size_t capacity)>;

    /// Makes a codec. The callables are copied.
    ///
    /// The label has 1 to 4 printable ASCII characters and is not that of a codec of the library. Without an encoder
    /// the codec can only read.
    codec(const c_string &label, decoder decode, encoder encode = {}) {
        const bool can_encode = static_cast<bool>(encode);
        detail::hand_over(callables{std::move(decode), std::move(encode)}, [&](void *user) {
            return asdf_codec_new(label.c_str(), decode_block, can_encode ? encode_block : nullptr,
                                  detail::delete_callable<callables>, user, handle_.out());
        });
    }

    /// Takes over a handle of the C interface.
    explicit codec(asdf_codec *owned) noexcept : handle_(owned) {}

    /// Returns the handle of the C interface, which this object keeps.
    asdf_codec *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    struct callables {
        decoder decode;
        encoder encode;
    };

    static asdf_status decode_block(void *user, const void *stored, std::size_t size, void *out, std::size_t out_size,
                                    std::size_t *decoded) noexcept {
        return detail::guard([&] {
            *decoded = static_cast<callables *>(user)->decode(static_cast<const std::byte *>(stored), size,
                                                              static_cast<std::byte *>(out), out_size);
        });
    }

    static asdf_status encode_block(void *user, const void *data, std::size_t size, void *out, std::size_t capacity,
                                    std::size_t *encoded) noexcept {
        const asdf_status status = detail::guard([&] {
            *encoded = static_cast<callables *>(user)->encode(static_cast<const std::byte *>(data), size,
                                                              static_cast<std::byte *>(out), capacity);
        });
        return status == ASDF_OK && *encoded > capacity ? ASDF_ERR_BUFFER_TOO_SMALL : status;
    }

    handle_type handle_;
};

/// Opens the file that a URI names, for files with references to other files. It returns the bytes of that file. An
/// asdf::error with ASDF_ERR_ACCESS_DENIED or ASDF_ERR_FILE_NOT_FOUND becomes the status of the call; any other
/// exception ends the call, which throws it again.
using resolver = std::function<byte_source(const std::string &uri)>;

namespace detail {

inline void set_resolver(asdf_options *options, const resolver &resolve) {
    const auto open = [](void *user, const char *uri, asdf_read_callback *read, asdf_close_callback *close,
                         void **source, std::int64_t *length) noexcept -> asdf_status {
        return guard([&] {
            byte_source opened = (*static_cast<resolver *>(user))(uri);
            *source = new decltype(opened.read)(std::move(opened.read));
            *read = read_source;
            *close = delete_callable<decltype(opened.read)>;
            *length = opened.length;
        });
    };
    hand_over(resolve,
              [&](void *user) { return asdf_options_set_resolver(options, open, delete_callable<resolver>, user); });
}

} // namespace detail
} // namespace asdf

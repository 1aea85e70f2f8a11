// Values of options: the value of missing elements, and the handle that passes options to a call.
#pragma once

#include "codec.hpp"
#include "datatype.hpp"
#include "progress.hpp"
#include "schemas.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

/// Value that replaces missing elements: a number, bool or std::complex, or the bytes of one element of any datatype.
class fill_value {
  public:
    /// Takes a number. Reading converts it to the requested datatype like an element of the array.
    template <class T, class = std::enable_if_t<detail::is_scalar_v<T>>>
    fill_value(T value) : code_(detail::scalar_code_v<T>), bytes_(sizeof value) {
        std::memcpy(bytes_.data(), &value, sizeof value);
    }

    /// Takes one element of a datatype: packed, each number in native byte order.
    fill_value(datatype type, std::vector<std::byte> element) : type_(std::move(type)), bytes_(std::move(element)) {}

    /// Sets this value in options of the C interface.
    void set(asdf_options *options) const {
        if (type_) detail::check(asdf_options_set_datatype(options, type_->native_handle()));
        detail::check(asdf_options_set_fill(options, code_, bytes_.data(), bytes_.size()));
        if (type_) detail::check(asdf_options_unset(options, ASDF_OPTION_DATATYPE));
    }

  private:
    std::int32_t code_ = 0;
    std::optional<datatype> type_;
    std::vector<std::byte> bytes_;
};

namespace detail {

/// Options of a call. The handle is made when the first value is set: without values it stays NULL, the defaults.
class option_handle {
  public:
    const asdf_options *get() const noexcept {
        return handle_.get();
    }

    /// Returns the options with a datatype, which the code 0 then stands for.
    const asdf_options *with(const datatype &type) {
        check(asdf_options_set_datatype(made(), type.native_handle()));
        return get();
    }

    /// Returns the options for elements of type T, whose code is scalar_code_v<T>. For a record the code is 0, so that
    /// the options have its datatype. Calls without other options share one handle for each type of records.
    template <class T> const asdf_options *for_elements() {
        if constexpr (is_scalar_v<T>) {
            return get();
        } else {
            if (handle_) return with(datatype::of<T>());
            static const option_handle ready = [] {
                option_handle made;
                made.with(datatype::of<T>());
                return made;
            }();
            return ready.get();
        }
    }

    /// Returns the handle to set a value that has no function here.
    asdf_options *made() {
        if (!handle_) check(asdf_options_new(handle_.out()));
        return handle_.get();
    }

    void set_int(std::int32_t key, std::int64_t value) {
        check(asdf_options_set_int(made(), key, value));
    }

    void set_text(std::int32_t key, std::string_view value) {
        check(asdf_options_set_text(made(), key, value.data(), value.size()));
    }

    /// Sets a number, a truth value, an enumeration, a text or a list, unless the value is missing.
    template <class T> void set(std::int32_t key, const std::optional<T> &value) {
        if (!value) return;
        if constexpr (std::is_same_v<T, compression>) {
            set_text(key, label(*value));
        } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
            set_int(key, static_cast<std::int64_t>(*value));
        } else if constexpr (std::is_same_v<T, double>) {
            check(asdf_options_set_float(made(), key, *value));
        } else if constexpr (std::is_same_v<T, std::string>) {
            set_text(key, *value);
        } else if constexpr (std::is_same_v<T, fill_value>) {
            value->set(made());
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
            const auto count = static_cast<std::int64_t>(value->size());
            check(asdf_options_set_ints(made(), key, value->data(), count));
        } else {
            static_assert(std::is_same_v<T, std::vector<std::string>>, "an option of a kind that this class lacks");
            // NULL makes an empty list, which differs from an unset option.
            if (value->empty()) check(asdf_options_add_text(made(), key, nullptr, 0));
            for (const std::string &text : *value) check(asdf_options_add_text(made(), key, text.data(), text.size()));
        }
    }

    void set_at(std::int32_t key, const std::map<std::string, std::int64_t> &values) {
        for (const auto &[path, value] : values) check(asdf_options_set_int_at(made(), key, path.c_str(), value));
    }

    void set(const progress_callback &callback) {
        if (callback) set_progress(made(), callback);
    }

    void set(const resolver &callback) {
        if (callback) set_resolver(made(), callback);
    }

    void set(const std::optional<schemas> &all) {
        if (all) check(asdf_options_set_schemas(made(), all->native_handle()));
    }

    void set(const std::vector<codec> &codecs) {
        for (const codec &added : codecs) check(asdf_options_add_codec(made(), added.native_handle()));
    }

  private:
    unique_handle<asdf_options, asdf_options_free> handle_;
};

} // namespace detail
} // namespace asdf

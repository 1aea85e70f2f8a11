// Errors: the exception asdf::error, and the check of every status that the C interface returns.
#pragma once

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace asdf {

/// Failure of a call of the library. what() is the message of the library: the position, if known, and a sentence.
///
///     try {
///         asdf::file file = asdf::file::open("image.asdf");
///     } catch (const asdf::error& problem) {
///         if (problem.status() == ASDF_ERR_FILE_NOT_FOUND) return make_new_file();
///         std::cerr << problem.what() << '\n';   // image.asdf:12:7, byte 318, at /meta/exposure/time: ...
///     }
class error : public std::runtime_error {
  public:
    /// Details of a failure. A field that is not known is empty, or -1 for a number.
    struct details {
        std::string text;            // one sentence, without the position
        std::string file;            // name of the file
        std::string path;            // path of the node
        std::string subject;         // column of a table, or property that differs
        std::int64_t line = -1;      // line of the file, from 1
        std::int64_t column = -1;    // column of the line in characters, from 1
        std::int64_t offset = -1;    // offset in bytes from the start of the file
        std::int64_t os_number = -1; ///< error number of the operating system (errno)
    };

    /// Makes an error with a message and without a position.
    error(asdf_status status, const std::string &message) : error(status, message, details{message, {}, {}, {}}) {}

    error(asdf_status status, const std::string &message, details known)
        : std::runtime_error(message), status_(status), details_(std::make_shared<const details>(std::move(known))) {}

    /// Returns the status: one of ASDF_ERR_...
    asdf_status status() const noexcept {
        return status_;
    }

    /// Returns the name of the status, such as "ASDF_ERR_TRUNCATED".
    const char *status_name() const noexcept {
        return asdf_status_name(status_);
    }

    /// Returns the message without the position: one sentence.
    const std::string &text() const noexcept {
        return details_->text;
    }

    /// Returns the name of the file; empty if unknown.
    const std::string &file() const noexcept {
        return details_->file;
    }

    /// Returns the path of the node, such as "/meta/exposure/time"; empty if unknown.
    const std::string &path() const noexcept {
        return details_->path;
    }

    /// Returns the column of a table or the property that the failure is about; empty if unknown.
    const std::string &subject() const noexcept {
        return details_->subject;
    }

    /// Returns the line of the file, from 1; -1 if unknown.
    std::int64_t line() const noexcept {
        return details_->line;
    }

    /// Returns the column of the line in characters, from 1; -1 if unknown.
    std::int64_t column() const noexcept {
        return details_->column;
    }

    /// Returns the offset in bytes from the start of the file; -1 if unknown.
    std::int64_t offset() const noexcept {
        return details_->offset;
    }

    /// Returns the error number of the operating system (errno); -1 if there is none.
    std::int64_t os_number() const noexcept {
        return details_->os_number;
    }

  private:
    asdf_status status_;
    std::shared_ptr<const details> details_; ///< shared, so that copying an error does not throw
};

namespace detail {

inline constexpr std::size_t text_buffer_size = 256;

/// Gets a text of the last failure. The functions of this group cut a text that does not fit, and set `needed`.
template <class Call> std::string read_cut_text(Call &&call) {
    char small[text_buffer_size];
    std::size_t needed = 0;
    if (call(small, sizeof small, &needed) == ASDF_OK) return std::string(small, needed);
    std::string text(needed, '\0');
    if (call(text.data(), needed + 1, &needed) != ASDF_OK) text.clear();
    return text;
}

/// Exception that a callback of this thread threw last. A callback runs inside a call, on the thread of that call, and
/// check() rethrows the exception after this call. Callbacks outlive the objects that set them, so the
/// exception is kept for the thread, as the library keeps its last failure.
inline std::exception_ptr &callback_exception() noexcept {
    thread_local std::exception_ptr exception;
    return exception;
}

/// Throws the last failure of this thread as asdf::error, or the exception of the callback that caused the failure.
[[noreturn]] inline void throw_failure(asdf_status status) {
    const std::exception_ptr exception = std::exchange(callback_exception(), nullptr);
    if (exception && (status == ASDF_OK || status == ASDF_ERR_CALLBACK || status == ASDF_ERR_CANCELLED))
        std::rethrow_exception(exception);
    const auto field = [](std::int32_t name) {
        return read_cut_text([name](char *buffer, std::size_t capacity, std::size_t *needed) {
            return asdf_error_text(name, buffer, capacity, needed);
        });
    };
    const auto number = [](std::int32_t name) {
        std::int64_t value = -1;
        asdf_error_int(name, &value);
        return value;
    };
    // The library names the argument of its C function, which C++ programs do not see.
    const std::string empty =
        status == ASDF_ERR_NULL_POINTER
            ? "the object is empty, because nothing was assigned to it or it was moved from, or a "
              "null pointer was passed: "
            : "";
    throw error(status, empty + read_cut_text(asdf_error_message),
                error::details{empty + field(ASDF_REPORT_MESSAGE), field(ASDF_REPORT_FILE), field(ASDF_REPORT_PATH),
                               field(ASDF_REPORT_SUBJECT), number(ASDF_REPORT_LINE), number(ASDF_REPORT_COLUMN),
                               number(ASDF_REPORT_OFFSET), number(ASDF_REPORT_OS_NUMBER)});
}

/// Throws asdf::error if the status is not ASDF_OK, and the exception of a callback, also if the call succeeded: a call
/// that can no longer be cancelled ignores the failure of its callback.
inline void check(asdf_status status) {
    if (status != ASDF_OK || callback_exception()) throw_failure(status);
}

} // namespace detail
} // namespace asdf

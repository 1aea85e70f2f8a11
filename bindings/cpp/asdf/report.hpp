// Reports: lists of findings, such as warnings of a file, diagnostics of a description, or losses of a recovered file.
#pragma once

#include "buffer.hpp"
#include "enumerations.hpp"
#include "handle.hpp"
#include "index_iterator.hpp"
#include "results.hpp"
#include "text.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace asdf {

class finding;

/// List of findings. It never changes and does not depend on other objects; to see later findings, get a new report. A
/// copy is one more owner of the same list.
///
///     for (const asdf::finding &warning : file.report()) std::cerr << warning.text() << '\n';
class report {
  public:
    using handle_type = detail::handle<asdf_report, asdf_report_retain, asdf_report_free>;
    class iterator;

    /// Takes over a handle of the C interface.
    explicit report(asdf_report *owned) : handle_(owned) {
        detail::check(asdf_report_count(handle_.get(), &size_, &dropped_));
    }

    /// Returns the number of findings.
    std::int64_t size() const noexcept {
        return size_;
    }

    bool empty() const noexcept {
        return size_ == 0;
    }

    /// Returns the number of findings that are not in the report because there were too many.
    std::int64_t dropped() const noexcept {
        return dropped_;
    }

    /// Returns a finding, from 0. Its fields throw asdf::error with ASDF_ERR_OUT_OF_RANGE if there is none.
    finding operator[](std::int64_t index) const;

    iterator begin() const;
    iterator end() const;

    /// Returns the report as JSON: an array of objects, on one line, in UTF-8. See asdf_report_json() for their keys.
    std::string json() const {
        return std::string(detail::made_by<buffer>(asdf_report_json, handle_.get()).text());
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_report *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    handle_type handle_;
    std::int64_t size_ = 0;
    std::int64_t dropped_ = 0;
};

/// Finding of a report. It keeps the report alive. A field that a finding does not have is std::nullopt.
class finding {
  public:
    finding(report from, std::int64_t index) : report_(std::move(from)), index_(index) {}

    asdf::severity severity() const {
        return static_cast<asdf::severity>(number(ASDF_REPORT_SEVERITY));
    }

    finding_kind kind() const {
        return static_cast<finding_kind>(number(ASDF_REPORT_KIND));
    }

    /// Returns the whole finding as one line, with the position.
    std::string text() const {
        return field(ASDF_REPORT_ENTRY).value_or(std::string());
    }

    /// Returns one sentence, without the position.
    std::string message() const {
        return field(ASDF_REPORT_MESSAGE).value_or(std::string());
    }

    /// Returns the stable code of the finding, such as "E-VALUE-RANGE". Programs test it, not the texts.
    std::optional<std::string> code() const {
        return field(ASDF_REPORT_CODE);
    }

    /// Returns the path of the node, or the path name in a description; an empty path is the whole.
    std::optional<std::string> path() const {
        return field(ASDF_REPORT_PATH);
    }

    /// Returns the name of the file.
    std::optional<std::string> file() const {
        return field(ASDF_REPORT_FILE);
    }

    /// Returns the column of a table, or the property that differs.
    std::optional<std::string> subject() const {
        return field(ASDF_REPORT_SUBJECT);
    }

    /// Returns the old or expected value, as JSON on one line.
    std::optional<std::string> old_value() const {
        return field(ASDF_REPORT_OLD);
    }

    /// Returns the new value, as JSON on one line.
    std::optional<std::string> new_value() const {
        return field(ASDF_REPORT_NEW);
    }

    /// Returns the operation of a difference.
    std::optional<asdf::operation> operation() const {
        const std::optional<std::int64_t> value = known(ASDF_REPORT_OPERATION);
        return value ? std::optional(static_cast<asdf::operation>(*value)) : std::nullopt;
    }

    /// Returns the line of the file or text, from 1.
    std::optional<std::int64_t> line() const {
        return known(ASDF_REPORT_LINE);
    }

    /// Returns the column of the line in characters, from 1.
    std::optional<std::int64_t> column() const {
        return known(ASDF_REPORT_COLUMN);
    }

    /// Returns the offset in bytes from the start of the file.
    std::optional<std::int64_t> offset() const {
        return known(ASDF_REPORT_OFFSET);
    }

    /// Returns the number of the block.
    std::optional<std::int64_t> block() const {
        return known(ASDF_REPORT_BLOCK);
    }

    /// Returns the number of lost bytes.
    std::optional<std::int64_t> bytes() const {
        return known(ASDF_REPORT_BYTES);
    }

    /// Returns the number of lost rows of an array.
    std::optional<std::int64_t> rows() const {
        return known(ASDF_REPORT_ROWS);
    }

  private:
    std::int64_t number(std::int32_t name) const {
        std::int64_t value = 0;
        detail::check(asdf_report_int(report_.native_handle(), index_, name, &value));
        return value;
    }

    std::optional<std::int64_t> known(std::int32_t name) const {
        return detail::known(number(name));
    }

    std::optional<std::string> field(std::int32_t name) const {
        std::size_t length = 0;
        const asdf_status status = asdf_report_text(report_.native_handle(), index_, name, nullptr, 0, &length);
        if (status == ASDF_ERR_NOT_FOUND) return std::nullopt;
        detail::check(status);
        return detail::read_text(asdf_report_text, report_.native_handle(), index_, name);
    }

    report report_;
    std::int64_t index_;
};

/// Input iterator over the findings of a report.
class report::iterator : public detail::index_iterator<report::iterator, report, finding> {
  public:
    using index_iterator::index_iterator;

    finding operator*() const {
        return finding(source_, index_);
    }
};

inline finding report::operator[](std::int64_t index) const {
    return finding(*this, index);
}
inline report::iterator report::begin() const {
    return iterator(*this, 0);
}
inline report::iterator report::end() const {
    return iterator(*this, size_);
}

} // namespace asdf

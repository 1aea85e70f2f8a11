// Schemas of the nodes of trees, which packages of the Python registry hold.
#pragma once

#include "buffer.hpp"
#include "handle.hpp"
#include "text.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace asdf {

/// Schemas, to validate files, nodes and tables with. Load them once: a copy is one more owner of the same set.
class schemas {
  public:
    using handle_type = detail::handle<asdf_schemas, asdf_schemas_retain, asdf_schemas_free>;

    /// Takes over a handle of the C interface.
    explicit schemas(asdf_schemas *owned) noexcept : handle_(owned) {}

    /// Makes a set that has only the schema of draft 4 of JSON Schema.
    schemas() : schemas(detail::made_by<schemas>(asdf_schemas_new)) {}

    /// Loads all packages on the search path. Throws asdf::error with ASDF_ERR_SCHEMA_NOT_FOUND if there are none.
    static schemas found() {
        schemas made;
        detail::check(asdf_schemas_add_package(made.handle_.get(), nullptr));
        return made;
    }

    /// Adds a package: the path of a folder, a wheel or a single schema, or the name of a package on the search path.
    schemas &add_package(const c_string &package) {
        detail::check(asdf_schemas_add_package(handle_.get(), package.c_str()));
        return *this;
    }

    /// Adds a schema or a manifest in YAML or JSON, and returns its URI.
    std::string add_text(std::string_view text) {
        return std::string(
            detail::made_by<buffer>(asdf_schemas_add_text, handle_.get(), text.data(), text.size()).text());
    }

    /// Returns the URIs of all schemas and manifests.
    std::vector<std::string> uris() const {
        const buffer lines = detail::made_by<buffer>(asdf_schemas_uris, handle_.get());
        std::vector<std::string> all;
        std::string_view rest = lines.text();
        for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1))
            all.emplace_back(rest.substr(0, end));
        return all;
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_schemas *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    handle_type handle_;
};

/// Meaning of an entry by the schemas. Unknown fields are missing.
struct description {
    std::optional<std::string> title;
    std::optional<std::string> text;
    std::optional<std::string> type;
    std::optional<std::string> unit;
    std::optional<std::string> default_value; ///< value of a missing entry, as YAML
    std::optional<std::string> schema;        ///< URI
    std::optional<std::string> note;          ///< note of a mapping, under its key "//"
};

namespace detail {

/// Describes the entry at a path below a node.
inline description describe(const schemas &all, const asdf_node *node, const char *path, const asdf_options *options) {
    const auto field = [&](std::int32_t number) -> std::optional<std::string> {
        std::size_t needed = 0;
        const asdf_status status =
            asdf_schema_describe(all.native_handle(), node, path, number, options, nullptr, 0, &needed);
        if (status == ASDF_ERR_NOT_FOUND) return std::nullopt;
        return read_text(asdf_schema_describe, all.native_handle(), node, path, number, options);
    };
    return {field(ASDF_DESCRIPTION_TITLE), field(ASDF_DESCRIPTION_TEXT),    field(ASDF_DESCRIPTION_TYPE),
            field(ASDF_DESCRIPTION_UNIT),  field(ASDF_DESCRIPTION_DEFAULT), field(ASDF_DESCRIPTION_SCHEMA),
            field(ASDF_DESCRIPTION_NOTE)};
}

} // namespace detail
} // namespace asdf

// asdf::ndl_place: the object of a description, or the attribute, that a call refers to.
#pragma once

#include "text.hpp"

#include <asdf.h>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace asdf {

/// A place in a description: an object by its path name, such as "/site/wind", or one of its attributes.
///
///     description.read<double>("/site/wind");
///     description.read<double>({"/site/wind", "valid_range"});
struct ndl_place {
    std::string path;                     ///< Path name of the group, dimension coordinate or array.
    std::optional<std::string> attribute; ///< Name of the attribute; std::nullopt for the object itself.

    /// The object of a path name.
    ndl_place(std::string path) : path(std::move(path)) {
        c_string refuses_nul(this->path);
    }
    /// The object of a path name.
    ndl_place(const char *path) : path(path) {}
    /// An attribute of an object.
    ndl_place(std::string path, std::string attribute) : path(std::move(path)), attribute(std::move(attribute)) {
        c_string refuses_nul(this->path), refuses_nul_too(*this->attribute);
    }

    /// The name of the attribute as the C interface takes it: NULL for none.
    const char *attribute_or_null() const noexcept {
        return attribute ? attribute->c_str() : nullptr;
    }
};

} // namespace asdf

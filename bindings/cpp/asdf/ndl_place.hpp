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

    /// Refers to the object of a path name.
    ndl_place(std::string name) : path(std::move(name)) {
        c_string refuses_nul(path);
    }
    /// Refers to the object of a path name.
    ndl_place(const char *name) : path(name) {}
    /// Refers to an attribute of an object.
    ndl_place(std::string name, std::string of_attribute) : path(std::move(name)), attribute(std::move(of_attribute)) {
        c_string refuses_nul(path), refuses_nul_too(*attribute);
    }

    /// Returns the name of the attribute as the C interface takes it: NULL for none.
    const char *attribute_or_null() const noexcept {
        return attribute ? attribute->c_str() : nullptr;
    }
};

} // namespace asdf

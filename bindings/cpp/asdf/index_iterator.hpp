// Base of the input iterators that count the elements of an object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace asdf {
namespace detail {

/// Input iterator over the elements of an object that it keeps, by their index. Derived adds operator*, which returns
/// an Element.
template <class Derived, class Source, class Element> class index_iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Element;
    using difference_type = std::ptrdiff_t;
    using pointer = const Element *;
    using reference = Element;

    index_iterator() = default;
    index_iterator(Source source, std::int64_t index) : source_(std::move(source)), index_(index) {}

    Derived &operator++() {
        ++index_;
        return static_cast<Derived &>(*this);
    }
    Derived operator++(int) {
        Derived before = static_cast<const Derived &>(*this);
        ++index_;
        return before;
    }
    friend bool operator==(const Derived &a, const Derived &b) {
        return a.index_ == b.index_;
    }
    friend bool operator!=(const Derived &a, const Derived &b) {
        return a.index_ != b.index_;
    }

  protected:
    Source source_;
    std::int64_t index_ = 0;
};

} // namespace detail
} // namespace asdf

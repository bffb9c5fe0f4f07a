// SPDX-License-Identifier: MIT OR Apache-2.0
// real<T>: the type of NVIDIA's headers that one of our own declarations (namespace own) stands for. Plain types stand for
// themselves; pointers, arrays and functions are taken apart. There is no default: abi/check-cuda generates a specialisation
// for each struct, union and enum that we declare, and a type without one does not compile.
#ifndef CUCORE_ABI_REAL_TYPES_HPP
#define CUCORE_ABI_REAL_TYPES_HPP

#include <cstddef>
#include <type_traits>

template <class T, class = void> struct real;

template <class T> constexpr bool plain = (std::is_arithmetic<T>::value || std::is_void<T>::value) && !std::is_const<T>::value;

template <class T> struct real<T, std::enable_if_t<plain<T>>> { using type = T; };
template <class T> struct real<const T, void> { using type = const typename real<T>::type; };
template <class T> struct real<T *, void> { using type = typename real<T>::type *; };
template <class T, std::size_t N> struct real<T[N], void> { using type = typename real<T>::type[N]; };
template <class Result, class... Parameters> struct real<Result(Parameters...), void> {
    using type = typename real<Result>::type(typename real<Parameters>::type...);
};

template <class Own, class Theirs> constexpr bool stands_for = std::is_same<typename real<Own>::type, Theirs>::value;

#endif

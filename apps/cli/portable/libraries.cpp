// fmt and toml++ for the archive that needs nothing: Debian has them as shared libraries only.
#include <fmt/format-inl.h>

template FMT_API auto fmt::detail::thousands_sep_impl<char>(fmt::detail::locale_ref)
    -> fmt::detail::thousands_sep_result<char>;
template FMT_API auto fmt::detail::decimal_point_impl<char>(fmt::detail::locale_ref) -> char;
template FMT_API auto fmt::detail::dragonbox::to_decimal<double>(double) noexcept
    -> fmt::detail::dragonbox::decimal_fp<double>;

#define TOML_HEADER_ONLY 0
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>

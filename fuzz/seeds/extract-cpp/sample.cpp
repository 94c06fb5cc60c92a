#pragma once
#include <vector>
#include "a.hpp"
namespace a::b { using std::vector; inline namespace v1 {
template <typename T, int N = 3, class... R> requires C<T>
class API S final : public Base<T>, private virtual x::Y {
 public:
  explicit S(int x) noexcept(true) : Base<T>{x}, y_(x) {}
  ~S() override = default;
  S& operator=(const S&) = delete;
  template <class U> auto f(U&& u) const -> decltype(u.g<int>()) {
    auto l = [=, &u](auto... a) mutable -> int { return (a + ...); };
    if constexpr (N < 3 && sizeof...(R) > 1) for (auto& [k, v] : m) try { l(1); } catch (...) { throw; }
    return static_cast<A<B<int>>*>(new A<B<int>>(1'000))->x;
  }
};
enum class E : char { A };
}}
#ifdef X
extern "C" { int h(void); }
#endif
int operator""_k(const char* s) { return a::b::S<int>::f(R"x(()x")); }

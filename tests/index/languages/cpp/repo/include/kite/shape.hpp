#pragma once

#include <memory>
#include <string>
#include <vector>

namespace kite {

constexpr double kFeather = 0.02;

/// What something can be measured as.
template <typename T>
concept Measured = requires(T value) { value.area(); };

using Name = std::string;

/// A sail, whatever its form.
class Shape {
 public:
  explicit Shape(Name name) : name_(std::move(name)) {}
  virtual ~Shape() = default;

  /// Square metres.
  virtual double area() const = 0;

  const Name& name() const { return name_; }
  double weight() const;
  bool operator<(const Shape& other) const { return area() < other.area(); }

  struct Seam {
    double length = 0;
    int stitches[2];
  };

 protected:
  std::vector<Seam> seams_;

 private:
  Name name_;
};

template <Measured T>
double total(const std::vector<T>& shapes) {
  double sum = 0;
  for (const auto& shape : shapes) sum += shape.area();
  return sum;
}

}  // namespace kite

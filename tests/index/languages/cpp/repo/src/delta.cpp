#include "kite/delta.hpp"

#define KITE_HALF 0.5
#define KITE_SQUARE(x) ((x) * (x))

namespace kite {

double Shape::weight() const { return area() * kFeather; }

namespace forms {
namespace {

int made = 0;

double half(double value) { return value * KITE_HALF; }

}  // namespace

Delta::Delta(Name name, double span, double height) : Shape(std::move(name)), span_(span), height_(height) {
  ++made;
}

Delta::~Delta() { --made; }

double Delta::area() const {
  // TODO: take off the keel
  return half(span_ * height_);
}

std::unique_ptr<Delta> Delta::small() {
  auto squared = [](double value) { return KITE_SQUARE(value); };
  return std::make_unique<Delta>("small", 1.0, squared(1.0));
}

}  // namespace forms
}  // namespace kite

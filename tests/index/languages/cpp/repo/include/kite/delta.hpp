#pragma once

#include "kite/shape.hpp"

namespace kite::forms {

enum class Wind { Breeze, Gale = 8 };

/// A triangle with a keel.
class Delta final : public Shape {
 public:
  Delta(Name name, double span, double height);
  ~Delta() override;

  double area() const override;
  static std::unique_ptr<Delta> small();

  template <typename Sink>
  void draw(Sink& sink) const;

 private:
  double span_, height_;
};

template <typename Sink>
void Delta::draw(Sink& sink) const {
  sink.line(span_, height_);
}

}  // namespace kite::forms

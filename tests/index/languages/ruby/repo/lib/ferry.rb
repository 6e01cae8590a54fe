# frozen_string_literal: true

require_relative "ferry/vessel"
require_relative "ferry/boat"

module Ferry
  VERSION = "1.0"

  class NoRoom < StandardError; end

  # Opens the line on the given day.
  def self.open(day)
    Boat.build(day)
  end
end

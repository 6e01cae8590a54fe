require_relative "vessel"
require "ferry/timetable"

module Ferry
  class Boat < Vessel
    include Loud

    Seat = Struct.new(:row, :place) do
      def label = "#{row}-#{place}"
    end

    class << self
      def build(day)
        boat = new(Timetable.next(day))
        boat.board(1)
        boat
      end
    end

    define_method(:depart) { full? }

    # TODO: ask for a ticket
    def board(people)
      super
      announce
    end

    private def seat = Seat.new(1, 2)
  end
end

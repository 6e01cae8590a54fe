module Ferry
  # Something that floats and carries.
  class Vessel
    LIMIT = 10
    attr_reader :name, :load

    def initialize(name)
      @name = name
      @load = 0
    end

    def board(people)
      raise NoRoom if full?

      @load += people
      log "#{name} has #{people} more"
    end

    def full?
      load >= LIMIT
    end

    private

    def log(text) = puts(text)
  end

  module Loud
    def announce
      board(0)
    end
  end
end

--- What grows in a bed.
local Plant = {}
Plant.__index = Plant
Plant.TALLEST = 200

local function clamp(height)
  local function least(a, b)
    return a < b and a or b
  end
  return least(height, Plant.TALLEST)
end

--- Sow a plant.
-- @param name string
function Plant.new(name)
  return setmetatable({ name = name, height = 0 }, Plant)
end

function Plant:grow(by)
  self.height = clamp(self.height + by)
  self:notify()
end

function Plant:notify() end

return Plant

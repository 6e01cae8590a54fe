local Plant = require("garden.plant")
local soil = require "garden.soil"

local Tree = setmetatable({}, { __index = Plant })
Tree.__index = Tree

-- TODO: lose leaves in autumn
function Tree:grow(by)
  Plant.grow(self, by * soil.richness())
end

Tree.fell = function(self)
  soil.feed(self.height)
end

return Tree

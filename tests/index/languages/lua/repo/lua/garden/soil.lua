local M = {}
local RICH = 2

M.food = 0

function M.richness()
  return RICH
end

M.feed = function(amount)
  M.food = M.food + amount
end

M.kinds = {
  sand = function() return 1 end,
}

return M

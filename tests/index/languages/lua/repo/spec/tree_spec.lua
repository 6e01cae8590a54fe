local Tree = require("garden.tree")

describe("a tree", function()
  it("grows", function()
    local tree = setmetatable({}, Tree)
    tree:grow(2)
    tree:fell()
  end)
end)

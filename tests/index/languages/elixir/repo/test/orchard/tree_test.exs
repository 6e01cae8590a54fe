defmodule Orchard.TreeTest do
  use ExUnit.Case
  alias Orchard.Tree

  test "a tree grows" do
    tree = Tree.plant(:apple)
    assert Tree.grow(tree).fruit == 1
  end
end

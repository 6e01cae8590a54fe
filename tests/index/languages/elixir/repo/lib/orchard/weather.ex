defmodule Orchard.Grower do
  @callback grow(struct()) :: struct()
end

defmodule Orchard.Weather do
  import Orchard.Basket

  def touch(tree) do
    Orchard.Tree.Leaf.fall()
    Enum.each([1], &note/1)
    tree
  end

  defp note(_), do: fill(%Orchard.Basket{}, 1)
end

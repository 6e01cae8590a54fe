defmodule Orchard.Tree do
  @moduledoc """
  A tree that bears fruit.
  """

  @behaviour Orchard.Grower

  alias Orchard.{Basket, Weather}

  @most 12
  @type t :: %__MODULE__{kind: atom(), fruit: integer()}

  defstruct [:kind, fruit: 0]

  @doc "Plants a tree."
  @spec plant(atom()) :: t()
  def plant(kind) when is_atom(kind) do
    %__MODULE__{kind: kind}
  end

  @impl true
  def grow(%__MODULE__{fruit: fruit} = tree) when fruit >= @most, do: tree

  def grow(tree) do
    tree
    |> ripen()
    |> Weather.touch()
  end

  # TODO: leave some for the birds
  def pick(tree), do: Basket.fill(%Basket{}, tree.fruit)

  defp ripen(tree), do: %{tree | fruit: tree.fruit + 1}

  defmacro twice(call) do
    quote do
      unquote(call)
    end
  end

  defmodule Leaf do
    def fall, do: :ok
  end
end

defimpl String.Chars, for: Orchard.Tree do
  def to_string(tree), do: "a #{tree.kind}"
end

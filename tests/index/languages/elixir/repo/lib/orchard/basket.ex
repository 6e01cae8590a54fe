defmodule Orchard.Basket do
  defstruct count: 0

  def fill(%__MODULE__{} = basket, number) do
    add(basket, number)
  end

  defp add(basket, number), do: %{basket | count: basket.count + number}
end

defprotocol Orchard.Weighed do
  def weigh(thing)
end

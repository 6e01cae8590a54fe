defmodule Orchard.MixProject do
  use Mix.Project

  def project, do: [app: :orchard, version: "0.1.0"]
end

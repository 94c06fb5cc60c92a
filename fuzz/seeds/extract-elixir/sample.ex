defmodule A.B do
  @moduledoc """
  Doc.
  """
  use GenServer, restart: :t
  alias A.{C, D}
  alias E.F, as: G
  import H, only: [f: 1]
  @behaviour I
  @limit 3
  defstruct [:x, y: 1]
  @doc "Runs."
  @spec run(integer()) :: {:ok, any}
  def run(%__MODULE__{x: x} = s, [h | _]) when x > 1 and h in [1] do
    with {:ok, a} <- C.get(x), b = a do
      Enum.map([a], fn {k, v} -> k <> "#{v + "#{b}"}"; _ -> ~r/a\//i end) |> G.h(&(&1 + 1))
    else
      e -> case e do nil -> :"q s"; ?a -> <<1::8>> end
    end
  end
  defp hidden(), do: if(true, do: 1, else: %{a => 1})
  defmacro m(x), do: quote(do: unquote(x))
  test "x", %{c: c} do assert c end
end

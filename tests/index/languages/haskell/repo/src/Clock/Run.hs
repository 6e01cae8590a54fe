module Clock.Run (run, (|>)) where

import Clock.Types (Hand (..), Span, Ticks (tick), longest)
import qualified Data.Map.Strict as Map

infixl 1 |>

(|>) :: a -> (a -> b) -> b
x |> f = f x

-- TODO: stop at midnight
run :: Int -> Hand -> Hand
run 0 hand = hand
run n hand = run (n - 1) (tick hand)

slowest :: Map.Map String Hand -> Maybe Hand
slowest hands = Map.elems hands |> longest

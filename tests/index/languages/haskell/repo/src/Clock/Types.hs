{-# LANGUAGE DerivingStrategies #-}

-- | What a clock is made of.
module Clock.Types
  ( Hand (..),
    Ticks (..),
    Span,
    longest,
  )
where

import Data.List (sortOn)

-- | A hand points somewhere.
data Hand
  = Hour {angle :: Int}
  | Minute {angle :: Int, isSlow :: Bool}
  | Broken
  deriving stock (Eq, Show)

newtype Span = Span {seconds :: Int}

type Hands = [Hand]

-- | Whatever moves on.
class Show a => Ticks a where
  tick :: a -> a
  tick hand = hand

  name :: a -> String

instance Ticks Hand where
  tick Broken = Broken
  tick hand = hand {angle = turn (angle hand)}
  name = show

-- | At most this many degrees.
limit :: Int
limit = 360

turn :: Int -> Int
turn degrees
  | degrees >= limit = 0
  | otherwise = degrees + 1

longest :: Hands -> Maybe Hand
longest [] = Nothing
longest hands = Just (final (sortOn angle hands))
  where
    final list = last list

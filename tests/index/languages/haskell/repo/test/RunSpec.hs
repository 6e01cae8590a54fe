module RunSpec (main) where

import Clock.Run
import Clock.Types

main :: IO ()
main = do
  let hand = run 3 (Hour 0)
  print (angle hand)
  print . longest $ [hand, Broken]

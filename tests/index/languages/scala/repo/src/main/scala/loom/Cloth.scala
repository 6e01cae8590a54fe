package loom

import loom.thread.{Fibre, Flax, Thread as Yarn}
import loom.thread.Thread.Metre

val widest = 2 * Metre

enum Weave(val shafts: Int):
  case Plain extends Weave(2)
  case Twill, Satin
  case Patterned(name: String)

  def isFine: Boolean = shafts > 4

trait Strong[A]:
  def force(a: A): Double

object Strong:
  given Strong[Fibre] with
    def force(a: Fibre): Double = a.strength

  given yarnIsStrong: Strong[Yarn] with
    def force(a: Yarn): Double = a.strength

/** Threads crossing each other. */
class Cloth(warp: Yarn, weft: Yarn)(using strong: Strong[Yarn]) extends Foldable, Named("cloth"):
  type Side = Int

  def force: Double =
    def half(yarn: Yarn) =
      strong.force(yarn) / 2
    half(warp) + half(weft)

  override def fold(times: Int): Cloth =
    describe(times)
    this
end Cloth

extension (cloth: Cloth)
  def isTent: Boolean = cloth.force > widest
  def hem(): Cloth = cloth.fold(1)

def linen(using Strong[Yarn]): Cloth =
  Cloth(Flax.spin(10), new Yarn(Flax))

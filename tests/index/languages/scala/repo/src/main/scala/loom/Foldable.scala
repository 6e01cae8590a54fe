package loom

import scala.collection.mutable, mutable.ArrayBuffer

trait Foldable:
  private val creases = ArrayBuffer.empty[Int]

  def fold(times: Int): Foldable

  def describe(times: Int): String =
    creases += times
    s"folded ${creases.size} times"

abstract class Named(val label: String)

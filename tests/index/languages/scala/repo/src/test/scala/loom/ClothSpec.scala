package loom

import org.scalatest.funsuite.AnyFunSuite
import loom.thread._

class ClothSpec extends AnyFunSuite {
  test("linen is strong") {
    assert(linen.force > 0)
    assert(Thread.of("merino").strength > Wool("merino").strength)
  }
}

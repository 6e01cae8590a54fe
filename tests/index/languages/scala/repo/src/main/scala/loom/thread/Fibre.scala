package loom.thread

/** What a thread is spun from. */
sealed trait Fibre {
  def name: String
  def strength: Double = 1.0

  def spin(turns: Int): Thread = new Thread(this, turns)
}

case object Flax extends Fibre {
  val name = "flax"
  override def strength: Double = 2.0
}

case class Wool(breed: String, crimp: Int = 3) extends Fibre with Ordered[Wool] {
  def name: String = s"wool of $breed"

  def compare(that: Wool): Int = crimp.compareTo(that.crimp)
}

/** Fibres turned round each other.
  *
  * @param turns for every centimetre
  */
class Thread(val fibre: Fibre, turns: Int) {
  private var length = Thread.Metre

  def this(fibre: Fibre) = this(fibre, Thread.Usual)

  def strength: Double = {
    def twisted(base: Double) = base * turns
    twisted(fibre.strength)
  }

  def cut(by: Int): Unit = {
    // TODO: keep the rest for mending
    length -= by
  }
}

object Thread {
  val Usual = 12
  val Metre = 100

  def of(breed: String): Thread = Wool(breed).spin(Usual)
}

package orchard

import orchard.fruit.Apple
import orchard.fruit.Fruit
import orchard.fruit.HEAVY
import orchard.fruit.Peelable
import orchard.fruit.asKilos
import orchard.fruit.Windfall as Fallen

/** Where fruit is sold. */
object Market {
    private val stock = mutableListOf<Fruit>()

    fun deliver(crates: Int) {
        repeat(crates) { stock += Apple("Gravenstein").pick() }
        stock.add(Fallen)
    }

    fun best(): Fruit? = Fruit.heaviest(stock)

    suspend fun peeled(): List<Fruit> = stock.filterIsInstance<Peelable>().map { it.peel() }
}

val Fruit.isHeavy: Boolean
    get() = grams > HEAVY

internal fun Market.kilos(): Double = best()?.grams?.asKilos() ?: 0.0

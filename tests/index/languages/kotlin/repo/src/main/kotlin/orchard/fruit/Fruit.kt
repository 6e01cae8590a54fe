package orchard.fruit

/** Grams above which a fruit is sold by the piece. */
const val HEAVY = 250

typealias Taster = (Fruit) -> Int

/**
 * Something that grows on a tree.
 *
 * @property grams what it weighs when it is picked
 */
sealed class Fruit(val grams: Int) {
    abstract val name: String

    var isPicked = false
        private set

    fun pick(): Fruit {
        isPicked = true
        return this
    }

    open fun label(): String = describe(name, grams.asKilos())

    protected fun describe(name: String, kilos: Double): String {
        fun rounded() = "%.1f".format(kilos)
        return "$name ${rounded()}"
    }

    companion object {
        const val SEASONS = 4

        fun heaviest(fruits: List<Fruit>): Fruit? = fruits.maxByOrNull { it.grams }
    }
}

interface Peelable {
    val minutes: Int

    fun peel(): Fruit
}

enum class Ripeness(val days: Int) {
    GREEN(9),
    RIPE(2) {
        override fun isEdible() = true
    };

    open fun isEdible() = false
}

// TODO: pounds, for the stall at the border
fun Int.asKilos(): Double = this / 1000.0

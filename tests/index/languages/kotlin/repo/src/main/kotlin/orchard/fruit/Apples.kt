package orchard.fruit

data class Apple(
    val variety: String,
    private val weight: Int,
) : Fruit(weight), Peelable {
    override val name: String
        get() = variety.lowercase()
    override val minutes = 1

    constructor(variety: String) : this(variety, HEAVY)

    override fun peel(): Fruit = this.pick()

    override fun label() = super.label() + Ripeness.RIPE.days

    inner class Seed {
        fun sow(): Apple = Apple(variety)
    }
}

data object Windfall : Fruit(1) {
    override val name = "windfall"
}

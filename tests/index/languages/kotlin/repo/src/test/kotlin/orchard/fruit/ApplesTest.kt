package orchard.fruit

import kotlin.test.Test
import kotlin.test.assertEquals
import orchard.Market

class ApplesTest {
    @Test
    fun `a peeled apple is picked`() {
        val apple = Apple("Cox", 120)
        assertEquals(true, apple.peel().isPicked)
        Market.deliver(crates = 2)
    }
}

package harbor.tide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harbor.Almanac;
import org.junit.jupiter.api.Test;

class GaugeTest {
    @Test
    void reads_what_the_sensor_says() {
        Gauge gauge = new Gauge("pier", () -> 1.5);
        assertEquals(1.5, gauge.read().metres());
        assertEquals(0, Almanac.quay().mean());
    }
}

package harbor.tide;

import java.util.ArrayList;
import java.util.List;

/**
 * A place where the height of the water is read.
 *
 * @see Gauge
 */
public abstract class Station implements Comparable<Station> {
    /** Metres below the mark at which ships must wait. */
    public static final double LOWEST = -2.5;

    protected final List<Reading> readings = new ArrayList<>();
    private final String name;

    protected Station(String name) {
        this.name = name;
    }

    protected abstract Reading read();

    public double mean() {
        // TODO: weigh readings by their age
        return readings.stream().mapToDouble(Reading::metres).average().orElse(0);
    }

    public String describe() {
        return Labels.of(name, mean());
    }

    @Override
    public int compareTo(Station other) {
        return Double.compare(mean(), other.mean());
    }

    /** One height at one minute. */
    public record Reading(int minute, double metres) {
        public Reading {
            check(minute);
        }

        private static void check(int minute) {
            if (minute < 0) {
                throw new IllegalArgumentException("minute");
            }
        }

        boolean isLow() {
            return metres < LOWEST;
        }
    }
}

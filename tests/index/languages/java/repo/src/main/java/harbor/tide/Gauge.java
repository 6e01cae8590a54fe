package harbor.tide;

import java.util.function.DoubleSupplier;

@Deprecated
public class Gauge extends Station {
    private final DoubleSupplier sensor;

    public Gauge(String name, DoubleSupplier sensor) {
        super(name);
        this.sensor = sensor;
    }

    @Override
    protected Reading read() {
        Reading reading = new Reading(0, sensor.getAsDouble());
        this.keep(reading);
        return reading;
    }

    private void keep(Reading reading) {
        readings.add(reading);
        if (reading.isLow()) {
            warn();
        }
    }

    private void warn() {
        System.err.println(super.describe());
    }
}

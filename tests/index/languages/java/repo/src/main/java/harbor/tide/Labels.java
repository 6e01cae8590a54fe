package harbor.tide;

final class Labels {
    private Labels() {}

    static String of(String name, double metres) {
        return name + Unit.METRE.suffix + metres;
    }

    enum Unit {
        METRE(" m "),
        FATHOM(" ftm ");

        final String suffix;

        Unit(String suffix) {
            this.suffix = suffix;
        }
    }
}

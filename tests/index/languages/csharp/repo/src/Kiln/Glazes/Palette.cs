namespace Kiln.Glazes;

public static class Palette
{
    public delegate Glaze Recipe(int point);

    public static Glaze Mix(Glaze one, Glaze other) => new Glaze((one.Point + other.Point) / 2);

    public static bool IsTooHot(this Firing.Reading reading) => reading.Degrees > Firing.Hottest;
}

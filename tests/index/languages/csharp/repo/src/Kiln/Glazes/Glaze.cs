using static Kiln.Glazes.Palette;

namespace Kiln.Glazes
{
    public interface IMelts
    {
        int Point { get; }

        bool MeltsAt(int degrees);
    }

    public enum Surface { Matt, Gloss = 2 }

    public partial struct Glaze : IMelts
    {
        public Glaze(int point) { Point = point; }

        public int Point { get; }

        public bool MeltsAt(int degrees) => degrees >= Point && degrees < Firing.Hottest;

        public static Glaze operator +(Glaze one, Glaze other) => Mix(one, other);
    }
}

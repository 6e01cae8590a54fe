using Kiln.Glazes;
using Finish = Kiln.Glazes.Surface;

namespace Kiln;

[Serializable]
public sealed class GlazeFiring : Firing, IComparable<GlazeFiring>
{
    private readonly IMelts _glaze;

    public GlazeFiring(string name, IMelts glaze)
        : base(name)
    {
        _glaze = glaze;
    }

    public Finish Finish { get; init; }

    public override bool IsDone() => _glaze.MeltsAt(this.Peak);

    public async Task<bool> RunAsync(int degrees)
    {
        Measure(degrees);
        base.Measure(degrees + 1);
        await Task.Delay(1);
        return IsDone();
    }

    public int CompareTo(GlazeFiring? other) => Peak.CompareTo(other?.Peak);
}

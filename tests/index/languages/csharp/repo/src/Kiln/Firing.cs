namespace Kiln;

/// <summary>One heating of the kiln, from cold to cold.</summary>
/// <remarks>Temperatures are in degrees Celsius.</remarks>
public abstract class Firing
{
    public const int Hottest = 1300;
    private static readonly TimeSpan Pause = TimeSpan.FromMinutes(5);

    protected readonly List<Reading> _readings = new();

    public event EventHandler<Reading>? Measured;

    protected Firing(string name) => Name = name;

    public string Name { get; }

    public int Peak => _readings.Max(reading => reading.Degrees);

    public abstract bool IsDone();

    protected virtual void Measure(int degrees)
    {
        var reading = new Reading(degrees);
        _readings.Add(reading);
        Measured?.Invoke(this, reading);
        Check(reading);

        void Check(Reading taken)
        {
            // TODO: ring the bell before it is too late
            if (taken.IsTooHot()) throw new KilnException(Name);
        }
    }

    public record Reading(int Degrees);
}

public class KilnException(string name) : Exception(name);

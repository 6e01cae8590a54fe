using Kiln.Glazes;
using Xunit;

namespace Kiln.Tests;

public class GlazeFiringTests
{
    [Fact]
    public async Task Is_done_when_the_glaze_melts()
    {
        var firing = new GlazeFiring("blue", Palette.Mix(new Glaze(1200), new Glaze(1240)));
        Assert.True(await firing.RunAsync(1220));
    }
}

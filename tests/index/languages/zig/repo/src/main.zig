const bag = @import("bag.zig");
const Post = @import("letter.zig").Letter;

extern fn ring(times: c_int) void;

pub fn main() !void {
    var round: bag.Round = undefined;
    try round.collect(12);
    _ = try Post.init(3);
    ring(2);
}

test {
    _ = @import("letter_test.zig");
}

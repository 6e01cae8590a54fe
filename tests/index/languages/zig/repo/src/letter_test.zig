const std = @import("std");
const letter = @import("letter.zig");

test "franking leaves the weight" {
    const plain = try letter.Letter.init(20);
    try std.testing.expectEqual(plain.grams, plain.franked().grams);
}

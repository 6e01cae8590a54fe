const std = @import("std");
const Letter = @import("letter.zig").Letter;
const letters = @import("letter.zig");

/// Things in the order in which they are delivered.
pub fn Bag(comptime T: type) type {
    return struct {
        items: std.ArrayList(T),

        pub fn push(self: *@This(), item: T) !void {
            try self.items.append(item);
        }
    };
}

pub const Round = struct {
    bag: Bag(Letter),

    // TODO: sort by street
    pub fn collect(self: *Round, grams: u32) !void {
        const letter = try Letter.init(grams);
        try self.bag.push(letter.franked());
        note(letter);
    }

    pub const Street = struct {
        houses: u16,
    };
};

fn note(letter: letters.Letter) void {
    letters.carried += letter.grams;
}

test "a heavy letter stays" {
    try std.testing.expectError(letters.PostError.TooHeavy, Letter.init(letters.heaviest + 1));
}

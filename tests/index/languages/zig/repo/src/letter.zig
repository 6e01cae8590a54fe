//! What a carrier carries.
const std = @import("std");

/// Grams that a letter may weigh.
pub const heaviest: u32 = 50;

pub var carried: usize = 0;

pub const PostError = error{ TooHeavy, NoStamp };

pub const Size = enum(u8) {
    small,
    large = 2,

    pub fn price(self: Size) u32 {
        return switch (self) {
            .small => 80,
            .large => 160,
        };
    }
};

pub const Mark = union(enum) {
    stamp: u32,
    none,
};

/// A letter on its way.
pub const Letter = struct {
    grams: u32,
    size: Size = .small,
    mark: Mark,

    const Self = @This();

    pub fn init(grams: u32) PostError!Letter {
        if (grams > heaviest) return PostError.TooHeavy;
        return Letter{ .grams = grams, .mark = .none };
    }

    pub fn franked(self: Self) Self {
        var copy = self;
        copy.mark = .{ .stamp = self.cost() };
        return copy;
    }

    fn cost(self: Self) u32 {
        return self.size.price();
    }
};

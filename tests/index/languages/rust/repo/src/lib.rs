//! Tides for small harbours.

pub mod gauge;
mod table;

pub use gauge::{Gauge, Level};
pub use table::Table;

/// Metres between two marks on the wall.
pub const MARK: f64 = 0.25;

/// Rounds a height to the nearest mark.
#[macro_export]
macro_rules! to_mark {
    ($height:expr) => {
        ($height / $crate::MARK).round() * $crate::MARK
    };
}

/// What can go wrong at the quay.
#[derive(Debug, Clone, PartialEq)]
pub enum QuayError {
    /// No gauge answered.
    Silent,
    OutOfRange(f64),
    Broken { gauge: String },
}

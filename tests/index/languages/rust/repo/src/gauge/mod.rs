//! Reading the height of the water.

mod float;

pub use self::float::Float;
use crate::QuayError;
use std::fmt;

static HIGHEST: f64 = 12.0;

/// A height at a time.
#[derive(Debug, Clone, Copy)]
pub struct Level {
    pub height: f64,
    pub minute: u32,
}

/// Anything that can be read.
pub trait Gauge: fmt::Debug {
    const NAME: &'static str;

    /// Reads once.
    fn read(&mut self) -> Result<Level, QuayError>;

    fn read_many(&mut self, count: usize) -> Vec<Level> {
        (0..count).filter_map(|_| self.read().ok()).collect()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} m", rounded(self.height))
    }
}

impl Level {
    pub const ZERO: Level = Level { height: 0.0, minute: 0 };

    pub fn new(height: f64, minute: u32) -> Result<Self, QuayError> {
        check(height)?;
        Ok(Level { height, minute })
    }
}

fn rounded(height: f64) -> f64 {
    fn cents(height: f64) -> f64 {
        (height * 100.0).round()
    }
    cents(height) / 100.0
}

fn check(height: f64) -> Result<(), QuayError> {
    if height > HIGHEST {
        return Err(QuayError::OutOfRange(height));
    }
    Ok(())
}

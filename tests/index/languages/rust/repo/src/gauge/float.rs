use super::{Gauge, Level};
use crate::{to_mark, QuayError};

/// A float on a chain.
#[derive(Debug, Default)]
pub struct Float {
    chain: f64,
    minute: u32,
}

impl Float {
    pub fn with_chain(chain: f64) -> Self {
        Float { chain, ..Self::default() }
    }

    fn tick(&mut self) -> u32 {
        self.minute += 1;
        self.minute
    }
}

impl Gauge for Float {
    const NAME: &'static str = "float";

    fn read(&mut self) -> Result<Level, QuayError> {
        // TODO: wait for the swell to pass
        let minute = self.tick();
        Level::new(to_mark!(self.chain), minute)
    }
}

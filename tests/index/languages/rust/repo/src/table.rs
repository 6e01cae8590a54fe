use crate::gauge::Gauge;
use crate::gauge::Level as Height;

type Rows = Vec<Height>;

/// Heights of one day.
pub struct Table<G> {
    rows: Rows,
    gauge: G,
}

impl<G: Gauge> Table<G> {
    pub fn new(gauge: G) -> Self {
        Table { rows: Rows::new(), gauge }
    }

    pub fn fill(&mut self, count: usize) -> usize {
        self.rows = self.gauge.read_many(count);
        self.rows.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gauge::Float;

    #[test]
    fn fills_to_the_count() {
        let mut table = Table::new(Float::with_chain(1.0));
        assert_eq!(table.fill(3), 3);
    }
}

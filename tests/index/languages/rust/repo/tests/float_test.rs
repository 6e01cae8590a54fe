use tide_table::gauge::Float;
use tide_table::{Gauge, QuayError};

#[test]
fn reads_a_mark() -> Result<(), QuayError> {
    let mut float = Float::with_chain(1.1);
    assert_eq!(float.read()?.height, 1.0);
    Ok(())
}

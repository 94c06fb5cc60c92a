//! How long work tells that it moves on. The binary draws it; libraries only report.

/// Receives the steps of long work. `total` is zero where it cannot be known in advance.
pub trait Progress {
    fn begin(&self, what: &str, total: u64);
    fn advance(&self, by: u64);
    fn end(&self);

    /// What the innermost step is at, for somebody who looks on; it is not kept.
    fn detail(&self, _text: &str) {}
}

/// Reports to nobody.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _what: &str, _total: u64) {}
    fn advance(&self, _by: u64) {}
    fn end(&self) {}
}

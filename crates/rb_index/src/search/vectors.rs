//! Vectors as they are kept: bytes with a common scale, of length one, so that near is a product.

/// Vectors one after the other, each its scale and a signed byte for each component.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rows {
    dimensions: usize,
    bytes: Vec<u8>,
}

const SCALE: usize = size_of::<f32>();

impl Rows {
    pub(crate) fn new(dimensions: usize) -> Self {
        Rows { dimensions, bytes: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.width()
    }

    fn width(&self) -> usize {
        SCALE + self.dimensions
    }

    /// Of any length; one of no length, or with a component that is no number, is far from all.
    pub(crate) fn push(&mut self, vector: &[f32]) {
        debug_assert_eq!(vector.len(), self.dimensions);
        let length = vector.iter().map(|component| component * component).sum::<f32>().sqrt();
        let largest =
            vector.iter().fold(0.0_f32, |largest, component| largest.max(component.abs()));
        let usable = length.is_normal() && largest.is_normal();
        let scale = if usable { largest / 127.0 / length } else { 0.0 };
        self.bytes.extend(scale.to_le_bytes());
        let factor = if usable { 127.0 / largest } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "at most 127 by the scale")]
        self.bytes.extend(
            vector.iter().map(|component| ((component * factor).round() as i8).cast_unsigned()),
        );
    }

    pub(crate) fn push_nothing(&mut self) {
        self.bytes.resize(self.bytes.len() + self.width(), 0);
    }

    pub(crate) fn push_row(&mut self, row: &[u8]) {
        debug_assert_eq!(row.len(), self.width());
        self.bytes.extend(row);
    }

    pub(crate) fn append(&mut self, rows: &Rows) {
        debug_assert_eq!(self.dimensions, rows.dimensions);
        self.bytes.extend(&rows.bytes);
    }

    /// Whole rows from the store; `None` where they are not.
    pub(crate) fn extend(&mut self, bytes: &[u8]) -> Option<()> {
        self.bytes.extend(bytes);
        self.bytes.len().is_multiple_of(self.width()).then_some(())
    }

    pub(crate) fn row(&self, at: usize) -> Option<&[u8]> {
        self.bytes.get(at * self.width()..)?.get(..self.width())
    }

    /// As numbers, of length one.
    pub(crate) fn vector(&self, at: usize) -> Option<Vec<f32>> {
        let (scale, components) = self.row(at)?.split_first_chunk()?;
        let scale = f32::from_le_bytes(*scale);
        Some(components.iter().map(|byte| scale * f32::from(byte.cast_signed())).collect())
    }

    /// Cut into blocks of so many bytes at most.
    pub(crate) fn blocks(&self, size: usize) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks(self.in_block(size) * self.width())
    }

    /// Rows in such a block.
    pub(crate) fn in_block(&self, size: usize) -> usize {
        (size / self.width()).max(1)
    }

    /// Of which dimensions so many rows are, by their bytes.
    pub(crate) fn dimensions_of(bytes: usize, rows: usize) -> usize {
        bytes.checked_div(rows).map_or(0, |width| width.saturating_sub(SCALE))
    }

    /// The cosine of each row with the first row of `asked`.
    pub(crate) fn cosines(&self, asked: &Rows) -> impl Iterator<Item = f32> {
        let asked = asked.bytes.split_first_chunk::<SCALE>();
        self.bytes.chunks_exact(self.width()).map(move |row| {
            let (Some((scale, row)), Some((other, asked))) =
                (row.split_first_chunk::<SCALE>(), asked)
            else {
                return 0.0;
            };
            let scale = f32::from_le_bytes(*scale) * f32::from_le_bytes(*other);
            #[expect(clippy::cast_precision_loss, reason = "far below 2^24 for all that matters")]
            {
                product(row, asked) as f32 * scale
            }
        })
    }
}

fn product(a: &[u8], b: &[u8]) -> i32 {
    a.iter()
        .zip(b)
        .map(|(a, b)| i32::from(i16::from(a.cast_signed()) * i16::from(b.cast_signed())))
        .sum()
}

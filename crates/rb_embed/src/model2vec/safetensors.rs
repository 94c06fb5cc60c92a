//! The safetensors format: a length, a JSON header of that length, and the numbers of all tensors one after another.

use std::ops::Range;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::error::Problem;

/// Static models have three tensors at most.
const LARGEST_HEADER: u64 = 1 << 20;

/// The length of the header, before it.
const LENGTH: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    F64,
    F32,
    F16,
    Bf16,
    I8,
    I32,
    I64,
}

impl Number {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "F64" => Number::F64,
            "F32" => Number::F32,
            "F16" => Number::F16,
            "BF16" => Number::Bf16,
            "I8" => Number::I8,
            "I32" => Number::I32,
            "I64" => Number::I64,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Number::I8 => 1,
            Number::F16 | Number::Bf16 => 2,
            Number::F32 | Number::I32 => 4,
            Number::F64 | Number::I64 => 8,
        }
    }
}

/// Where the numbers of a tensor lie in the file; checked to be in it, and to be as many as the shape says.
#[derive(Debug, Clone)]
pub(super) struct Tensor {
    number: Number,
    pub(super) shape: Vec<usize>,
    bytes: Range<usize>,
}

/// The header of a file.
pub(super) struct Header {
    tensors: Map<String, Value>,
    data: Range<usize>,
}

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Header {
    pub(super) fn read(file: &[u8]) -> Result<Self, Problem> {
        let broken = |why: &str| Problem::Broken(why.to_owned());
        let (length, rest) = file
            .split_first_chunk::<LENGTH>()
            .ok_or_else(|| broken("it is too short to be a safetensors file"))?;
        let length = u64::from_le_bytes(*length);
        if length > LARGEST_HEADER {
            return Err(broken("it does not begin like a safetensors file"));
        }
        let header = usize::try_from(length)
            .ok()
            .and_then(|length| rest.get(..length))
            .ok_or_else(|| broken("it ends within its header"))?;
        let tensors = serde_json::from_slice(header)
            .map_err(|_| broken("its header is not a list of tensors"))?;
        Ok(Header { tensors, data: LENGTH + header.len()..file.len() })
    }

    /// `None` where there is no tensor of that name.
    pub(super) fn tensor(&self, name: &'static str) -> Result<Option<Tensor>, Problem> {
        let Some(entry) = self.tensors.get(name) else { return Ok(None) };
        let broken = |why: &str| Problem::Broken(format!("{why} its tensor `{name}`"));
        let Ok(entry) = Entry::deserialize(entry) else {
            return Err(broken("it does not say what is in"));
        };
        let Some(number) = Number::named(&entry.dtype) else {
            let why = "holds numbers of a type that model2vec does not write".to_owned();
            return Err(Problem::Tensor { tensor: name, why });
        };
        let bytes = self.place(entry.data_offsets).ok_or_else(|| broken("it ends before"))?;
        let size = entry.shape.iter().try_fold(number.size(), |size, &side| size.checked_mul(side));
        if size != Some(bytes.len()) {
            return Err(broken("it has more or fewer bytes than the shape says of"));
        }
        Ok(Some(Tensor { number, shape: entry.shape, bytes }))
    }

    fn place(&self, (start, end): (usize, usize)) -> Option<Range<usize>> {
        let start = self.data.start.checked_add(start)?;
        let end = self.data.start.checked_add(end)?;
        (start <= end && end <= self.data.end).then_some(start..end)
    }
}

impl Tensor {
    /// Puts `count` of its numbers into `into`, in place of what is there.
    pub(super) fn read(&self, file: &[u8], first: usize, count: usize, into: &mut Vec<f64>) {
        into.clear();
        let size = self.number.size();
        let start = self.bytes.start + first * size;
        let bytes = &file[start..start + count * size];
        match self.number {
            Number::F64 => into.extend(chunks(bytes).map(f64::from_le_bytes)),
            Number::F32 => into.extend(chunks(bytes).map(|raw| f64::from(f32::from_le_bytes(raw)))),
            Number::F16 => into.extend(chunks(bytes).map(|raw| half(u16::from_le_bytes(raw)))),
            Number::Bf16 => into.extend(chunks(bytes).map(|raw| brain(u16::from_le_bytes(raw)))),
            Number::I8 => into.extend(chunks(bytes).map(|raw| f64::from(i8::from_le_bytes(raw)))),
            Number::I32 => into.extend(chunks(bytes).map(|raw| f64::from(i32::from_le_bytes(raw)))),
            #[expect(clippy::cast_precision_loss, reason = "whoever counts so far is refused")]
            Number::I64 => into.extend(chunks(bytes).map(|raw| i64::from_le_bytes(raw) as f64)),
        }
    }
}

fn chunks<const SIZE: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; SIZE]> {
    bytes.as_chunks().0.iter().copied()
}

/// IEEE half precision. Infinities come out as what is no number: neither is of use.
fn half(bits: u16) -> f64 {
    const EXPONENT: u16 = 0x7c00;
    // By as much as the exponents of the two formats are apart.
    const SHIFT: f32 = f32::from_bits((112 + 127) << 23);
    if bits & EXPONENT == EXPONENT {
        return f64::NAN;
    }
    let magnitude = f32::from_bits(u32::from(bits & 0x7fff) << 13) * SHIFT;
    f64::from(if bits >> 15 == 1 { -magnitude } else { magnitude })
}

/// The upper half of an f32.
fn brain(bits: u16) -> f64 {
    f64::from(f32::from_bits(u32::from(bits) << 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix6_half_precision_is_read_exactly() {
        let rows: [(u16, f64); 9] = [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_953_125),
            (0x7bff, 65504.0),
            (0x0400, 2.0_f64.powi(-14)),
            (0x03ff, 1023.0 * 2.0_f64.powi(-24)),
            (0x0001, 2.0_f64.powi(-24)),
            (0x8001, -(2.0_f64.powi(-24))),
        ];
        for (bits, number) in rows {
            assert_eq!(half(bits).to_bits(), number.to_bits(), "{bits:04x}");
        }
        assert!(half(0x7c00).is_nan() && half(0xfc00).is_nan() && half(0x7e00).is_nan());
    }
}

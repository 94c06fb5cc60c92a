//! The vectors of the tokens, as they lie in the file: a row is turned into numbers when it is needed.

use super::error::{Model2VecError, Problem};
use super::files::File;
use super::safetensors::{Header, Tensor};

/// As model2vec names its table, and as sentence-transformers does.
const NAMES: [&str; 2] = ["embeddings", "embedding.weight"];

/// The models that static ones are made from have fewer.
const MOST_DIMENSIONS: usize = 16_384;

pub(super) struct Table {
    file: Vec<u8>,
    layout: Layout,
}

/// What is where in the file.
struct Layout {
    rows: Tensor,
    dimensions: usize,
    /// By token; all weigh the same where the model has none.
    weights: Option<Vec<f64>>,
    /// The row of a token; its own number where the model has no mapping.
    mapping: Option<Vec<usize>>,
}

impl Table {
    /// For tokens that are numbered from zero up to `tokens`, which is not one of them.
    pub(super) fn read(file: File, tokens: usize) -> Result<Self, Model2VecError> {
        match Layout::read(&file.bytes, tokens) {
            Ok(layout) => Ok(Table { file: file.bytes, layout }),
            Err(problem) => Err(file.error(problem)),
        }
    }

    pub(super) fn dimensions(&self) -> usize {
        self.layout.dimensions
    }

    /// The mean of the tokens' vectors, in unit length; zeros where it has no direction. A vector with something in
    /// it that is no number counts for nothing.
    pub(super) fn mean(&self, tokens: &[u32]) -> Vec<f32> {
        let Layout { rows, dimensions, weights, mapping } = &self.layout;
        let mut sum = vec![0.0; *dimensions];
        let mut vector = Vec::with_capacity(*dimensions);
        for &token in tokens {
            let token = token as usize;
            let weight = weights.as_ref().map_or(1.0, |weights| weights[token]);
            let row = mapping.as_ref().map_or(token, |mapping| mapping[token]);
            rows.read(&self.file, row * dimensions, *dimensions, &mut vector);
            if weight.is_finite() && vector.iter().all(|number| number.is_finite()) {
                sum.iter_mut().zip(&vector).for_each(|(sum, number)| *sum += number * weight);
            }
        }
        unit(&sum)
    }
}

impl Layout {
    fn read(file: &[u8], tokens: usize) -> Result<Self, Problem> {
        let header = Header::read(file)?;
        let (name, rows) = embeddings(&header)?;
        let (count, dimensions) = match rows.shape[..] {
            [count, dimensions] if (1..=MOST_DIMENSIONS).contains(&dimensions) => {
                (count, dimensions)
            }
            _ => return Err(wrong(name, "is no table of vectors")),
        };
        let weights = per_token(&header, "weights", file, tokens)?;
        let mapping = match per_token(&header, "mapping", file, tokens)? {
            Some(numbers) => Some(rows_of(&numbers, count)?),
            None if count < tokens => {
                return Err(Problem::Vocabulary { tensor: name, rows: count, tokens });
            }
            None => None,
        };
        Ok(Layout { rows, dimensions, weights, mapping })
    }
}

/// The length of the sum says nothing that the mean would not: both point the same way.
fn unit(sum: &[f64]) -> Vec<f32> {
    // By the largest first, so that no square is too large or too small to be a number.
    let largest = sum.iter().fold(0.0_f64, |largest, number| largest.max(number.abs()));
    let length = sum.iter().map(|number| (number / largest).powi(2)).sum::<f64>().sqrt();
    if !largest.is_finite() || !length.is_normal() {
        return vec![0.0; sum.len()];
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most one, rounded")]
    sum.iter().map(|number| (number / largest / length) as f32).collect()
}

fn wrong(tensor: &'static str, why: &str) -> Problem {
    Problem::Tensor { tensor, why: why.to_owned() }
}

fn embeddings(header: &Header) -> Result<(&'static str, Tensor), Problem> {
    for name in NAMES {
        if let Some(tensor) = header.tensor(name)? {
            return Ok((name, tensor));
        }
    }
    Err(wrong(NAMES[0], "is missing"))
}

/// The numbers of a tensor that has one for each token, if the model has it.
fn per_token(
    header: &Header,
    name: &'static str,
    file: &[u8],
    tokens: usize,
) -> Result<Option<Vec<f64>>, Problem> {
    let Some(tensor) = header.tensor(name)? else { return Ok(None) };
    match tensor.shape[..] {
        [rows] if rows >= tokens => {
            let mut numbers = Vec::with_capacity(tokens);
            tensor.read(file, 0, tokens, &mut numbers);
            Ok(Some(numbers))
        }
        [rows] => Err(Problem::Vocabulary { tensor: name, rows, tokens }),
        _ => Err(wrong(name, "is no list of numbers")),
    }
}

fn rows_of(numbers: &[f64], count: usize) -> Result<Vec<usize>, Problem> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "only whole numbers below the count of rows are taken"
    )]
    let row = |&number: &f64| {
        let is_row = number >= 0.0 && number < count as f64 && number.fract() == 0.0;
        is_row.then_some(number as usize)
    };
    let rows: Option<Vec<usize>> = numbers.iter().map(row).collect();
    rows.ok_or_else(|| wrong("mapping", "points at a row that the table does not have"))
}

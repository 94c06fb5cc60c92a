//! What is read for all questions about a repository together, as by a newcomer who asks one after the other: a session. Files count
//! once, reads once for each question, and no share exceeds 100%.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::metrics::{Direction, Unit};
use super::value::Value;

/// How many files are read first.
const FIRST: usize = 5;

/// By metric; `None` where nothing was read, or no question has gold files.
pub type ReadingValues = BTreeMap<ReadingMetric, Option<Value>>;

/// In the order of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadingMetric {
    Important,
    ImportantOfAllReads,
    #[serde(rename = "important_in_first_5")]
    ImportantInFirst5,
    Central,
    ImportantGold,
    TrivialPerSession,
}

/// The files of a repository that a newcomer should read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Landmarks {
    /// The 20 most important files.
    pub important: BTreeSet<String>,
    /// The 20 files that the most files use.
    pub central: BTreeSet<String>,
}

impl ReadingMetric {
    pub const ALL: [ReadingMetric; 6] = [
        ReadingMetric::Important,
        ReadingMetric::ImportantOfAllReads,
        ReadingMetric::ImportantInFirst5,
        ReadingMetric::Central,
        ReadingMetric::ImportantGold,
        ReadingMetric::TrivialPerSession,
    ];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            ReadingMetric::Important => "important files",
            ReadingMetric::ImportantOfAllReads => "important of all reads",
            ReadingMetric::ImportantInFirst5 => "important in first 5",
            ReadingMetric::Central => "central files",
            ReadingMetric::ImportantGold => "important gold files",
            ReadingMetric::TrivialPerSession => "trivial per session",
        }
    }

    /// What is counted, for a repository.
    pub fn definition(self) -> &'static str {
        match self {
            ReadingMetric::Important => {
                "distinct files read that are among the 20 most important / distinct files read"
            }
            ReadingMetric::ImportantOfAllReads => {
                "reads of files that are among the 20 most important / reads; each question reads a file once"
            }
            ReadingMetric::ImportantInFirst5 => {
                "important files for the first 5 distinct files, or all if there are fewer"
            }
            ReadingMetric::Central => {
                "distinct files read that are among the 20 that the most files use / distinct files read"
            }
            ReadingMetric::ImportantGold => {
                "gold files that are among the 20 most important / gold files: what reading only these would score"
            }
            ReadingMetric::TrivialPerSession => {
                "reads of trivial files for all questions; each question reads a file once"
            }
        }
    }

    /// `None` for what the questions decide, not the answers.
    pub fn direction(self) -> Option<Direction> {
        match self {
            ReadingMetric::Important
            | ReadingMetric::ImportantOfAllReads
            | ReadingMetric::ImportantInFirst5
            | ReadingMetric::Central => Some(Direction::HigherIsBetter),
            ReadingMetric::TrivialPerSession => Some(Direction::LowerIsBetter),
            ReadingMetric::ImportantGold => None,
        }
    }

    pub fn unit(self) -> Unit {
        match self {
            ReadingMetric::Important
            | ReadingMetric::ImportantOfAllReads
            | ReadingMetric::ImportantInFirst5
            | ReadingMetric::Central
            | ReadingMetric::ImportantGold => Unit::Share,
            ReadingMetric::TrivialPerSession => Unit::Count,
        }
    }

    /// `83.3%`, `2`, or `n/a`.
    pub fn show(self, value: Option<Value>) -> String {
        self.unit().show(value)
    }
}

/// Measures what was read for each question after the other. `trivial` of these reads were of trivial files.
pub fn measure<'f>(
    read: impl IntoIterator<Item = &'f str>,
    trivial: u64,
    gold: &BTreeSet<String>,
    landmarks: &Landmarks,
) -> ReadingValues {
    let read: Vec<&str> = read.into_iter().collect();
    let mut distinct: Vec<&str> = Vec::new();
    for file in &read {
        if !distinct.contains(file) {
            distinct.push(file);
        }
    }
    let first = &distinct[..distinct.len().min(FIRST)];
    let share = |files: &[&str], of: &BTreeSet<String>| {
        Value::share(files.iter().filter(|file| of.contains(**file)).count(), files.len())
    };
    let important_gold = gold.intersection(&landmarks.important).count();
    let value = |metric: ReadingMetric| match metric {
        ReadingMetric::Important => share(&distinct, &landmarks.important),
        ReadingMetric::ImportantOfAllReads => share(&read, &landmarks.important),
        ReadingMetric::ImportantInFirst5 => share(first, &landmarks.important),
        ReadingMetric::Central => share(&distinct, &landmarks.central),
        ReadingMetric::ImportantGold => Value::share(important_gold, gold.len()),
        ReadingMetric::TrivialPerSession => (!read.is_empty()).then(|| Value::count(trivial)),
    };
    ReadingMetric::ALL.into_iter().map(|metric| (metric, value(metric))).collect()
}

/// Every repository counts the same.
pub fn mean<'v>(all: impl IntoIterator<Item = &'v ReadingValues>) -> ReadingValues {
    let all: Vec<&ReadingValues> = all.into_iter().collect();
    let of = |metric: ReadingMetric| {
        Value::mean(all.iter().filter_map(|values| values.get(&metric).copied().flatten()))
    };
    ReadingMetric::ALL.into_iter().map(|metric| (metric, of(metric))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(files: &str) -> BTreeSet<String> {
        files.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn as10_smart001_files_of_a_session_count_once_and_reads_once_a_question() {
        let landmarks = Landmarks { important: set("a b c"), central: set("a x") };
        let check = |read: &str, gold: &str, expected: [&str; 6]| {
            // What is called `t` is trivial.
            let trivial = read.split_whitespace().filter(|file| *file == "t").count() as u64;
            let values = measure(read.split_whitespace(), trivial, &set(gold), &landmarks);
            let shown: Vec<String> =
                values.iter().map(|(metric, value)| metric.show(*value)).collect();
            assert_eq!(shown, expected, "{read} {gold}");
        };
        check("", "", ["n/a", "n/a", "n/a", "n/a", "n/a", "n/a"]);
        check("a", "a", ["100.0%", "100.0%", "100.0%", "100.0%", "100.0%", "0"]);
        check("a a a x", "a x", ["50.0%", "75.0%", "50.0%", "100.0%", "50.0%", "0"]);
        check("1 2 3 4 5 a", "", ["16.7%", "16.7%", "0.0%", "16.7%", "n/a", "0"]);
        check("a b c 1 2 3", "1", ["50.0%", "50.0%", "60.0%", "16.7%", "0.0%", "0"]);
        check("a t t a", "", ["50.0%", "50.0%", "50.0%", "50.0%", "n/a", "2"]);
    }

    #[test]
    fn as10_repositories_count_the_same() {
        let landmarks = Landmarks { important: set("a"), central: set("") };
        let of = |read: &str| measure(read.split_whitespace(), 0, &set(""), &landmarks);
        let values = mean(&[of("a"), of("1 2 3"), of("")]);
        assert_eq!(values[&ReadingMetric::Important], Value::share(1, 2));
        assert_eq!(values[&ReadingMetric::ImportantGold], None);
        assert!(ReadingMetric::ALL.is_sorted());
    }
}

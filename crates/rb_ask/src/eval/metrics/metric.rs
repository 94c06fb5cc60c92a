//! The metrics: name, definition, unit, and which way is better.

use serde::{Deserialize, Serialize};

use crate::eval::value::Value;

/// In the order of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    PassRate,
    #[serde(rename = "gold_in_first_5")]
    GoldInFirst5,
    #[serde(rename = "gold_in_first_10")]
    GoldInFirst10,
    CitationPrecision,
    CitationRecall,
    CitationF1,
    Grounding,
    HallucinationRate,
    ImportantReads,
    TrivialReads,
    Rereads,
    Thrashing,
    ToolCalls,
    Tokens,
}

/// Whether more is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    HigherIsBetter,
    LowerIsBetter,
}

/// How a value reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Between 0 and 1, shown in percent.
    Share,
    /// A number per question.
    Count,
}

impl Metric {
    pub const ALL: [Metric; 14] = [
        Metric::PassRate,
        Metric::GoldInFirst5,
        Metric::GoldInFirst10,
        Metric::CitationPrecision,
        Metric::CitationRecall,
        Metric::CitationF1,
        Metric::Grounding,
        Metric::HallucinationRate,
        Metric::ImportantReads,
        Metric::TrivialReads,
        Metric::Rereads,
        Metric::Thrashing,
        Metric::ToolCalls,
        Metric::Tokens,
    ];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Metric::PassRate => "pass rate",
            Metric::GoldInFirst5 => "gold files in first 5",
            Metric::GoldInFirst10 => "gold files in first 10",
            Metric::CitationPrecision => "citation precision",
            Metric::CitationRecall => "citation recall",
            Metric::CitationF1 => "citation F1",
            Metric::Grounding => "grounding",
            Metric::HallucinationRate => "hallucination rate",
            Metric::ImportantReads => "important reads",
            Metric::TrivialReads => "trivial reads",
            Metric::Rereads => "re-reads",
            Metric::Thrashing => "thrashing",
            Metric::ToolCalls => "tool calls",
            Metric::Tokens => "tokens",
        }
    }

    /// What is counted, for a question.
    pub fn definition(self) -> &'static str {
        match self {
            Metric::PassRate => {
                "every required term in verified claims, no forbidden term, and a gold file cited; or rightly \"not found\""
            }
            Metric::GoldInFirst5 => "gold files among the first 5 cited files / gold files",
            Metric::GoldInFirst10 => "gold files among the first 10 cited files / gold files",
            Metric::CitationPrecision => "valid citations / citations",
            Metric::CitationRecall => "claims with a citation / claims",
            Metric::CitationF1 => "harmonic mean of citation precision and citation recall",
            Metric::Grounding => "verified claims / claims",
            Metric::HallucinationRate => {
                "claims that are not verified or contain a forbidden term / claims"
            }
            Metric::ImportantReads => {
                "files read that are among the 20 most important / files read"
            }
            Metric::TrivialReads => "trivial files read",
            Metric::Rereads => "reads that asked for lines shown before; they are not shown again",
            Metric::Thrashing => "more than 20 tool calls and no valid citation",
            Metric::ToolCalls => "tool calls",
            Metric::Tokens => "tokens sent to and received from models",
        }
    }

    pub fn direction(self) -> Direction {
        match self {
            Metric::PassRate
            | Metric::GoldInFirst5
            | Metric::GoldInFirst10
            | Metric::CitationPrecision
            | Metric::CitationRecall
            | Metric::CitationF1
            | Metric::Grounding
            | Metric::ImportantReads => Direction::HigherIsBetter,
            Metric::HallucinationRate
            | Metric::TrivialReads
            | Metric::Rereads
            | Metric::Thrashing
            | Metric::ToolCalls
            | Metric::Tokens => Direction::LowerIsBetter,
        }
    }

    pub fn unit(self) -> Unit {
        match self {
            Metric::TrivialReads | Metric::Rereads | Metric::ToolCalls | Metric::Tokens => {
                Unit::Count
            }
            Metric::PassRate
            | Metric::GoldInFirst5
            | Metric::GoldInFirst10
            | Metric::CitationPrecision
            | Metric::CitationRecall
            | Metric::CitationF1
            | Metric::Grounding
            | Metric::HallucinationRate
            | Metric::ImportantReads
            | Metric::Thrashing => Unit::Share,
        }
    }

    /// `83.3%`, `7.5`, or `n/a`.
    pub fn show(self, value: Option<Value>) -> String {
        self.unit().show(value)
    }
}

impl Unit {
    pub(in crate::eval) fn show(self, value: Option<Value>) -> String {
        match (value, self) {
            (None, _) => "n/a".to_owned(),
            (Some(value), Unit::Share) => value.percent(),
            (Some(value), Unit::Count) => value.to_string(),
        }
    }
}

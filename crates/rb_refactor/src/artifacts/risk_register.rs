//! `RISK_REGISTER.json`: what makes a change dangerous here, and what of this run somebody should look at.
//!
//! `Register` is plain data: risks of files from the index, risks of tasks from the ledger, each with its evidence in words and
//! what helps. It is a list to look at and stops nothing. No text of a file is shown but lines that the run took away.

mod of_index;
mod of_run;

use std::collections::BTreeMap;
use std::path::Path;

use rb_core::path::quote;
use serde::{Deserialize, Serialize};

pub(super) use self::of_index::is_made;
use super::{ArtifactsError, Inputs, put};

pub(crate) const NAME: &str = "RISK_REGISTER.json";
const VERSION: u32 = 2;
/// The most of a kind that are listed, the gravest first; the rest are counted.
const MOST: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Register {
    pub(crate) version: u32,
    /// Of the paths and contents of all files.
    pub(crate) tree: String,
    pub(crate) commit: Option<String>,
    /// By kind, what is not listed.
    pub(crate) left_out: BTreeMap<Kind, usize>,
    /// The gravest first, then by kind, path and line.
    pub(crate) risks: Vec<Risk>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Risk {
    pub(crate) severity: Severity,
    pub(crate) kind: Kind,
    /// Empty for the repository as a whole.
    pub(crate) path: String,
    /// Counted from 1; 0 for the whole file.
    pub(crate) line: u32,
    pub(crate) evidence: String,
    pub(crate) mitigation: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Severity {
    High,
    Medium,
    Low,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    TaskRefused,
    TaskTakenBack,
    TaskSkipped,
    LowConfidence,
    LostLogic,
    AuditWarning,
    /// By its name it may hold keys or passwords.
    SecretsLike,
    /// Changed often, complex, used by many.
    Hotspot,
    Untested,
    ImportCycle,
    PublicContract,
    OversizedFunction,
    SyntaxErrors,
    UnresolvedImport,
    /// Left out of the index: nothing is known of it.
    Unread,
    Generated,
}

impl Kind {
    /// For people, in two or three words.
    pub(crate) fn words(self) -> String {
        let name = serde_json::to_value(self).ok();
        name.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().replace('_', " ")
    }

    /// What helps.
    fn mitigation(self) -> &'static str {
        match self {
            Kind::TaskRefused => "read the reasons; the branch contains nothing of it",
            Kind::TaskTakenBack => {
                "read the reasons; the tasks that depend on it were reverted, too"
            }
            Kind::TaskSkipped => "run it again with more context, or do it by hand",
            Kind::LowConfidence => "read this change line by line before you accept it",
            Kind::LostLogic => "make sure that the line was removed on purpose",
            Kind::AuditWarning => "check this place before you accept the run",
            Kind::SecretsLike => "keep it out of tasks and out of model prompts",
            Kind::Hotspot => "change it in small steps, each with the full suite",
            Kind::Untested => "write a test that pins its behaviour first",
            Kind::ImportCycle => {
                "do not rely on the load order; break the cycle before you move code"
            }
            Kind::PublicContract => {
                "keep names and signatures, or allow changes of the public interface"
            }
            Kind::OversizedFunction => "extract parts of it before changing its logic",
            Kind::SyntaxErrors => {
                "do not edit it automatically; code that cannot be parsed is not analyzed"
            }
            Kind::UnresolvedImport => "its target is not analyzed; look for uses by hand",
            Kind::Unread => "it was not analyzed; uses in it are unknown",
            Kind::Generated => "change its source instead",
        }
    }
}

/// One risk. The path is shown as it can be shown.
fn risk(severity: Severity, kind: Kind, path: &str, line: u32, evidence: String) -> Risk {
    let (path, mitigation) = (quote(path.as_bytes()), kind.mitigation().to_owned());
    Risk { severity, kind, path, line, evidence, mitigation }
}

/// Computes it, writes it, and gives it to whoever goes on with it.
pub(crate) fn write(folder: &Path, inputs: &Inputs<'_>) -> Result<Register, ArtifactsError> {
    let mut risks = of_index::risks(inputs)?;
    risks.extend(of_run::risks(inputs.ledger, inputs.lost));
    let update = &inputs.indexed.update;
    let register = register(update.state.clone(), update.head.clone(), risks);
    put(folder, NAME, &text(&register))?;
    Ok(register)
}

fn register(tree: String, commit: Option<String>, mut risks: Vec<Risk>) -> Register {
    risks.sort();
    risks.dedup();
    let mut seen: BTreeMap<Kind, usize> = BTreeMap::new();
    risks.retain(|risk| {
        let count = seen.entry(risk.kind).or_default();
        *count += 1;
        *count <= MOST
    });
    seen.retain(|_, count| *count > MOST);
    let left_out = seen.into_iter().map(|(kind, count)| (kind, count - MOST)).collect();
    Register { version: VERSION, tree, commit, left_out, risks }
}

/// A risk to a line, so that it can be compared and searched as text.
fn text(register: &Register) -> String {
    let json = |value: serde_json::Result<String>| value.expect("plain data with text keys");
    let Register { version, tree, commit, left_out, risks } = register;
    let lines: Vec<String> = risks.iter().map(|risk| json(serde_json::to_string(risk))).collect();
    format!(
        "{{\"version\":{version},\"tree\":{},\"commit\":{},\"left_out\":{},\n\"risks\":[\n{}\n]}}\n",
        json(serde_json::to_string(tree)),
        json(serde_json::to_string(commit)),
        json(serde_json::to_string(left_out)),
        lines.join(",\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix13_the_gravest_of_a_kind_stay_and_the_rest_are_counted() {
        let low = (0..MOST + 3).map(|at| {
            let path = format!("a{at:04}.py");
            risk(Severity::Low, Kind::Untested, &path, 0, "no test".to_owned())
        });
        let high = risk(Severity::High, Kind::Untested, "z.py", 0, "no test".to_owned());
        let twice = [high.clone(), high.clone()];
        let register = register("t".to_owned(), None, low.chain(twice).collect());
        assert_eq!(register.risks.len(), MOST);
        assert_eq!(register.risks[0], high);
        assert_eq!(register.left_out, BTreeMap::from([(Kind::Untested, 4)]));
        let read: Register = serde_json::from_str(&text(&register)).expect("it is JSON");
        assert_eq!(read, register);
    }

    #[test]
    fn ix13_a_path_that_cannot_be_shown_is_quoted() {
        let odd = risk(Severity::Low, Kind::Unread, "a\nb\u{1b}[2J", 0, String::new());
        assert_eq!(odd.path, r#""a\nb\033[2J""#);
    }
}

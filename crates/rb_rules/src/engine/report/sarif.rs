//! SARIF 2.1.0: findings with their rules and edits.

use serde_json::{Value, json};

use crate::finding::{Finding, Fix, Severity};
use crate::rule::Rule;

/// `fingerprints` are in the order of the findings.
pub fn sarif(
    findings: &[Finding],
    fingerprints: &[String],
    rules: &[&'static Rule],
    version: &str,
) -> Value {
    let results: Vec<Value> =
        findings.iter().zip(fingerprints).map(|(finding, print)| result(finding, print)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "refactor-bot",
                "semanticVersion": version,
                "rules": rules.iter().map(|rule| described(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn described(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "name": rule.id,
        "shortDescription": { "text": rule.title },
        "fullDescription": { "text": format!("{} {}", rule.doc.what, rule.doc.why) },
        "help": { "text": super::super::explain(rule), "markdown": super::super::markdown(rule) },
        "properties": { "category": rule.category.title(), "impact": rule.impact.name(), "fix": rule.fix.name() },
    })
}

fn result(finding: &Finding, print: &str) -> Value {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut result = json!({
        "ruleId": finding.rule,
        "level": level,
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&finding.path), "uriBaseId": "%SRCROOT%" },
            "region": {
                "startLine": finding.line,
                "startColumn": finding.column,
                "endLine": finding.end_line,
                "endColumn": finding.end_column,
            },
        }}],
        "partialFingerprints": { "refactorBot/v1": print },
        "properties": { "certainty": finding.certainty },
    });
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([changes(finding, fix)]);
    }
    result
}

fn changes(finding: &Finding, fix: &Fix) -> Value {
    let own = std::iter::once((&finding.path, &fix.edits));
    let other = fix.elsewhere.iter().map(|(path, edits)| (path, edits));
    let changes: Vec<Value> = own
        .chain(other)
        .filter(|(_, edits)| !edits.is_empty())
        .map(|(path, edits)| {
            let replacements: Vec<Value> = edits
                .iter()
                .map(|edit| {
                    json!({
                        "deletedRegion": { "byteOffset": edit.start, "byteLength": edit.end - edit.start },
                        "insertedContent": { "text": edit.text },
                    })
                })
                .collect();
            json!({ "artifactLocation": { "uri": uri(path), "uriBaseId": "%SRCROOT%" }, "replacements": replacements })
        })
        .collect();
    json!({ "description": { "text": fix.title }, "artifactChanges": changes })
}

/// A path as a relative reference: what has a meaning there is written as its code.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b'@' => {
                out.push(char::from(byte));
            }
            other => {
                use std::fmt::Write as _;
                write!(out, "%{other:02X}").expect("a string takes it");
            }
        }
    }
    out
}

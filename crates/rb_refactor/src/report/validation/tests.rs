//! The reports of whole runs, as they are written.

use expect_test::{ExpectFile, expect_file};
use serde_json::Value;

use super::*;
use crate::report::samples::{self, Sample};

#[expect(clippy::needless_pass_by_value, reason = "an `ExpectFile` is written in place")]
fn check(sample: &Sample, expected: ExpectFile) {
    expected.assert_eq(&String::from_utf8(text(&sample.facts())).unwrap());
}

#[test]
fn rf9_the_validation_of_a_good_run() {
    check(&samples::good(), expect_file!["../testdata/good.json"]);
}

#[test]
fn rf9_the_validation_of_a_run_with_refused_and_skipped_tasks() {
    check(&samples::mixed(), expect_file!["../testdata/mixed.json"]);
}

#[test]
fn rf9_the_validation_of_a_run_without_verifier_and_change() {
    check(&samples::nothing(), expect_file!["../testdata/nothing.json"]);
}

#[test]
fn rf9_every_report_has_the_same_fields() {
    let names = |sample: &Sample| -> Vec<String> {
        let value: Value = serde_json::from_slice(&text(&sample.facts())).unwrap();
        value.as_object().unwrap().keys().cloned().collect()
    };
    let expected = names(&samples::good());
    for (name, sample) in samples::all() {
        assert_eq!(names(&sample), expected, "{name}");
    }
}

#[test]
fn rf10_the_ranking_begins_with_the_least_sure() {
    for (name, sample) in samples::all() {
        let value: Value = serde_json::from_slice(&text(&sample.facts())).unwrap();
        for list in ["tasks", "files"] {
            let scores: Vec<u64> = value["confidence"][list]
                .as_array()
                .unwrap()
                .iter()
                .map(|it| it["score"].as_u64().unwrap())
                .collect();
            assert!(scores.is_sorted(), "{name}: {list}: {scores:?}");
        }
    }
    let facts = samples::aborted().facts();
    assert_eq!(facts.files[0].confidence.score, 0, "all together fail");
}

#[test]
fn rf9_the_same_run_gives_the_same_bytes() {
    let sample = samples::mixed();
    assert_eq!(text(&sample.facts()), text(&sample.facts()));
}

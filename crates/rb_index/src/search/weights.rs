//! How much each feature weighs, by which signals take part. `tools/ranking` chooses it, on repositories and questions of its own.

use std::sync::LazyLock;

use serde::Deserialize;

use super::answer::Parts;
use super::features::{Features, Group};
use super::question::Signals;

static RANKING: LazyLock<Ranking> = LazyLock::new(|| {
    let ranking: Ranking =
        serde_json::from_str(include_str!("ranking.json")).expect("it is compiled in whole");
    assert_eq!(ranking.features, Features::NAMES, "the ranking was chosen for other features");
    ranking
});

/// Weights in the order of the features.
#[derive(Deserialize)]
struct Ranking {
    features: Vec<String>,
    words: Vec<f32>,
    vectors: Vec<f32>,
    both: Vec<f32>,
    all: Vec<f32>,
}

/// What a file's features come to, by group.
pub(super) fn parts(features: &Features, signals: Signals) -> Parts {
    let weights = match (signals.words, signals.vectors, signals.graph) {
        (true, false, _) => &RANKING.words,
        (false, ..) => &RANKING.vectors,
        (true, true, false) => &RANKING.both,
        (true, true, true) => &RANKING.all,
    };
    let mut parts = Parts::default();
    for ((value, weight), group) in features.values().iter().zip(weights).zip(Features::GROUPS) {
        let part = match group {
            Group::Words => &mut parts.words,
            Group::Meaning => &mut parts.meaning,
            Group::Graph => &mut parts.graph,
            Group::File => &mut parts.file,
        };
        *part += value * weight;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix8_the_ranking_fits_the_features() {
        let Ranking { words, vectors, both, all, .. } = &*RANKING;
        for weights in [words, vectors, both, all] {
            assert_eq!(weights.len(), Features::NAMES.len());
        }
    }

    #[test]
    fn ix8_a_score_is_the_sum_of_what_takes_part() {
        let features =
            Features { all: 1.0, cosine: 1.0, uses: 1.0, test: 1.0, ..Features::default() };
        let parts = |words, vectors, graph| parts(&features, Signals { words, vectors, graph });
        let Parts { words, meaning, graph, file, exact } = parts(true, true, true);
        assert!(
            words > 0.0 && meaning > 0.0 && graph.abs() > 0.0 && file < 0.0 && exact.abs() <= 0.0
        );
        assert!(parts(true, false, false).meaning.abs() <= 0.0);
        assert!(parts(false, true, false).words.abs() <= 0.0);
        assert!(parts(true, true, false).graph.abs() <= 0.0);
    }
}

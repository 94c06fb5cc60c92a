//! How much may go wrong with a task, from 0 to 100: a sum of what can be counted.
//!
//! | part | points |
//! |---|---|
//! | stage | 2 formatting, 5 clean-up, 10 small, 8 tests, 22 restructuring, 30 large |
//! | files | 2 for each after the first, 14 at most |
//! | lines | 1 for each 25, 12 at most |
//! | fan-in of the file that most use | 3 for each doubling, 15 at most |
//! | sources that no test is linked to | up to 12, by their share |
//! | exported names change | 4; 20 where other packages can import them |
//! | a model writes it | 12 |
//! | more lines than a task usually has | 6 |

use rb_core::{Stage, VerifierLevel};

/// What the risk of a task is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Measure {
    pub(crate) stage: Stage,
    pub(crate) files: usize,
    pub(crate) lines: usize,
    /// Of the touched file that most others use.
    pub(crate) fan_in: u32,
    /// Touched sources, and those of them that a test is linked to.
    pub(crate) sources: usize,
    pub(crate) tested: usize,
    pub(crate) api: Api,
    pub(crate) by_model: bool,
    pub(crate) is_over_budget: bool,
    /// Build, configuration or test set-up is touched.
    pub(crate) touches_build: bool,
    /// Names that other packages can import are declared in what a model or a large change touches.
    pub(crate) is_near_contract: bool,
}

/// What changes for those who import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Api {
    #[default]
    Same,
    Exported,
    Public,
}

pub(crate) fn risk(measure: &Measure) -> u8 {
    let stage = match measure.stage {
        Stage::Format => 2,
        Stage::Clean => 5,
        Stage::Tests => 8,
        Stage::Small => 10,
        Stage::Restructure => 22,
        Stage::Transform => 30,
    };
    let files = (2 * measure.files.saturating_sub(1)).min(14);
    let lines = (measure.lines / 25).min(12);
    let fan_in = (3 * (measure.fan_in + 1).ilog2() as usize).min(15);
    let untested = measure.sources.saturating_sub(measure.tested);
    let tests = (12 * untested).checked_div(measure.sources).unwrap_or(0);
    let api = match measure.api {
        Api::Same => 0,
        Api::Exported => 4,
        Api::Public => 20,
    };
    let model = if measure.by_model { 12 } else { 0 };
    let over = if measure.is_over_budget { 6 } else { 0 };
    let sum = stage + files + lines + fan_in + tests + api + model + over;
    u8::try_from(sum.min(100)).expect("it is at most 100")
}

pub(crate) fn verifier_level(measure: &Measure, risk: u8) -> VerifierLevel {
    let is_near = measure.api == Api::Public || measure.is_near_contract;
    if risk > 50 || is_near || measure.touches_build {
        VerifierLevel::Full
    } else {
        VerifierLevel::Fast
    }
}

/// Files that decide how the project is built, configured or tested.
pub(crate) fn is_build_file(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "package.json",
        "Makefile",
        "Dockerfile",
        "Cargo.toml",
        "pyproject.toml",
        "setup.py",
        "go.mod",
        "build.gradle",
        "build.gradle.kts",
        "pom.xml",
        "CMakeLists.txt",
        "deno.json",
        "turbo.json",
        "nx.json",
        "lerna.json",
        "Gemfile",
        "build.rs",
        "conftest.py",
        "gulpfile.js",
        "Gruntfile.js",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    NAMES.contains(&name)
        || path.starts_with(".github/")
        || name.contains(".config.")
        || name.starts_with("tsconfig")
        || name.starts_with("jsconfig")
        || name.starts_with(".eslintrc")
        || name.starts_with(".babelrc")
        || ["setupTests.", "jest.setup.", "vitest.setup.", "test-setup."]
            .iter()
            .any(|it| name.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf3_risk_is_a_sum_that_can_be_checked() {
        use VerifierLevel::{Fast, Full};
        #[track_caller]
        fn check(measure: &Measure, expected: u8, level: VerifierLevel) {
            let found = risk(measure);
            assert_eq!((found, verifier_level(measure, found)), (expected, level), "{measure:?}");
        }
        let small = Measure { files: 1, sources: 1, tested: 1, ..Measure::default() };
        check(&small, 10, Fast);
        check(&Measure { stage: Stage::Clean, ..small }, 5, Fast);
        check(&Measure { files: 3, ..small }, 14, Fast);
        check(&Measure { files: 900, lines: 90_000, ..small }, 36, Fast);
        check(&Measure { fan_in: 7, ..small }, 19, Fast);
        check(&Measure { fan_in: u32::MAX - 1, ..small }, 25, Fast);
        check(&Measure { tested: 0, ..small }, 22, Fast);
        check(&Measure { sources: 4, tested: 3, ..small }, 13, Fast);
        check(&Measure { sources: 0, tested: 0, ..small }, 10, Fast);
        check(&Measure { api: Api::Public, ..small }, 30, Full);
        check(&Measure { touches_build: true, ..small }, 10, Full);
        check(&Measure { by_model: true, is_near_contract: true, ..small }, 22, Full);
        let worst = Measure {
            stage: Stage::Transform,
            files: 99,
            lines: 9_999,
            fan_in: 999,
            sources: 9,
            tested: 0,
            api: Api::Public,
            by_model: true,
            is_over_budget: true,
            ..small
        };
        check(&worst, 100, Full);
        check(
            &Measure { api: Api::Same, by_model: false, is_over_budget: false, ..worst },
            83,
            Full,
        );
    }

    #[test]
    fn rf3_build_files_are_told_by_name() {
        for path in [
            "package.json",
            "a/vite.config.ts",
            "tsconfig.build.json",
            ".github/workflows/ci.yml",
            "src/setupTests.ts",
        ] {
            assert!(is_build_file(path), "{path}");
        }
        for path in ["src/config.ts", "src/package.ts", "github/a.ts"] {
            assert!(!is_build_file(path), "{path}");
        }
    }
}

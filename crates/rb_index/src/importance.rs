//! How much a file matters to somebody who is new here: centrality, naming, size and activity, weighed together.
//!
//! Each part lies between 0 and 1 whatever the size of the repository. It judges what it is handed and reads
//! nothing: rank comes from the import graph, activity from the history.

use std::cmp::Ordering;

use crate::role::Role;

/// What is known of one file.
#[derive(Debug, Clone, Copy)]
pub struct Signals<'a> {
    pub path: &'a str,
    pub lines: u32,
    /// `PageRank` in the import graph; sums to 1 over the files.
    pub rank: f64,
    /// Recent commits that touched the file, recent ones weighing more.
    pub activity: f64,
    /// Trivial or generated: ranked last whatever its score.
    pub set_back: bool,
}

/// `score` is the weighted sum of the other four. Rounded to four decimals, so that it reads the same everywhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Importance {
    pub score: f64,
    pub centrality: f64,
    pub naming: f64,
    pub size: f64,
    pub activity: f64,
}

const CENTRALITY: f64 = 0.4;
const NAMING: f64 = 0.25;
const SIZE: f64 = 0.2;
const ACTIVITY: f64 = 0.15;

/// The importance of each file, in the order given.
pub fn score(files: &[Signals]) -> Vec<Importance> {
    // What nobody imports has the smallest rank, not none: without this every file would seem a little central.
    let least = files.iter().map(|file| sane(file.rank)).fold(f64::INFINITY, f64::min);
    #[expect(clippy::cast_precision_loss, reason = "files are fewer than 2^52")]
    let count = files.len() as f64;
    let centrality = Scale::over(files.iter().map(|file| (sane(file.rank) - least) * count));
    let activity = Scale::over(files.iter().map(|file| sane(file.activity)));
    let one = |file: &Signals| {
        let centrality = centrality.place((sane(file.rank) - least) * count);
        let naming = naming(file.path);
        let size = size(file.lines);
        let activity = activity.place(sane(file.activity));
        Importance {
            score: round(
                CENTRALITY * centrality + NAMING * naming + SIZE * size + ACTIVITY * activity,
            ),
            centrality: round(centrality),
            naming: round(naming),
            size: round(size),
            activity: round(activity),
        }
    };
    files.iter().map(one).collect()
}

/// The places of the files, the most important first: what is set back comes last, equals by path.
pub fn order(files: &[Signals], scores: &[Importance]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..files.len().min(scores.len())).collect();
    places.sort_by(|&a, &b| {
        let by_score = || scores[b].score.partial_cmp(&scores[a].score).unwrap_or(Ordering::Equal);
        let by_path = || files[a].path.cmp(files[b].path);
        files[a].set_back.cmp(&files[b].set_back).then_with(by_score).then_with(by_path)
    });
    places
}

/// Puts numbers that spread over orders of magnitude onto 0..=1.
///
/// Logarithmic, up to a file near the top rather than the top one: else a single hub, imported by all, would press
/// all others to the floor. Those above share what is left, so that their order stays.
struct Scale {
    /// All but one in a hundred files are below; in a small repository all but one.
    usual: f64,
    most: f64,
}

/// What is left for those above `usual`.
const HEADROOM: f64 = 0.1;

impl Scale {
    fn over(values: impl Iterator<Item = f64>) -> Scale {
        let mut values: Vec<f64> = values.filter(|&value| value > 0.0).collect();
        values.sort_by(|a, b| b.total_cmp(a));
        let most = values.first().copied().unwrap_or(0.0);
        let place = (values.len() / 100).max(usize::from(values.len() > 4));
        Scale { usual: values.get(place).copied().unwrap_or(most), most }
    }

    fn place(&self, value: f64) -> f64 {
        if value <= 0.0 || self.usual <= 0.0 {
            0.0
        } else if value <= self.usual {
            let top = if self.most > self.usual { 1.0 - HEADROOM } else { 1.0 };
            top * value.ln_1p() / self.usual.ln_1p()
        } else {
            let above = (value / self.usual).ln() / (self.most / self.usual).ln();
            (1.0 - HEADROOM + HEADROOM * above).min(1.0)
        }
    }
}

/// Rises to a plateau, falls for giants: a file of three lines says little, one of nine thousand says too much at once.
fn size(lines: u32) -> f64 {
    const ENOUGH: u32 = 100;
    const MUCH: u32 = 600;
    const GIANT: u32 = 10_000;
    const LEAST_OF_GIANTS: f64 = 0.2;
    match lines {
        0..ENOUGH => f64::from(lines).ln_1p() / f64::from(ENOUGH).ln_1p(),
        ENOUGH..=MUCH => 1.0,
        GIANT.. => LEAST_OF_GIANTS,
        _ => {
            let over = (f64::from(lines) / f64::from(MUCH)).ln()
                / (f64::from(GIANT) / f64::from(MUCH)).ln();
            (1.0 - (1.0 - LEAST_OF_GIANTS) * over).max(LEAST_OF_GIANTS)
        }
    }
}

const NEUTRAL: f64 = 0.4;

/// Names that tell where a program begins or what it is about.
const TELLING: &[(f64, &[&str])] = &[
    (1.0, &["main", "app", "application", "server", "core", "engine", "cli", "lib"]),
    (
        0.9,
        &[
            "index", "router", "routes", "routing", "urls", "schema", "api", "models", "model",
            "kernel",
        ],
    ),
    (
        0.8,
        &[
            "service",
            "services",
            "config",
            "settings",
            "controller",
            "controllers",
            "handler",
            "handlers",
            "store",
            "types",
            "domain",
            "entities",
            "manager",
            "database",
            "db",
            "client",
            "state",
            "context",
            "parser",
            "compiler",
            "runtime",
            "scheduler",
            "worker",
            "middleware",
            "auth",
            "session",
            "query",
            "base",
            "graph",
        ],
    ),
];
/// Names that say "look elsewhere first".
const LATER: &[&str] = &[
    "migration",
    "migrations",
    "migrate",
    "legacy",
    "deprecated",
    "obsolete",
    "mock",
    "mocks",
    "fixture",
    "fixtures",
    "stories",
    "story",
    "example",
    "sample",
    "changelog",
    "license",
    "readme",
    "constants",
    "polyfill",
    "polyfills",
    "snapshot",
    "locale",
    "locales",
    "i18n",
    "translations",
    "seed",
    "seeds",
    "compat",
    "typings",
    "setup",
    "lock",
];
/// Good names that every folder has once: they tell at the top of a tree only.
const COMMON: &[&str] =
    &["index", "main", "lib", "mod", "base", "types", "config", "models", "urls"];

fn naming(path: &str) -> f64 {
    match Role::of(path) {
        Role::Product => {}
        Role::Tooling => return 0.25,
        Role::Example => return 0.15,
        Role::Docs | Role::Test => return 0.1,
        Role::Vendored => return 0.0,
    }
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    if name.ends_with(".d.ts") || folders.split('/').any(is_later) {
        return 0.1;
    }
    let words = words(if stem.is_empty() { name } else { stem });
    if words.iter().any(|word| is_later(word)) || is_prose_or_data(name) {
        return 0.15;
    }
    let whole = words.concat();
    if whole == "init" {
        return 0.2;
    }
    let depth = folders.split('/').filter(|folder| !folder.is_empty()).count();
    if let Some(telling) = telling(&whole) {
        return if COMMON.contains(&&*whole) && depth > 3 { telling.min(0.6) } else { telling };
    }
    let by_part = words.iter().filter_map(|word| telling_part(word)).fold(0.0, f64::max);
    NEUTRAL.max(by_part)
}

fn telling(word: &str) -> Option<f64> {
    TELLING.iter().find(|(_, names)| names.contains(&word)).map(|(score, _)| *score)
}

/// A telling word beside others (`user_service`) tells less than alone.
fn telling_part(word: &str) -> Option<f64> {
    telling(word).map(|score| score * 0.7)
}

fn is_later(word: &str) -> bool {
    LATER.iter().any(|later| later.eq_ignore_ascii_case(word))
}

fn is_prose_or_data(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(
        extension,
        "md" | "mdx"
            | "rst"
            | "txt"
            | "json"
            | "yaml"
            | "yml"
            | "lock"
            | "svg"
            | "css"
            | "scss"
            | "less"
            | "xml"
            | "csv"
            | "po"
            | "snap"
            | "sum"
            | "map"
            | "ini"
            | "cfg"
            | "properties"
            | "html"
    )
}

/// The words of a name in lower case: `HTTPServer`, `http-server` and `http_server` are the same two.
fn words(stem: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut chars = stem.chars().peekable();
    let (mut start, mut was_lower) = (true, false);
    while let Some(c) = chars.next() {
        if !c.is_alphanumeric() {
            (start, was_lower) = (true, false);
            continue;
        }
        let ends_run = c.is_uppercase() && chars.peek().is_some_and(|next| next.is_lowercase());
        if start || (c.is_uppercase() && was_lower) || (ends_run && !was_lower) {
            words.push(String::new());
        }
        let word = words.last_mut().expect("the first character starts a word");
        word.extend(c.to_lowercase());
        (start, was_lower) = (false, c.is_lowercase() || c.is_numeric());
    }
    words
}

/// Ranks come from arithmetic elsewhere; one that is no number must not spoil the others.
fn sane(value: f64) -> f64 {
    if value.is_finite() { value.max(0.0) } else { 0.0 }
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {

    use std::fmt::Write;

    use expect_test::{Expect, expect};

    use super::*;

    fn file(path: &str, lines: u32, rank: f64, activity: f64) -> Signals<'_> {
        Signals { path, lines, rank, activity, set_back: false }
    }

    #[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
    #[track_caller]
    fn check(files: &[Signals], expected: Expect) {
        let scores = score(files);
        let mut shown = String::new();
        for place in order(files, &scores) {
            let Importance { score, centrality, naming, size, activity } = scores[place];
            let path = files[place].path;
            writeln!(shown, "{score:.4} = .4*{centrality:.4} + .25*{naming:.4} + .2*{size:.4} + .15*{activity:.4}  {path}").unwrap();
            let sum = 0.4 * centrality + 0.25 * naming + 0.2 * size + 0.15 * activity;
            assert!((score - sum).abs() <= 1e-4, "{path}: {score} is not {sum}");
        }
        expected.assert_eq(&shown);
    }

    fn shop() -> Vec<Signals<'static>> {
        let mut files = vec![
            file("src/app.ts", 120, 0.02, 9.0),
            file("src/core/cart.ts", 300, 0.40, 4.0),
            file("src/core/price.ts", 80, 0.25, 0.0),
            file("src/index.ts", 12, 0.10, 0.0),
            file("src/legacy/old-cart.ts", 4000, 0.02, 0.0),
            file("src/routes.ts", 90, 0.15, 12.0),
            file("src/core/cart.test.ts", 600, 0.02, 4.0),
            file("shop/__init__.py", 0, 0.04, 0.0),
        ];
        files[7].set_back = true;
        files
    }

    #[test]
    fn ix10_smart001_1_and_2_centrality_is_the_rank_in_the_import_graph() {
        let chain =
            [file("a.ts", 50, 0.7, 0.0), file("b.ts", 50, 0.2, 0.0), file("c.ts", 50, 0.1, 0.0)];
        check(
            &chain,
            expect![[r#"
                0.6704 = .4*1.0000 + .25*0.4000 + .2*0.8519 + .15*0.0000  a.ts
                0.3723 = .4*0.2548 + .25*0.4000 + .2*0.8519 + .15*0.0000  b.ts
                0.2704 = .4*0.0000 + .25*0.4000 + .2*0.8519 + .15*0.0000  c.ts
            "#]],
        );
    }

    #[test]
    fn ix10_smart001_3_and_5_the_most_important_come_first_with_their_parts() {
        check(
            &shop(),
            expect![[r#"
                0.8164 = .4*0.6147 + .25*0.9000 + .2*0.9774 + .15*1.0000  src/routes.ts
                0.7941 = .4*1.0000 + .25*0.4000 + .2*1.0000 + .15*0.6275  src/core/cart.ts
                0.6504 = .4*0.9000 + .25*0.4000 + .2*0.9522 + .15*0.0000  src/core/price.ts
                0.5847 = .4*0.0000 + .25*1.0000 + .2*1.0000 + .15*0.8977  src/app.ts
                0.5068 = .4*0.4265 + .25*0.9000 + .2*0.5558 + .15*0.0000  src/index.ts
                0.3191 = .4*0.0000 + .25*0.1000 + .2*1.0000 + .15*0.6275  src/core/cart.test.ts
                0.1171 = .4*0.0000 + .25*0.1000 + .2*0.4605 + .15*0.0000  src/legacy/old-cart.ts
                0.1012 = .4*0.1280 + .25*0.2000 + .2*0.0000 + .15*0.0000  shop/__init__.py
            "#]],
        );
    }

    #[test]
    fn ix10_smart001_4_an_init_file_is_of_low_priority() {
        let mut files = [
            // Half of the repository imports it, and it is worked on every day: it is still last.
            file("pkg/__init__.py", 4, 0.9, 30.0),
            file("pkg/notes.py", 1, 0.1, 0.0),
        ];
        files[0].set_back = true;
        let scores = score(&files);
        assert!(scores[0].score > scores[1].score);
        assert_eq!(order(&files, &scores), [1, 0]);
        assert!(naming("pkg/__init__.py") < NEUTRAL);
    }

    #[test]
    fn ix10_one_hub_does_not_press_the_others_to_the_floor() {
        let names: Vec<String> = (0..2000).map(|at| format!("src/part{at:04}.rs")).collect();
        let rank =
            |at: u32| if at == 0 { 0.5 } else { 0.5 / 2000.0 * (1.0 + f64::from(at) / 1000.0) };
        let files: Vec<Signals> =
            names.iter().zip(0..).map(|(path, at)| file(path, 100, rank(at), 0.0)).collect();
        let scores = score(&files);
        assert!(scores[0].centrality > 0.9999);
        assert!(scores[1999].centrality > 0.85, "{}", scores[1999].centrality);
        assert!((0.3..0.8).contains(&scores[1000].centrality), "{}", scores[1000].centrality);
    }

    #[test]
    fn ix10_size_rises_to_a_plateau_and_falls_for_giants() {
        let shown: String = [0, 1, 10, 50, 99, 100, 600, 1000, 3000, 9999, 10_000, u32::MAX]
            .map(|lines| format!("{lines} {:.2}\n", size(lines)))
            .concat();
        expect![[r#"
            0 0.00
            1 0.15
            10 0.52
            50 0.85
            99 1.00
            100 1.00
            600 1.00
            1000 0.85
            3000 0.54
            9999 0.20
            10000 0.20
            4294967295 0.20
        "#]]
        .assert_eq(&shown);
    }

    #[test]
    fn ix10_a_name_tells_where_to_look() {
        let paths = [
            "main.go",
            "src/server.ts",
            "src/HTTPServer.java",
            "src/user_service.py",
            "src/index.ts",
            "src/a/b/c/d/index.ts",
            "src/widget.ts",
            "src/types.d.ts",
            "db/migrations/0001_initial.py",
            "src/a.test.ts",
            "README.md",
            "vendor/main.go",
            "pkg/__init__.py",
            ".eslintrc",
            "",
        ];
        let shown: String = paths.map(|path| format!("{:.2} {path}\n", naming(path))).concat();
        expect![[r#"
            1.00 main.go
            1.00 src/server.ts
            0.70 src/HTTPServer.java
            0.56 src/user_service.py
            0.90 src/index.ts
            0.60 src/a/b/c/d/index.ts
            0.40 src/widget.ts
            0.10 src/types.d.ts
            0.10 db/migrations/0001_initial.py
            0.10 src/a.test.ts
            0.15 README.md
            0.00 vendor/main.go
            0.20 pkg/__init__.py
            0.40 .eslintrc
            0.40 
        "#]]
        .assert_eq(&shown);
    }

    #[test]
    fn ix10_odd_numbers_do_no_harm() {
        assert!(score(&[]).is_empty());
        let files = [file("a", 1, f64::NAN, f64::INFINITY), file("b", 1, -1.0, 0.0)];
        for importance in score(&files) {
            assert!((0.0..=1.0).contains(&importance.score));
            assert!(importance.centrality.abs() < 1e-9);
        }
    }
}

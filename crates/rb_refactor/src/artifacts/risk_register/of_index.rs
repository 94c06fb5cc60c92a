//! What makes single files dangerous to change, from the index and the contracts.

use std::collections::{BTreeMap, BTreeSet};

use rb_contracts::Snapshot;
use rb_core::plural;
use rb_index::role::Role;
use rb_index::trivial::Trivial;
use rb_index::walk::SkipReason;
use rb_index::{FileId, FileView, Overview, StoreError, View, test_links};
use rb_lang::{Facts, Language, Symbol};

use super::{Kind, Risk, Severity, risk};
use crate::artifacts::{ArtifactsError, Inputs};

/// A file that so many use is a hub.
const HUB: u32 = 5;
/// Lines and decisions of a function, from which on it is a low, a medium and a high risk.
const LINES: [u32; 3] = [80, 150, 300];
const DECISIONS: [u32; 3] = [20, 35, 60];

pub(super) fn risks(inputs: &Inputs<'_>) -> Result<Vec<Risk>, ArtifactsError> {
    let Inputs { indexed, view, contracts, .. } = inputs;
    let mut risks = hotspots(indexed.overview()?);
    risks.extend(untested(view));
    risks.extend(cycles(view));
    risks.extend(promises(contracts));
    risks.extend(unresolved(view)?);
    for id in view.tree.ids() {
        let file = view.file(id);
        risks.extend(of_file(&file));
        risks.extend(oversized(view, id, &file)?);
    }
    for skipped in &indexed.walk.skipped {
        risks.extend(unread(&skipped.path.to_string(), &skipped.reason));
    }
    Ok(risks)
}

/// Churn, complexity and use, each against the largest of its kind, as the index ranks them.
fn hotspots(overview: &Overview) -> Vec<Risk> {
    let hot = overview.hotspots.iter();
    hot.map(|hot| {
        let severity = match hot.score {
            score if score >= 0.5 => Severity::High,
            score if score >= 0.2 => Severity::Medium,
            _ => Severity::Low,
        };
        let evidence = format!(
            "{} lately, complexity {} with {} in its worst function, used by {}: {:.2} of 1",
            plural(hot.commits as usize, "commit"),
            hot.complexity,
            hot.worst_complexity,
            plural(hot.used_by as usize, "file"),
            hot.score
        );
        risk(severity, Kind::Hotspot, &hot.path, 0, evidence)
    })
    .collect()
}

/// Product code that no test is linked to and that declares none itself.
fn untested(view: &View<'_>) -> Vec<Risk> {
    let links = test_links::link(view.tree, &view.edges());
    let tested: BTreeSet<FileId> = links.into_iter().map(|link| link.source).collect();
    let is_test = |id: &FileId| {
        let file = view.tree.get(*id);
        Role::of(&file.path) == Role::Test || file.marks.tests
    };
    if !view.tree.ids().any(|id| is_test(&id)) {
        let evidence = "the repository has no tests".to_owned();
        return vec![risk(Severity::High, Kind::Untested, "", 0, evidence)];
    }
    let bare = view.tree.ids().filter(|id| !is_test(id) && !tested.contains(id));
    bare.filter_map(|id| {
        let file = view.file(id);
        let is_product = Role::of(file.path) == Role::Product && file.trivial.is_none();
        if !is_product || file.symbols == 0 {
            return None;
        }
        let (is_hub, is_complex) = (file.used_by >= HUB, file.worst_complexity >= DECISIONS[0]);
        let severity = match (is_hub, is_complex) {
            (true, true) => Severity::High,
            (true, false) | (false, true) => Severity::Medium,
            (false, false) => Severity::Low,
        };
        let evidence = format!(
            "no test is linked to it; used by {}, its worst function has a complexity of {}",
            plural(file.used_by as usize, "file"),
            file.worst_complexity
        );
        Some(risk(severity, Kind::Untested, file.path, 0, evidence))
    })
    .collect()
}

fn cycles(view: &View<'_>) -> Vec<Risk> {
    let path = |id: &FileId| &*view.tree.get(*id).path;
    let cycles = view.cycles().iter();
    cycles
        .map(|cycle| {
            let first = cycle.example.first().and_then(|id| view.tree.get(*id).language);
            let severity = match cycle.files.len() {
                _ if !first.is_some_and(loads_in_order) => Severity::Low,
                files if files > 10 => Severity::High,
                _ => Severity::Medium,
            };
            let way: Vec<&str> = cycle.example.iter().map(path).collect();
            let count = cycle.files.len();
            let evidence = format!("{count} files import each other: {}", way.join(" -> "));
            risk(severity, Kind::ImportCycle, way.first().copied().unwrap_or(""), 0, evidence)
        })
        .collect()
}

/// Does it matter there which file of a circle is loaded first? Elsewhere modules of one unit use each other freely.
fn loads_in_order(language: Language) -> bool {
    matches!(
        language,
        Language::JavaScript
            | Language::TypeScript
            | Language::Tsx
            | Language::Python
            | Language::Ruby
            | Language::Php
            | Language::Lua
    )
}

/// What others rely on, by the file that declares it.
fn promises(contracts: &Snapshot) -> Vec<Risk> {
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let exports = contracts.exports.iter().filter(|it| !it.hidden).map(|it| (&it.file, 0));
    let routes = contracts.routes.iter().map(|it| (&it.file, 1));
    let schemas = contracts.schemas.iter().map(|it| (&it.file, 2));
    let flags = contracts.flags.iter().map(|it| (&it.file, 3));
    for (file, kind) in exports.chain(routes).chain(schemas).chain(flags) {
        counts.entry(file).or_default()[kind] += 1;
    }
    counts
        .into_iter()
        .map(|(file, counts)| {
            let kinds = ["exported name", "route", "schema", "flag"];
            let words: Vec<String> = counts
                .iter()
                .zip(kinds)
                .filter(|(number, _)| **number > 0)
                .map(|(number, kind)| plural(*number, kind))
                .collect();
            let others = counts[1] + counts[2] + counts[3] > 0;
            let severity = if others { Severity::Medium } else { Severity::Low };
            let evidence = format!("other code relies on {} of it", words.join(", "));
            risk(severity, Kind::PublicContract, file, 0, evidence)
        })
        .collect()
}

fn unresolved(view: &View<'_>) -> Result<Vec<Risk>, StoreError> {
    let lost = view.unresolved()?.into_iter();
    Ok(lost
        .map(|import| {
            let evidence = format!("`{}` cannot be resolved", import.specifier);
            risk(Severity::Low, Kind::UnresolvedImport, &import.path, import.line, evidence)
        })
        .collect())
}

fn of_file(file: &FileView<'_>) -> Vec<Risk> {
    let mut risks = Vec::new();
    if file.syntax_errors > 0 {
        let evidence =
            format!("{} could not be parsed", plural(file.syntax_errors as usize, "place"));
        risks.push(risk(Severity::Medium, Kind::SyntaxErrors, file.path, 0, evidence));
    }
    if holds_secrets(file.path) {
        let evidence = "by its name, it may contain keys or passwords".to_owned();
        risks.push(risk(Severity::High, Kind::SecretsLike, file.path, 0, evidence));
    }
    if let Some(trivial) = file.trivial
        && is_made(trivial)
    {
        risks.push(risk(Severity::Low, Kind::Generated, file.path, 0, trivial.words()));
    }
    if let Some(reason) = file.skipped {
        risks.extend(unread(file.path, reason));
    }
    risks
}

/// Made by a program, or written elsewhere.
pub(in crate::artifacts) fn is_made(trivial: &Trivial) -> bool {
    match trivial {
        Trivial::LockFile
        | Trivial::Generated(_)
        | Trivial::Vendored(_)
        | Trivial::SaidVendored
        | Trivial::Minified => true,
        Trivial::Empty | Trivial::ShortInit { .. } | Trivial::ReExports => false,
    }
}

fn unread(path: &str, reason: &SkipReason) -> Option<Risk> {
    let severity = match reason {
        SkipReason::Own | SkipReason::LargeIgnoreFile => return None,
        SkipReason::Unreadable(_)
        | SkipReason::Exhausted(_)
        | SkipReason::BehindLink
        | SkipReason::LinkOutside
        | SkipReason::NameNotUtf8
        | SkipReason::BadName(_)
        | SkipReason::Gone => Severity::Medium,
        SkipReason::Excluded
        | SkipReason::NotIncluded
        | SkipReason::LinkInside
        | SkipReason::LinkDangling
        | SkipReason::LinkLoop
        | SkipReason::Special
        | SkipReason::Repository
        | SkipReason::TooLarge { .. }
        | SkipReason::Binary => Severity::Low,
    };
    Some(risk(severity, Kind::Unread, path, 0, reason.words()))
}

fn oversized(view: &View<'_>, id: FileId, file: &FileView<'_>) -> Result<Vec<Risk>, StoreError> {
    let is_candidate = file.lines >= LINES[0] || file.worst_complexity >= DECISIONS[0];
    if !is_candidate || file.trivial.is_some() || Role::of(file.path) != Role::Product {
        return Ok(Vec::new());
    }
    let Some(facts) = view.read_facts(id)? else { return Ok(Vec::new()) };
    let Facts { symbols, .. } = &facts;
    Ok(symbols.iter().filter_map(|symbol| large(file.path, symbol)).collect())
}

/// A function that nobody can hold in mind.
fn large(path: &str, symbol: &Symbol) -> Option<Risk> {
    let span = symbol.span;
    let lines = span.last_line.saturating_sub(span.first_line) + 1;
    // What has no decisions of its own is no function: a class is as long as its methods together.
    let is_function = symbol.complexity > 0;
    let rung = |value: u32, rungs: [u32; 3]| rungs.iter().filter(|least| value >= **least).count();
    let severity = match rung(lines, LINES).max(rung(symbol.complexity, DECISIONS)) {
        1 => Severity::Low,
        2 => Severity::Medium,
        3 => Severity::High,
        _ => return None,
    };
    let evidence = format!(
        "`{}` has {} and a complexity of {}",
        symbol.name,
        plural(lines as usize, "line"),
        symbol.complexity
    );
    is_function.then(|| risk(severity, Kind::OversizedFunction, path, span.first_line, evidence))
}

const SECRET_NAMES: &[&str] = &[
    ".htpasswd",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    "credentials",
    "credentials.json",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "secrets.json",
    "secrets.yaml",
    "secrets.yml",
    "service-account.json",
    "terraform.tfvars",
];
const SECRET_ENDS: &[&str] = &[".jks", ".kdbx", ".key", ".keystore", ".p12", ".pem", ".pfx"];
/// What only shows how it would look.
const MODELS: &[&str] = &["dist", "example", "sample", "template"];

fn holds_secrets(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let is_env = name == ".env" || name.starts_with(".env.");
    let is_model = MODELS.iter().any(|word| name.ends_with(&format!(".{word}")));
    (is_env && !is_model)
        || SECRET_NAMES.contains(&name.as_str())
        || SECRET_ENDS.iter().any(|end| name.ends_with(end) && name.len() > end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix13_files_that_may_hold_secrets_are_known_by_their_names() {
        #[track_caller]
        fn check(path: &str, expected: bool) {
            assert_eq!(holds_secrets(path), expected, "{path}");
        }
        check(".env", true);
        check("app/.env.production", true);
        check("app/.env.example", false);
        check("deploy/id_rsa", true);
        check("deploy/id_rsa.pub", false);
        check("certs/Server.PEM", true);
        check("src/key.rs", false);
        check("src/environment.ts", false);
        check(".key", false);
    }
}

//! Bundle impact as a person reads it, and as a program does.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rb_rules::impact::{Doubts, Load, Sides};
use serde_json::{Value, json};

use super::ImpactSides;
use super::build::{Built, Ended, PackageBuild};
use super::output::{Bytes, Emitted, Output};
use crate::numbers::{bytes, plural};
use crate::ui::printable;

/// The most lines of a table that are shown; `--json` has all.
const SHOWN: usize = 20;

const BASIS: &str = "over the import graph, in bytes of source, without minification, tree shaking or the framework";

pub(super) fn json(looked: &ImpactSides) -> Value {
    let impact = &looked.impact;
    json!({
        "basis": BASIS,
        "changed_files": looked.changed.keys().collect::<Vec<_>>(),
        "entries_are_known": looked.are_real,
        "entries": impact.entries,
        "total": impact.total,
        "packages": impact.packages,
        "not_followed": impact.doubts,
    })
}

pub(super) fn estimate(looked: &ImpactSides) -> String {
    let mut text = format!("Estimate {BASIS}\n");
    let impact = &looked.impact;
    let files = plural(looked.changed.len() as u64, "file");
    let mut line = |words: String| text.extend(["  ", &words, "\n"]);
    line(format!("{files} changed, {} analyzed", entries_word(looked.entries.len())));
    if !looked.are_real && !looked.changed.is_empty() {
        line(
            "no page and no application entry point was found; the changed files are used instead"
                .to_owned(),
        );
    }
    let total = std::iter::once(("all, each module once".to_owned(), impact.total));
    let mut rows: Vec<(String, Sides<Load>)> =
        impact.entries.iter().map(|it| (printable(&it.path), it.load)).collect();
    let count = rows.len();
    rows.retain(|(_, load)| load.is_changed());
    let unchanged = count - rows.len();
    sort(&mut rows);
    let left = rows.len().saturating_sub(SHOWN);
    rows.truncate(SHOWN);
    text.push('\n');
    text.push_str(&loads("entry", rows.into_iter().chain(total)));
    if left > 0 {
        let _ = writeln!(text, "  and {left} more that change; --json shows them all");
    }
    if unchanged > 0 {
        let _ = writeln!(text, "  {} unchanged", entries_word(unchanged));
    }
    let name =
        |name: &str| if name.is_empty() { "the project".to_owned() } else { printable(name) };
    let mut packages: Vec<(String, Sides<Load>)> =
        impact.packages.iter().map(|it| (name(&it.name), it.load)).collect();
    sort(&mut packages);
    packages.truncate(SHOWN);
    if !packages.is_empty() {
        text.push('\n');
        text.push_str(&loads("package", packages.into_iter()));
    }
    text.push_str(&doubts(&impact.doubts));
    text
}

fn entries_word(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

/// What changes most at first comes first.
fn sort(rows: &mut [(String, Sides<Load>)]) {
    rows.sort_by_key(|(_, load)| {
        std::cmp::Reverse(load.before.first.bytes.abs_diff(load.after.first.bytes))
    });
}

fn loads(head: &str, rows: impl Iterator<Item = (String, Sides<Load>)>) -> String {
    let head = [head, "first load", "after", "change", "modules", "after", "later", "after"];
    let mut table = vec![head.map(str::to_owned)];
    table.extend(rows.map(|(name, Sides { before, after })| {
        [
            name,
            bytes(before.first.bytes),
            bytes(after.first.bytes),
            change(before.first.bytes, after.first.bytes),
            before.first.modules.to_string(),
            after.first.modules.to_string(),
            bytes(before.deferred.bytes),
            bytes(after.deferred.bytes),
        ]
    }));
    aligned(&table)
}

/// `-12.0 kB (-3.4%)`
fn change(before: u64, after: u64) -> String {
    if before == after {
        return "same".to_owned();
    }
    let sign = if after < before { '-' } else { '+' };
    let by = before.abs_diff(after);
    if before == 0 {
        return format!("{sign}{}", bytes(by));
    }
    let tenths = u128::from(by) * 1000 / u128::from(before);
    format!("{sign}{} ({sign}{}.{}%)", bytes(by), tenths / 10, tenths % 10)
}

/// The first column to the left, numbers to the right.
fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        text.push_str("  ");
        for (at, cell) in row.iter().enumerate() {
            let pad = " ".repeat(width(at) - cell.chars().count());
            let parts = if at == 0 { [cell, pad.as_str()] } else { [pad.as_str(), cell] };
            if at > 0 {
                text.push_str("  ");
            }
            text.extend(parts);
        }
        text.push('\n');
    }
    text
}

fn doubts(doubts: &Doubts) -> String {
    let mut text = String::new();
    let mut line = |words: String| text.extend(["  not followed: ", &words, "\n"]);
    let some = |names: &mut dyn Iterator<Item = String>, count: usize| {
        let shown: Vec<String> = names.take(5).collect();
        let more = if count > 5 { format!(" and {} more", count - 5) } else { String::new() };
        format!("{}{more}", shown.join(", "))
    };
    if !doubts.missing.is_empty() {
        let names = some(&mut doubts.missing.iter().map(|it| printable(it)), doubts.missing.len());
        line(format!("packages that are not installed: {names}"));
    }
    if !doubts.unresolved.is_empty() {
        let names = &mut doubts
            .unresolved
            .iter()
            .map(|(from, to)| format!("`{}` in {}", printable(to), printable(from)));
        line(some(names, doubts.unresolved.len()));
    }
    if doubts.unresolved_in_packages > 0 {
        line(format!(
            "{} within packages, mostly optional",
            plural(doubts.unresolved_in_packages, "import")
        ));
    }
    if doubts.computed > 0 {
        let imports = plural(doubts.computed, "import");
        line(format!("{imports} with a computed path"));
    }
    if !doubts.unread.is_empty() {
        let names = some(&mut doubts.unread.iter().map(|it| printable(it)), doubts.unread.len());
        line(format!("files that cannot be read or parsed: {names}"));
    }
    if doubts.over_limit > 0 {
        line(format!("{} of packages, beyond the limit", plural(doubts.over_limit, "file")));
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

pub(super) fn build(built: &Built) -> String {
    let mut text = String::new();
    for package in built.packages.iter().filter(|_| built.outcome == Ended::Measured) {
        let folder = if package.folder.is_empty() { "." } else { &package.folder };
        let _ =
            writeln!(text, "\nBuilt in {} by `{}`", printable(folder), printable(&package.line));
        text.push_str(&measured(package));
    }
    match built.outcome {
        Ended::Measured => {}
        Ended::Failed => text.push_str("\nA build failed; nothing was measured\n"),
        Ended::NoBuild => text.push_str("\nNo command was found that builds this project\n"),
        Ended::NoOutput => {
            text.push_str("\nThe builds succeeded, but wrote no output to a known place\n");
        }
    }
    for words in &built.words {
        let _ = writeln!(text, "  {}", printable(words));
    }
    text
}

/// Pages where the bundler's manifest names them, else files; what did not change is counted only.
fn measured(package: &PackageBuild) -> String {
    let none = Output::default();
    let before = package.before.as_ref().unwrap_or(&none);
    let after = package.after.as_ref().unwrap_or(&none);
    let has_pages = !before.pages.is_empty() || !after.pages.is_empty();
    let (one, other) =
        if has_pages { (&before.pages, &after.pages) } else { (&before.files, &after.files) };
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let get = |name: &String| {
        let at = |side: &std::collections::BTreeMap<String, Bytes>| side.get(name).copied();
        (at(one).unwrap_or_default(), at(other).unwrap_or_default())
    };
    let mut changed: Vec<(String, (Bytes, Bytes))> = names
        .iter()
        .map(|name| (printable(name), get(name)))
        .filter(|(_, (before, after))| before != after)
        .collect();
    let unchanged = names.len() - changed.len();
    changed.sort_by_key(|(_, (before, after))| std::cmp::Reverse(before.raw.abs_diff(after.raw)));
    let left = changed.len().saturating_sub(SHOWN);
    changed.truncate(SHOWN);
    for (name, of) in [("all scripts", Emitted::Scripts), ("all styles", Emitted::Styles)] {
        changed.push((name.to_owned(), (before.total(of), after.total(of))));
    }
    let what = if has_pages { "page, loaded at first" } else { "emitted file" };
    let head = [what, "before", "after", "change", "gzip", "after", "change"];
    let mut table = vec![head.map(str::to_owned)];
    table.extend(changed.into_iter().map(|(name, (before, after))| {
        [
            name,
            bytes(before.raw),
            bytes(after.raw),
            change(before.raw, after.raw),
            bytes(before.gzip),
            bytes(after.gzip),
            change(before.gzip, after.gzip),
        ]
    }));
    let mut text = aligned(&table);
    if left > 0 {
        let _ = writeln!(text, "  and {left} more that change; --json shows them all");
    }
    if unchanged > 0 {
        let _ = writeln!(text, "  {unchanged} unchanged");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use expect_test::expect;
    use rb_rules::impact::{Change, Entry, EntryImpact, Impact, PackageImpact, Size, Start};

    use super::*;

    fn load(bytes: u64, modules: u64, later: u64) -> Load {
        let deferred = Size { modules: u64::from(later > 0), bytes: later };
        Load { first: Size { modules, bytes }, deferred }
    }

    #[test]
    fn ru6_an_estimate_says_what_it_is_and_what_it_does_not_know() {
        let smaller = Sides { before: load(900_000, 70, 0), after: load(90_000, 4, 5_000) };
        let same = Sides { before: load(10, 1, 0), after: load(10, 1, 0) };
        let new = Sides { before: load(0, 0, 0), after: load(500, 1, 0) };
        let entry =
            |path: &str| Entry { path: path.into(), with: Vec::new(), start: Start::Browser };
        let impact = |path: &str, load| EntryImpact { path: path.into(), load };
        let package = |name: &str, load| PackageImpact { name: name.into(), load };
        let doubts = Doubts {
            missing: ["a", "b", "c", "d", "e", "f"].map(str::to_owned).into(),
            computed: 1,
            over_limit: 2,
            ..Doubts::default()
        };
        let looked = ImpactSides {
            changed: BTreeMap::from([("a.tsx".into(), Change { before: None, after: None })]),
            before: None,
            entries: vec![entry("a.tsx"), entry("b\u{1b}.tsx"), entry("c.tsx")],
            are_real: true,
            impact: Impact {
                entries: vec![
                    impact("a.tsx", same),
                    impact("b\u{1b}.tsx", new),
                    impact("c.tsx", smaller),
                ],
                total: smaller,
                packages: vec![package("", new), package("icons", smaller)],
                doubts,
            },
        };
        expect![[r#"
            Estimate over the import graph, in bytes of source, without minification, tree shaking or the framework
              1 file changed, 3 entries analyzed

              entry                  first load    after              change  modules  after  later   after
              c.tsx                    900.0 kB  90.0 kB  -810.0 kB (-90.0%)       70      4    0 B  5.0 kB
              b\u{1b}.tsx                   0 B    500 B              +500 B        0      1    0 B     0 B
              all, each module once    900.0 kB  90.0 kB  -810.0 kB (-90.0%)       70      4    0 B  5.0 kB
              1 entry unchanged

              package      first load    after              change  modules  after  later   after
              icons          900.0 kB  90.0 kB  -810.0 kB (-90.0%)       70      4    0 B  5.0 kB
              the project         0 B    500 B              +500 B        0      1    0 B     0 B

              not followed: packages that are not installed: a, b, c, d, e and 1 more
              not followed: 1 import with a computed path
              not followed: 2 files of packages, beyond the limit
        "#]].assert_eq(&estimate(&looked));
        assert_eq!(json(&looked)["entries"][2]["after"]["first"]["bytes"], 90_000);
    }

    #[test]
    fn ru6_builds_are_compared_page_by_page() {
        let output = |page: u64, file: u64| {
            let bytes = |raw| Bytes { raw, gzip: raw / 3 };
            Some(Output {
                folder: ".next".into(),
                files: [("a.js".into(), bytes(file)), ("a.css".into(), bytes(5))].into(),
                pages: [("/".into(), bytes(page)), ("/same".into(), bytes(7))].into(),
            })
        };
        let folder = "apps/web".to_owned();
        let package = PackageBuild {
            folder,
            line: "next build".into(),
            before: output(3_000, 4_000),
            after: output(1_000, 2_500),
        };
        let mut built = Built {
            outcome: Ended::Measured,
            packages: vec![package],
            words: vec!["node_modules is linked".into()],
        };
        expect![[r#"

            Built in apps/web by `next build`
              page, loaded at first  before   after            change    gzip  after           change
              /                      3.0 kB  1.0 kB  -2.0 kB (-66.6%)  1.0 kB  333 B  -667 B (-66.7%)
              all scripts            4.0 kB  2.5 kB  -1.5 kB (-37.5%)  1.3 kB  833 B  -500 B (-37.5%)
              all styles                5 B     5 B              same     1 B    1 B             same
              1 unchanged
              node_modules is linked
        "#]].assert_eq(&build(&built));
        built.outcome = Ended::Failed;
        expect![[r#"

            A build failed; nothing was measured
              node_modules is linked
        "#]]
        .assert_eq(&build(&built));
    }
}

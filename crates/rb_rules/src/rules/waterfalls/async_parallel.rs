//! Reads that do not need each other are awaited one by one.

use super::awaits::{is_in_handler, waiting_lists};
use super::likely::likely_waterfalls;
use super::names::words;
use super::runs::runs_of;
use crate::cx::Cx;
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "async-parallel",
    title: "Independent reads are awaited one after the other",
    category: Category::Waterfalls,
    impact: Impact::Critical,
    fix: FixKind::AssistWithAuto,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "Two or more adjacent statements each await a read, and none uses the result of another. Calls whose \
               names suggest checks, writes, transactions or order are not reported.",
        why: "The waiting times add up, although the slowest alone would be enough.",
        wrong: "async function home() {
  const news = await fetch('/news');
  const rain = await fetch('/rain');
  return show(news, rain);
}",
        right: "async function home() {
  const [news, rain] = await Promise.all([fetch('/news'), fetch('/rain')]);
  return show(news, rain);
}",
        safe: "Fixed automatically if each call is proved to only read, cannot throw before it waits, reads nothing \
               that changes meanwhile, there are at most six, all are bound by a `const` without a type, and there \
               is no `try` around them. In a draft, note that all calls now start even if the first fails, and that \
               the error you see is the first in time.",
        leave: "The calls must keep an order that the code does not show, or the other side limits concurrency.",
        given: &[],
    },
    wants: &["await"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for list in waiting_lists(module) {
        for run in runs_of(cx, list) {
            // What handlers and actions do is told by `async-api-routes`.
            if !is_in_handler(cx, run.steps[0].node) {
                let hit = run.hit(cx);
                cx.report(if is_rare(cx) { hit.low() } else { hit });
            }
        }
        if is_rare(cx) {
            continue;
        }
        for candidate in likely_waterfalls(cx, list) {
            if !is_in_handler(cx, candidate.node) {
                cx.report(candidate.hit);
            }
        }
    }
}

/// A program for the terminal, a migration, a script: it is run once in a while, and no page waits for it.
fn is_rare(cx: &Cx<'_, '_>) -> bool {
    const RARE: &[&str] = &["migration", "migrations", "scripts", "seed", "seeds"];
    if words(&cx.facts.path).iter().any(|it| RARE.contains(&it.as_str())) {
        return true;
    }
    let path = format!("{}/package.json", cx.facts.package.dir);
    let text = cx.world.text(path.trim_start_matches('/'));
    let manifest = text.and_then(|it| serde_json::from_str::<serde_json::Value>(&it).ok());
    manifest.is_some_and(|it| it.get("bin").is_some())
}

#[cfg(test)]
mod follows;
#[cfg(test)]
mod tests;

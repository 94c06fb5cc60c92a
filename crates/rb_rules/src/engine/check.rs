//! Runs rules over files: those whose text can hold something for them, each parsed once.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use aho_corasick::AhoCorasick;
use rb_core::{Cancel, Progress};
use rb_ecma::{Suppressions, with_module};
use rb_lang::Language;

use super::over_index::OverIndex;
use crate::cx::Cx;
use crate::facts::{Facts, FileKind};
use crate::finding::{Certainty, Finding};
use crate::rule::Rule;
use crate::world::World;

/// A larger file was not written by hand.
const MAX_BYTES: u64 = 1 << 20;
/// Files that a thread takes at a time.
const SHARE: usize = 8;

pub struct Options<'o> {
    /// Look at tests and stories, too.
    pub include_tests: bool,
    /// Comments that ask for silence are not heard.
    pub ignore_suppressions: bool,
    /// What is less sure is left out.
    pub certainty: Certainty,
    /// A component that nothing imports counts like others: one that a change brings in may be used by the next.
    pub trust_unused: bool,
    /// Only these files.
    pub only: Option<&'o (dyn Fn(&str) -> bool + Sync)>,
    pub cancel: &'o Cancel,
    pub progress: &'o (dyn Progress + Sync),
}

/// What all rules found.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// By path and place.
    pub findings: Vec<Finding>,
    /// What a comment asked to leave.
    pub silenced: Vec<Silenced>,
    /// Files that were looked at.
    pub files: usize,
    /// Files that do not parse, sorted: nothing is known of them.
    pub unread: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Silenced {
    pub finding: Finding,
    /// The line of the comment.
    pub comment: u32,
}

/// Looks for what the rules are about. Findings are the same for the same files, whatever the number of threads.
pub fn check(world: &OverIndex<'_>, rules: &[&'static Rule], options: &Options<'_>) -> Checked {
    let files: Vec<&Facts> =
        world.all_facts().filter(|facts| is_meant(world, facts, options)).collect();
    let sieve = Sieve::new(rules);
    let next = AtomicUsize::new(0);
    let all: Mutex<Checked> = Mutex::default();
    let work = || {
        let mut own = Checked::default();
        while !options.cancel.is_cancelled() {
            let first = next.fetch_add(SHARE, Ordering::Relaxed);
            let Some(share) = files.get(first..files.len().min(first + SHARE)) else { break };
            if share.is_empty() {
                break;
            }
            for facts in share {
                look(world, facts, &sieve, options, &mut own);
            }
            options.progress.advance(share.len() as u64);
        }
        let mut all = all.lock().expect("no thread panics with it");
        all.findings.append(&mut own.findings);
        all.silenced.append(&mut own.silenced);
        all.unread.append(&mut own.unread);
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(files.len().div_ceil(SHARE)).max(1);
    thread::scope(|scope| {
        for _ in 0..threads {
            rb_lang::spawn(scope, work).expect("a thread can be started");
        }
    });
    let mut checked = all.into_inner().expect("no thread panicked with it");
    checked.files = files.len();
    checked.findings.sort();
    checked.silenced.sort();
    checked.unread.sort();
    checked
}

fn is_meant(world: &OverIndex<'_>, facts: &Facts, options: &Options<'_>) -> bool {
    let is_kind = match facts.kind {
        FileKind::Source => true,
        FileKind::Test | FileKind::Story => options.include_tests,
        FileKind::Config
        | FileKind::Declaration
        | FileKind::Generated
        | FileKind::Script
        | FileKind::Vendored => false,
    };
    is_kind
        && world.size(&facts.path).is_some_and(|size| size <= MAX_BYTES)
        && options.only.is_none_or(|only| only(&facts.path))
}

fn look(
    world: &OverIndex<'_>,
    facts: &Facts,
    sieve: &Sieve,
    options: &Options<'_>,
    into: &mut Checked,
) {
    let applying: Vec<usize> =
        (0..sieve.rules.len()).filter(|&at| (sieve.rules[at].applies)(facts)).collect();
    if applying.is_empty() {
        return;
    }
    let Some(text) = world.text(&facts.path) else { return };
    let active = sieve.active(&text, &applying);
    if active.is_empty() {
        return;
    }
    let Some(language) = Language::of_path(facts.path.as_bytes()) else { return };
    let found = with_module(language, &text, |module| {
        let mut findings = Vec::new();
        for rule in active {
            let mut cx = Cx::new(module, facts, world, rule);
            (rule.check)(&mut cx);
            findings.append(&mut cx.finish());
        }
        if !options.trust_unused && world.is_unused(facts) {
            findings = findings.into_iter().map(in_unused).collect();
        }
        findings.retain(|it| it.certainty <= options.certainty);
        let is_quiet = findings.is_empty() || options.ignore_suppressions;
        let comments = if is_quiet { Suppressions::default() } else { Suppressions::of(module) };
        (findings, comments)
    });
    let Some((findings, comments)) = found else {
        into.unread.push(facts.path.to_string());
        return;
    };
    for finding in findings {
        match comments.covering(&finding.rule, finding.line) {
            Some(comment) => into.silenced.push(Silenced { finding, comment: comment.line }),
            None => into.findings.push(finding),
        }
    }
}

/// Nobody gains by what is done to a component that nobody draws.
fn in_unused(finding: Finding) -> Finding {
    match finding.certainty {
        Certainty::Proved => finding.likely("nothing imports this file"),
        Certainty::Likely => finding,
    }
}

/// Tells by one pass over a text which rules it may hold something for.
struct Sieve {
    rules: Vec<&'static Rule>,
    words: AhoCorasick,
    /// For each word the rules that want it.
    wanting: Vec<Vec<usize>>,
    /// Rules that want every file.
    always: Vec<usize>,
}

impl Sieve {
    fn new(rules: &[&'static Rule]) -> Self {
        let mut words: Vec<&'static str> = rules.iter().flat_map(|it| it.wants).copied().collect();
        words.sort_unstable();
        words.dedup();
        let wanting = words.iter().map(|word| {
            let wants = |at: &usize| rules[*at].wants.contains(word);
            (0..rules.len()).filter(wants).collect()
        });
        Sieve {
            wanting: wanting.collect(),
            words: AhoCorasick::new(&words).expect("a few hundred words are not too many"),
            always: (0..rules.len()).filter(|&at| rules[at].wants.is_empty()).collect(),
            rules: rules.to_vec(),
        }
    }

    fn active(&self, text: &str, applying: &[usize]) -> Vec<&'static Rule> {
        let mut is_on = vec![false; self.rules.len()];
        for &at in &self.always {
            is_on[at] = true;
        }
        let mut seen = vec![false; self.wanting.len()];
        for found in self.words.find_overlapping_iter(text) {
            let word = found.pattern().as_usize();
            if !std::mem::replace(&mut seen[word], true) {
                for &at in &self.wanting[word] {
                    is_on[at] = true;
                }
            }
        }
        applying.iter().filter(|&&at| is_on[at]).map(|&at| self.rules[at]).collect()
    }
}

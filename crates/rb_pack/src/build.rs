//! Chooses what a model is shown for a task, under the budgets.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::plural;
use rb_index::FileId;
use rb_lang::Facts;
use rb_trust::Label;
use serde::Serialize;

use crate::assignment::Assignment;
use crate::budget::{Budgets, Cost, Room, Sizes};
use crate::candidates::{IndexReader, Scoped, scoped};
use crate::fit::{Item, Kind, fit, lacking};
use crate::focus::{Focus, Matched, asked, few_lines, focus, lines_around};
use crate::input::{PackError, PackInput};
use crate::ledger;
use crate::names;
use crate::needs::{self, WantedLines};
use crate::neighbours::{self, Neighbour};
use crate::never;
use crate::pack::{LedgerLine, Omitted, Pack, RuleText, Shown};
use crate::prompt::{Composed, by_lines};
use crate::source::Source;
use crate::text::{inline, listed};
use crate::words::Words;
use crate::writer::measuring;

/// Hundredths of the prompt that failures, the patch that failed, rules and the ledger may take.
const FAILURES: usize = 20;
const TRIED: usize = 12;
const RULES: usize = 30;
const LEDGER: usize = 15;
/// Files around those of the task.
const BY_NAME: usize = 6;
const TESTS: usize = 8;
const IMPORTED: usize = 16;
const USERS: usize = 16;
/// Lines of a file that uses another.
const USE_LINES: usize = 3;
const AROUND_USE: u32 = 2;
/// Parts of it that the task speaks of.
const MEANT: usize = 6;
/// Of files of one kind that are left out, so many are named; the others are counted.
const NAMED: usize = 50;

/// Chooses files, parts of files, rules and what came before. The same input gives the same pack.
pub fn build(input: &PackInput<'_>) -> Result<Pack, PackError> {
    let mut pack = before_files(input)?;
    let task = input.task;
    let said = [task.goal.as_str(), input.directive.unwrap_or_default()];
    let notes = task.notes.iter().map(String::as_str);
    let words = Words::of(&said.into_iter().chain(notes).collect::<Vec<_>>());
    let known = IndexReader::new(input);
    let (files, omitted) = scoped(&known, &words)?;
    pack.omitted.extend(omitted);
    let (wanted, omitted) = needs::resolve(&known)?;
    pack.omitted.extend(omitted);
    let Scope { mut items, changing, omitted } = scope(&known, &files, &wanted, &words)?;
    pack.omitted.extend(omitted);
    let mut room = composed(&pack, &input.assignment()).for_files;
    // Only for files that the task names, and not for those of a whole folder.
    if !task.files.is_empty() {
        pack.budgets = pack.budgets.widened(lacking(&items, &room, &pack.budgets));
        room = composed(&pack, &input.assignment()).for_files;
    }
    let mut seen: BTreeSet<FileId> = files.iter().map(|file| file.id).collect();
    let mut add = |path: &str, item| match item {
        Ok(item) => items.push(item),
        Err(reason) => pack.omitted.push(Omitted { path: path.to_owned(), reason }),
    };
    for (id, lines) in &wanted {
        if seen.insert(*id) {
            add(known.path(*id), asked_item(&known, *id, lines, &words)?);
        }
    }
    around(&known, &files, (&changing, &words), seen, &mut items, &mut pack.omitted)?;
    let (files, unshown) = fit(&items, room, pack.budgets.excerpt_lines);
    pack.files = files;
    // Code that the goal refers to first: whoever reads the list may ask for it.
    pack.omitted.splice(0..0, unshown);
    pack.names = names::named(input, &pack.files)?;
    Ok(measured(pack, &input.assignment()))
}

/// The files of the task that can be shown, and the symbols of each that are likely to change.
struct Scope<'p> {
    items: Vec<Item<'p>>,
    changing: BTreeMap<FileId, BTreeSet<String>>,
    omitted: Vec<Omitted>,
}

fn scope<'p>(
    known: &IndexReader<'p>,
    files: &[Scoped<'p>],
    wanted: &[(FileId, Vec<WantedLines>)],
    words: &Words,
) -> Result<Scope<'p>, PackError> {
    let mut scope = Scope { items: Vec::new(), changing: BTreeMap::new(), omitted: Vec::new() };
    for file in files {
        known.input.go_on()?;
        let own = wanted.iter().find(|it| it.0 == file.id).map_or(&[][..], |it| it.1.as_slice());
        match scoped_item(known.input, file, own, words) {
            Ok(item) => {
                let names = names_at(file.facts.as_deref(), &item.focuses);
                scope.changing.insert(file.id, names);
                scope.items.push(item);
            }
            Err(reason) => scope.omitted.push(Omitted { path: file.path.to_owned(), reason }),
        }
    }
    add_callers(files, &scope.changing, &mut scope.items);
    Ok(scope)
}

/// What is likely to change in one file of the task is shown where the other ones use it, too.
fn add_callers(
    files: &[Scoped<'_>],
    changing: &BTreeMap<FileId, BTreeSet<String>>,
    items: &mut [Item<'_>],
) {
    for file in files {
        let Some(names) = changing.get(&file.id) else { continue };
        for user in files.iter().filter(|user| user.id != file.id) {
            let Some(item) = items.iter_mut().find(|item| item.path == user.path) else { continue };
            let uses = file.used.get(&user.id).map_or(&[][..], |used| used.uses.as_slice());
            for used in uses.iter().filter(|used| names.contains(&used.symbol)) {
                let lines = lines_around(item.facts.as_deref(), &item.source, used.line);
                let why = format!("use of {}", inline(&used.symbol, 80));
                item.focuses.push(Focus { matched: Matched::Mentioned, why, ..lines });
            }
        }
    }
}

/// The pack without files: rules, failures and ledger, each within its share.
fn before_files(input: &PackInput<'_>) -> Result<Pack, PackError> {
    let budgets = input.budgets;
    if budgets.chars < Budgets::LEAST_CHARS {
        return Err(PackError::FewChars { chars: budgets.chars });
    }
    let mut pack = Pack {
        task: input.task.id,
        files: Vec::new(),
        omitted: Vec::new(),
        names: Vec::new(),
        rules: Vec::new(),
        conventions: input.conventions.clone(),
        ledger: Vec::new(),
        errors: Vec::new(),
        tried: None,
        budgets,
        sizes: Sizes::default(),
    };
    let assignment = input.assignment();
    let room = composed(&pack, &assignment).for_files;
    if let Some(most) = budgets.tokens {
        let least = measured(pack.clone(), &assignment).sizes.tokens;
        if least > most {
            return Err(PackError::FewTokens { tokens: most, least });
        }
    }
    failures(input, room.share(FAILURES), &mut pack);
    pack.tried = input.tried.map(|text| by_lines(text, room.share(TRIED).chars));
    rules(input, room.share(RULES), &mut pack);
    last_tasks(input, room.share(LEDGER), &mut pack);
    Ok(pack)
}

/// What a text takes with the marks around it.
fn framed(room: &Room, text: &str) -> Cost {
    let fence = measuring(&text);
    let label = Label { source: rb_trust::Source::ToolOutput, name: String::new() };
    room.cost(&fence.around(&label, text).expect("no text holds the digest of itself"), &fence)
}

/// The newest failures that fit.
fn failures(input: &PackInput<'_>, mut room: Room, pack: &mut Pack) {
    for (nth, text) in input.errors.iter().enumerate().rev() {
        let text = ledger::error(text);
        if room.take(framed(&room, &text)) {
            pack.errors.insert(0, text);
        } else {
            let reason = "no room left".to_owned();
            pack.omitted.push(Omitted { path: format!("(failure {})", nth + 1), reason });
        }
    }
}

/// The rules of the task first, then the others in the order given.
fn rules(input: &PackInput<'_>, mut room: Room, pack: &mut Pack) {
    let own = |rule: &&RuleText| input.task.rules.contains(&rule.id);
    let (own, others): (Vec<&RuleText>, Vec<&RuleText>) = input.rules.iter().partition(own);
    let mut left = Vec::new();
    for rule in own.into_iter().chain(others) {
        let RuleText { id, title, wrong, right } = rule;
        if room.take(framed(&room, &format!("{id}{title}{wrong}{right}"))) {
            pack.rules.push(rule.clone());
        } else {
            let reason = "no room left".to_owned();
            left.push(Omitted { path: format!("(rule {id})"), reason });
        }
    }
    pack.omitted.extend(left);
}

fn last_tasks(input: &PackInput<'_>, mut room: Room, pack: &mut Pack) {
    let mut lines: Vec<LedgerLine> = ledger::tail(input.ledger, &input.budgets);
    let fits = |line: &&LedgerLine| room.take(framed(&room, &line.text));
    let kept = lines.iter().rev().take_while(fits).count();
    lines.drain(..lines.len() - kept);
    let gone = input.ledger.len() - lines.len();
    if gone > 0 {
        let reason = format!("{} before the last {}", plural(gone, "task"), lines.len());
        pack.omitted.push(Omitted { path: "(ledger)".to_owned(), reason });
    }
    pack.ledger = lines;
}

/// The text of a file, or why it is not shown.
fn source(input: &PackInput<'_>, path: &str) -> Result<Source, String> {
    Source::read(input.texts.text(path).ok_or("it cannot be read")?)
}

fn scoped_item<'p>(
    input: &PackInput<'_>,
    file: &Scoped<'p>,
    wanted: &[WantedLines],
    words: &Words,
) -> Result<Item<'p>, String> {
    let source = source(input, file.path).map_err(|why| format!("in scope; {why}"))?;
    let facts = file.facts.as_deref();
    let mut focuses = asked(facts, &source, wanted);
    focuses.extend(focus(facts, &source, &file.places, words));
    Ok(Item {
        path: file.path,
        reason: file.reason.clone(),
        kind: Kind::Scoped,
        may_be_changed: (input.may_change)(file.path) && source.can_be_patched,
        source,
        facts: file.facts.clone(),
        symbols: None,
        focuses,
    })
}

/// A file that is shown because somebody asked for it, or why it is not.
fn asked_item<'p>(
    known: &IndexReader<'p>,
    id: FileId,
    wanted: &[WantedLines],
    words: &Words,
) -> Result<Result<Item<'p>, String>, PackError> {
    let (input, path, facts) = (known.input, known.path(id), known.facts(id)?);
    let whys: BTreeSet<&str> = wanted.iter().map(|it| it.why.as_str()).collect();
    let reason = listed(&whys.into_iter().collect::<Vec<_>>(), 200);
    let source = match never::by_file(&input.view.file(id)) {
        Some(why) => Err(why),
        None => source(input, path),
    };
    Ok(source.map_err(|why| format!("{reason}; {why}")).map(|source| {
        let mut focuses = asked(facts.as_deref(), &source, wanted);
        if wanted.iter().any(WantedLines::is_whole) {
            focuses.extend(focus(facts.as_deref(), &source, &[], words));
        }
        Item {
            path,
            reason,
            kind: Kind::Asked,
            may_be_changed: (input.may_change)(path) && source.can_be_patched,
            source,
            facts,
            symbols: None,
            focuses,
        }
    }))
}

/// The symbols that are likely to change: those that the goal or a place refers to.
fn names_at(facts: Option<&Facts>, focuses: &[Focus]) -> BTreeSet<String> {
    let symbols = facts.map(|facts| facts.symbols.as_slice()).unwrap_or_default();
    let is_meant = |it: &&Focus| matches!(it.matched, Matched::Named | Matched::Mentioned);
    let meant: Vec<u32> = focuses.iter().filter(is_meant).map(|it| it.anchor).collect();
    let holds = |first: u32, last: u32| meant.iter().any(|line| (first..=last).contains(line));
    let at = symbols.iter().filter(|it| holds(it.span.first_line, it.span.last_line));
    at.map(|symbol| symbol.name.to_string()).collect()
}

/// Adds the files around those of the task.
fn around<'p>(
    known: &IndexReader<'p>,
    files: &[Scoped<'p>],
    (changing, words): (&BTreeMap<FileId, BTreeSet<String>>, &Words),
    mut seen: BTreeSet<FileId>,
    items: &mut Vec<Item<'p>>,
    omitted: &mut Vec<Omitted>,
) -> Result<(), PackError> {
    let groups = [
        (Kind::Named, BY_NAME, neighbours::named(known, files)?),
        (Kind::Test, TESTS, neighbours::tests(known, files, words)?),
        (Kind::Imported, IMPORTED, neighbours::imported(known, files)?),
        (Kind::User, USERS, neighbours::users(known, files, changing)?),
    ];
    for (kind, most, mut group) in groups {
        let is_named = |path: &str| omitted.iter().any(|omitted| omitted.path == path);
        group.retain(|neighbour| seen.insert(neighbour.id) && !is_named(neighbour.path));
        let (mut left, mut beyond) = (Vec::new(), Vec::new());
        let mut taken = 0;
        for neighbour in group {
            known.input.go_on()?;
            let (path, reason) = (neighbour.path.to_owned(), neighbour.reason.clone());
            if taken == most {
                beyond.push(path);
                continue;
            }
            match neighbour_item(known, neighbour, kind, words) {
                Ok(item) => {
                    items.push(item);
                    taken += 1;
                }
                Err(why) => left.push(Omitted { path, reason: format!("{reason}; {why}") }),
            }
        }
        name_some(left, omitted);
        if !beyond.is_empty() {
            let path = format!("({})", plural(beyond.len(), "more file"));
            let (what, beyond) = (what(kind), listed(&beyond, 200));
            let reason = format!("only {most} {what} are considered; left out: {beyond}");
            omitted.push(Omitted { path, reason });
        }
    }
    Ok(())
}

fn what(kind: Kind) -> &'static str {
    match kind {
        Kind::Scoped | Kind::Asked | Kind::Named => "files that are named",
        Kind::Test => "tests",
        Kind::Imported => "imported files",
        Kind::User => "files that use those of the task",
    }
}

fn name_some(mut left: Vec<Omitted>, omitted: &mut Vec<Omitted>) {
    let others = left.len().saturating_sub(NAMED);
    left.truncate(NAMED);
    omitted.append(&mut left);
    if others > 0 {
        let reason = "near the files of the task, but less relevant".to_owned();
        omitted.push(Omitted { path: format!("({others} more files)"), reason });
    }
}

fn neighbour_item<'p>(
    known: &IndexReader<'p>,
    neighbour: Neighbour<'p>,
    kind: Kind,
    words: &Words,
) -> Result<Item<'p>, String> {
    let input = known.input;
    let Neighbour { id, path, reason, facts, symbols, lines } = neighbour;
    if let Some(why) = never::by_file(&input.view.file(id)) {
        return Err(why);
    }
    let source = source(input, path)?;
    let excerpt = |(line, symbol): &(u32, String)| {
        few_lines(&source, *line, AROUND_USE, format!("use of {symbol}"))
    };
    // What the task speaks of, where it is not in scope: the code of a test, or the tests of what changes.
    let is_document = facts.is_none();
    let is_meant = |it: &Focus| match kind {
        Kind::Named if is_document => it.matched != Matched::Not,
        Kind::Named | Kind::Imported => it.matched == Matched::Named,
        Kind::Test => matches!(it.matched, Matched::Named | Matched::Mentioned),
        Kind::Scoped | Kind::Asked | Kind::User => false,
    };
    let mut focuses = focus(facts.as_deref(), &source, &[], words);
    focuses.retain(is_meant);
    focuses.truncate(MEANT);
    if focuses.iter().all(Focus::is_imports) {
        focuses.clear();
    }
    focuses.extend(lines.iter().take(USE_LINES).map(excerpt));
    Ok(Item {
        path,
        reason,
        kind,
        may_be_changed: (input.may_change)(path) && source.can_be_patched,
        source,
        facts,
        symbols: (kind != Kind::Test).then_some(symbols),
        focuses,
    })
}

/// What a prompt is made of, for the digest that it is measured with.
#[derive(Serialize)]
struct Asks<'a>(&'a Pack, &'a rb_core::Task, Option<&'a str>, &'a [String]);

fn composed(pack: &Pack, assignment: &Assignment<'_>) -> Composed {
    let Assignment { task, directive, verifiers, family } = *assignment;
    let fence = measuring(&Asks(pack, task, directive, verifiers));
    let layout = pack.layout(assignment, &fence).expect("no text holds the digest of itself");
    layout.compose(&pack.budgets, family, &fence)
}

/// The pack with its sizes, and without files that the whole has no room for after all.
fn measured(mut pack: Pack, assignment: &Assignment<'_>) -> Pack {
    let mut done = composed(&pack, assignment);
    while done.kept.contains(&false) {
        let mut kept = done.kept.iter();
        let lost: Vec<_> =
            pack.files.extract_if(.., |_| kept.next().is_some_and(|kept| !kept)).collect();
        pack.omitted.extend(lost.into_iter().map(|file| Omitted {
            reason: format!("{}; no room left", file.reason),
            path: file.path,
        }));
        done = composed(&pack, assignment);
    }
    let shown = pack.files.iter().flat_map(|file| &file.shown);
    pack.sizes = Sizes {
        chars: done.text.chars().count(),
        bytes: done.text.len(),
        excerpt_lines: shown.map(Shown::excerpt_lines).sum(),
        ledger_entries: pack.ledger.len(),
        tokens: done.tokens,
    };
    pack
}

//! How something works, as far as calls tell: who calls whom, each with the line that calls, and who uses a symbol.

use std::collections::BTreeSet;

use rb_index::FileId;
use rb_tools::ToolError;

use crate::citation::Citation;
use crate::extract::calls::{Calls, Step, Target};
use crate::extract::page::Page;
use crate::extract::sources::{Sources, has_word};
use crate::extract::symbols::{cite_name, in_code, symbol_at};
use crate::extract::topic::SymbolAt;

/// The most calls shown of the symbol that is asked about, and of each that it calls.
const CALLS: usize = 8;
const FURTHER: usize = 3;
/// The most users shown of a symbol.
const USERS: usize = 5;
/// The name of what is called may stand some lines below the beginning of the call.
const CALL_LINES: u32 = 4;

/// Says what a symbol calls, in the order of the text, and what the symbols in other files that it calls do in turn.
pub(crate) fn say_path(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    calls: &Calls,
    start: SymbolAt,
) -> Result<(), ToolError> {
    let mut seen = BTreeSet::from([start]);
    let mut next = Vec::new();
    for step in calls.callees_of(start).take(CALLS) {
        if let Target::Symbol(to) = &step.to
            && seen.insert(*to)
        {
            next.push(*to);
        }
        say_step(page, sources, step)?;
    }
    for at in next {
        let is_new = |step: &&Step| match &step.to {
            Target::Symbol(to) => !seen.contains(to),
            Target::Package(_) => true,
        };
        let steps: Vec<&Step> = calls.callees_of(at).filter(is_new).take(FURTHER).collect();
        for step in steps {
            if let Target::Symbol(to) = &step.to {
                seen.insert(*to);
            }
            say_step(page, sources, step)?;
        }
    }
    Ok(())
}

/// Says who calls a symbol, the most important files first; if nobody does, who imports it.
pub(crate) fn say_users(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    calls: &Calls,
    at: SymbolAt,
) -> Result<(), ToolError> {
    let mut steps: Vec<&Step> =
        calls.callers_of(at).filter(|step| !sources.is_test(step.from.0)).collect();
    steps.retain(|step| step.from != (at.file, Some(at.symbol)));
    steps.sort_by_key(|step| (step.is_guess, sources.rank(step.from.0), step.line));
    for step in steps.iter().take(USERS) {
        say_step(page, sources, step)?;
    }
    if steps.is_empty() {
        say_importers(page, sources, at)?;
    }
    Ok(())
}

/// "`handle` calls `next` in `lib/router.js`."
fn say_step(page: &mut Page, sources: &mut Sources<'_, '_>, step: &Step) -> Result<(), ToolError> {
    let (file, symbol) = step.from;
    let mut citations = Vec::new();
    let mut caller = format!("`{}`", sources.path(file));
    if let Some(symbol) = symbol
        && let Some((_, symbol)) = symbol_at(sources, SymbolAt { file, symbol })?
        && let Some(citation) = cite_name(sources, file, &symbol)
    {
        caller = format!("`{}`", symbol.name);
        citations.push(citation);
    }
    let verb = if step.is_guess { "appears to call" } else { "calls" };
    let reached = match &step.to {
        Target::Symbol(at) => callee(sources, step, *at)?,
        Target::Package(name) => package(sources, step, name)?,
    };
    let Some((target, shown)) = reached else { return Ok(()) };
    // The line that calls comes first: it is what the sentence is about.
    let citations: Vec<Citation> = shown.into_iter().chain(citations).collect();
    let code = citations.first().and_then(|call| in_code(&call.quote));
    let code = code.map(|code| format!(": {code}")).unwrap_or_default();
    page.say(sources, &format!("{caller} {verb} {target}{code}."), &citations);
    Ok(())
}

type Callee = Option<(String, Vec<Citation>)>;

/// The symbol that is called, with the line that calls it and the line that declares it.
fn callee(sources: &mut Sources<'_, '_>, step: &Step, at: SymbolAt) -> Result<Callee, ToolError> {
    let Some((facts, symbol)) = symbol_at(sources, at)? else { return Ok(None) };
    // A constructor is called by the name of its class.
    let outer = symbol.parent.and_then(|outer| facts.symbols.get(outer as usize));
    let (from, path) = (step.from.0, sources.path(at.file).to_owned());
    for target in std::iter::once(&symbol).chain(outer) {
        let Some(call) = cite_call(sources, from, step.line, &target.name) else { continue };
        let Some(declared) = cite_name(sources, at.file, target) else { continue };
        let place = if at.file == from { String::new() } else { format!(" in `{path}`") };
        return Ok(Some((format!("`{}`{place}", target.name), vec![call, declared])));
    }
    Ok(None)
}

/// A package that is called, with the line that calls and the line that imports it.
fn package(sources: &mut Sources<'_, '_>, step: &Step, name: &str) -> Result<Callee, ToolError> {
    let file = step.from.0;
    let Some(facts) = sources.facts(file)? else { return Ok(None) };
    let import = facts.imports.iter().find(|import| import.specifier.contains(name));
    let Some(import) = import else { return Ok(None) };
    let imported = sources.cite(file, import.line, import.line);
    let call = sources.cite(file, step.line, step.line);
    let citations: Vec<Citation> = call.into_iter().chain(imported).collect();
    Ok(Some((format!("the package `{name}`"), citations)))
}

/// The lines of a call, down to the one that has the name.
fn cite_call(
    sources: &mut Sources<'_, '_>,
    file: FileId,
    line: u32,
    name: &str,
) -> Option<Citation> {
    let text = sources.text(file)?;
    let last = (line..line.saturating_add(CALL_LINES)).find(|&line| {
        let line = text.lines.get((line as usize).saturating_sub(1));
        line.is_some_and(|line| has_word(line, name))
    })?;
    sources.cite_naming(file, line, last, name)
}

/// "`lib/express.js` imports `View`."
fn say_importers(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    at: SymbolAt,
) -> Result<(), ToolError> {
    /// An import may name so many things, one on each line.
    const IMPORT_LINES: u32 = 30;
    let Some((_, symbol)) = symbol_at(sources, at)? else { return Ok(()) };
    let is_user = |(from, to): &&(FileId, FileId)| *to == at.file && !sources.is_test(*from);
    let mut files: Vec<FileId> = sources.edges.iter().filter(is_user).map(|edge| edge.0).collect();
    files.sort_by_key(|file| sources.rank(*file));
    let mut said = 0;
    for file in files {
        let Some(facts) = sources.facts(file)? else { continue };
        let has_name =
            |import: &&rb_lang::Import| import.names.iter().any(|name| *name.name == *symbol.name);
        let Some(import) = facts.imports.iter().find(has_name) else { continue };
        let last = import.line.saturating_add(IMPORT_LINES);
        let text = sources.text(file);
        let line = text.and_then(|text| {
            (import.line..last).find(|&line| {
                let line = text.lines.get((line as usize).saturating_sub(1));
                line.is_some_and(|line| has_word(line, &symbol.name))
            })
        });
        let Some(citation) = line.and_then(|line| sources.cite(file, line, line)) else { continue };
        let text = format!("`{}` imports `{}`.", sources.path(file), symbol.name);
        said += usize::from(page.say(sources, &text, &[citation]));
        if said == USERS {
            break;
        }
    }
    Ok(())
}

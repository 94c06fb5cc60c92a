//! A symbol of a language that only its language server knows: Go, Rust, Java, C#, C and C++.
//!
//! The server finds the uses and gives the edits; what stands in the way of the rename is left, with its places. A public name
//! changes because somebody asked for just that, so it is listed and not refused.

use std::collections::BTreeSet;

use rb_core::{at_most, edit, plural};
use rb_lang::Language;
use rb_language_servers::{RenameRequest, Renamed, Server, ServerError, identifiers};

use super::file::{has_word, words};
use super::mentions::lines;
use super::target;
use crate::links::line_of;
use crate::plan::{ApiChange, Chain, Left, Mention, Plan, Site, one_line};
use crate::recipe::{PlanError, Planning};

/// The most that are named if several could be meant, and the most mentions.
const NAMED: usize = 10;
const MENTIONS: usize = 200;
/// A larger file is data.
const MAX_BYTES: u64 = 1 << 20;

const DECLINED: &str = "choose another name, or rename something else";

/// Is it in a file of such a language?
pub(super) fn is_served(symbol: &str) -> bool {
    split(symbol).is_some_and(|(path, ..)| Server::for_path(path).is_some())
}

/// Path, line and name of `path:12#name`.
fn split(symbol: &str) -> Option<(&str, Option<u32>, &str)> {
    let (path, name) = symbol.split_once('#')?;
    let (path, line) = match path.rsplit_once(':') {
        Some((file, line)) => line.parse().map_or((path, None), |line| (file, Some(line))),
        None => (path, None),
    };
    Some((path.trim_start_matches("./"), line, name))
}

pub(super) fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let symbol = planning.argument("symbol")?;
    rename(planning, symbol)
}

/// The plan for a name without its file that only such a language declares. None where none does.
pub(super) fn plan_by_name(
    planning: &Planning<'_>,
    asked: &target::RenameRequest<'_>,
) -> Result<Option<Plan>, PlanError> {
    let found = declarations(planning, asked)?;
    match &found[..] {
        [] => Ok(None),
        [symbol] => rename(planning, symbol).map(Some),
        several => {
            let places = at_most(NAMED, several.iter().map(|it| format!("`{it}`"))).join(", ");
            let name = planning.argument("symbol")?;
            Err(PlanError::Argument(format!(
                "`{name}` {}: {places}; name one of them",
                target::SEVERAL
            )))
        }
    }
}

/// `path#name` for each file that declares the name.
fn declarations(
    planning: &Planning<'_>,
    asked: &target::RenameRequest<'_>,
) -> Result<Vec<String>, PlanError> {
    let mut files = planning.world.all_paths();
    files.retain(|path| Server::for_path(path).is_some());
    let found = planning.over(&files, |path| {
        let text = planning.world.text(path).filter(|text| has_word(text, asked.name))?;
        let facts = rb_lang::extract(Language::of(path.as_bytes(), &text)?, &text)?;
        let is_declared = facts.symbols.iter().any(|symbol| &*symbol.name == asked.name);
        // A member is looked for where its owner is declared.
        let member = asked.member.filter(|member| has_word(&text, member));
        (is_declared && member.is_some() == asked.member.is_some()).then(|| match member {
            Some(member) => format!("{path}#{}.{member}", asked.name),
            None => format!("{path}#{}", asked.name),
        })
    })?;
    Ok(found.into_iter().map(|(_, symbol)| symbol).collect())
}

fn rename(planning: &Planning<'_>, symbol: &str) -> Result<Plan, PlanError> {
    let to = planning.argument("to")?;
    let no_symbol = || {
        let how = "write `path#name`, `path:line#name` or `path#owner.member`";
        PlanError::Argument(format!("`{symbol}` is not a symbol; {how}"))
    };
    let (path, line, name) = split(symbol).ok_or_else(no_symbol)?;
    let old = name.rsplit('.').next().unwrap_or(name);
    if !is_name(to) {
        return Err(PlanError::Argument(format!("`{to}` is not a valid name")));
    }
    if !is_name(old) {
        return Err(no_symbol());
    }
    if old == to {
        return Err(PlanError::Argument(format!("`{old}` already has that name")));
    }
    let paths = planning.world.all_paths();
    let texts = |path: &str| planning.world.text(path);
    let request = RenameRequest { path, symbol: name, line, to, paths: &paths, texts: &texts };
    let asked = Asked { planning, path, symbol: name, old, to };
    match planning.renamer.rename(&request) {
        Ok(renamed) => asked.made(renamed),
        Err(error) => asked.refused(error, line),
    }
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}

struct Asked<'a> {
    planning: &'a Planning<'a>,
    path: &'a str,
    symbol: &'a str,
    old: &'a str,
    to: &'a str,
}

impl Asked<'_> {
    fn made(&self, renamed: Renamed) -> Result<Plan, PlanError> {
        let Asked { planning, path, symbol, old, to } = *self;
        let files = renamed.edits.len();
        let mut chain = Chain {
            title: format!("`{old}` renamed to `{to}` in {}", plural(files, "file")),
            sites: self.sites(&renamed),
            edits: renamed.edits,
            notes: renamed.notes,
            ..Chain::default()
        };
        let mentions = self.mentions(&chain)?;
        for (before, after) in renamed.moved {
            let text = planning.world.text(&before).unwrap_or_default();
            let edits = chain.edits.remove(&before).unwrap_or_default();
            let wrong = |error: edit::EditError| PlanError::Unavailable(error.to_string());
            chain.created.insert(after, edit::apply(&text, &edits).map_err(wrong)?);
            chain.removed.insert(before);
        }
        let new = match symbol.rsplit_once('.') {
            Some((owner, _)) => format!("{owner}.{to}"),
            None => to.to_owned(),
        };
        chain.renames.insert(old.to_owned(), to.to_owned());
        chain.renames.insert(symbol.to_owned(), new.clone());
        let top = symbol.split('.').next().unwrap_or(symbol);
        let promised = planning.promised;
        let is_public = promised.has(path, symbol) || promised.has(path, top);
        if is_public {
            let (path, name) = (path.to_owned(), symbol.to_owned());
            let (before, after) = (symbol.to_owned(), new);
            chain.api.push(ApiChange { path, name, before, after, is_public });
        }
        if !mentions.is_empty() {
            let mention = if mentions.len() == 1 { "place mentions" } else { "places mention" };
            chain.notes.push(format!(
                "{} {mention} `{old}` in strings, comments or documents",
                mentions.len()
            ));
        }
        Ok(Plan { chains: vec![chain], left: Vec::new(), mentions })
    }

    /// The lines that change, the declaration first.
    fn sites(&self, renamed: &Renamed) -> Vec<Site> {
        let mut places = vec![(self.path.to_owned(), renamed.line)];
        for (path, edits) in &renamed.edits {
            let text = self.planning.world.text(path).unwrap_or_default();
            places.extend(edits.iter().map(|edit| (path.clone(), line_of(&text, edit.start))));
        }
        let mut seen = BTreeSet::new();
        places.retain(|place| seen.insert(place.clone()));
        let what = format!("`{}` → `{}`", self.old, self.to);
        let site = |(path, line)| Site { path, line, what: what.clone() };
        places.into_iter().map(site).collect()
    }

    /// Where the old name is only spoken of. What is code and was not edited is another thing of the same name.
    fn mentions(&self, chain: &Chain) -> Result<Vec<Mention>, PlanError> {
        let world = self.planning.world;
        let files =
            if self.is_local(chain) { vec![self.path.to_owned()] } else { world.all_paths() };
        let found = self.planning.over(&files, |path| {
            world.size(path).filter(|size| *size <= MAX_BYTES)?;
            let text = world.text(path).filter(|text| has_word(text, self.old))?;
            let edits = chain.edits.get(path).map(Vec::as_slice).unwrap_or_default();
            let code = match Server::for_path(path) {
                Some(_) => identifiers(path, &text, self.old),
                None => Vec::new(),
            };
            let spoken: Vec<usize> =
                words(&text, self.old).filter(|at| !code.contains(at)).collect();
            Some(lines(path, &text, &spoken, edits))
        })?;
        Ok(found.into_iter().flat_map(|(_, it)| it).take(MENTIONS).collect())
    }

    /// A variable or a parameter, of which no other file speaks.
    fn is_local(&self, chain: &Chain) -> bool {
        let text = self.planning.world.text(self.path).unwrap_or_default();
        let language = Language::of(self.path.as_bytes(), &text);
        let facts = language.and_then(|language| rb_lang::extract(language, &text));
        let is_declared = |name: &str| {
            facts.as_ref().is_none_or(|facts| facts.symbols.iter().any(|it| &*it.name == name))
        };
        chain.edits.len() == 1 && self.symbol == self.old && !is_declared(self.old)
    }

    fn refused(&self, error: ServerError, line: Option<u32>) -> Result<Plan, PlanError> {
        let (why, places, suggestion) = match error {
            ServerError::Cancelled(_) => return Err(PlanError::Interrupted),
            ServerError::InTheWay { why, places } => {
                (why, places, "choose another name, or change these places by hand first")
            }
            ServerError::Declined { why, line } => {
                (why, vec![(self.path.to_owned(), line)], DECLINED)
            }
            ServerError::Refused { .. }
            | ServerError::NoRename { .. }
            | ServerError::MovesFile { .. } => (error.to_string(), Vec::new(), DECLINED),
            ServerError::Unknown { .. }
            | ServerError::NoText { .. }
            | ServerError::NotDeclared { .. }
            | ServerError::Several { .. } => return Err(PlanError::Argument(error.to_string())),
            ServerError::Missing { .. }
            | ServerError::Unprepared { .. }
            | ServerError::Ended { .. }
            | ServerError::TooSlow { .. }
            | ServerError::Protocol { .. }
            | ServerError::NotLoaded { .. }
            | ServerError::Sandbox(_)
            | ServerError::Fs(_)
            | ServerError::Pipe(_) => return Err(PlanError::Unavailable(error.to_string())),
        };
        let left = |path: String, line: u32, code: String| Left {
            path,
            line,
            column: 1,
            code,
            reason: why.clone(),
            suggestion: suggestion.to_owned(),
            through: Vec::new(),
        };
        let mut all: Vec<Left> = Vec::new();
        for (path, line) in places {
            let text = self.planning.world.text(&path).unwrap_or_default();
            let index = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
            let code = one_line(text.lines().nth(index).unwrap_or_default());
            all.push(left(path, line, code));
        }
        if all.is_empty() {
            all.push(left(self.path.to_owned(), line.unwrap_or(1), self.symbol.to_owned()));
        }
        Ok(Plan { left: all, ..Plan::default() })
    }
}

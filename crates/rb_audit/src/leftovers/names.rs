//! An old name that still stands somewhere: in a string, a comment, a document, configuration, or in code that no other check
//! can follow.
//!
//! A name that is declared or bound anywhere else may mean that; then only its full path (`shop.tax.rate`) counts.

use std::collections::BTreeSet;

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::{ImportedName, name_words};

use super::history::is_about_the_past;
use super::leftover;
use super::removed::{Removed, RemovedSymbol};
use super::sightings::{Context, Sighting, Sightings, line_at};
use crate::comparison::{Comparison, Side, folder_of, has_bases, is_ecma};
use crate::reach::Reach;
use crate::words;
use crate::{Finding, FindingKind};

/// A name that code still uses in more places than this is somebody else's.
const MOST_USES: usize = 10;

/// Functions that take the name of a member as a string.
const BY_NAME: &[&str] = &[
    "getattr",
    "setattr",
    "hasattr",
    "delattr",
    "patch",
    "spyOn",
    "stub",
    "mock",
    "attrgetter",
    "methodcaller",
    "import_string",
    "import_module",
    "MethodByName",
    "FieldByName",
    "getMethod",
    "getDeclaredMethod",
    "getField",
    "__all__",
];

pub(crate) fn find(
    comparison: &Comparison<'_>,
    removed: &Removed,
    sightings: &Sightings,
) -> Vec<Finding> {
    let reach = Reach::of(comparison).files;
    let mut findings = Vec::new();
    for symbol in &removed.symbols {
        let all = sightings.of_word(&symbol.name);
        if all.is_empty() {
            continue;
        }
        let name = OldName::new(comparison, symbol, all, sightings);
        for sighting in all.iter().filter(|it| !it.is_edited) {
            let text = sightings.text(sighting.file);
            let place = Place { sighting, text: &text, symbol };
            if let Some(message) = name.message(comparison, &place, &reach) {
                let path = comparison.after.path(sighting.file);
                let cause = Some(symbol.cause.clone());
                findings.push(leftover(
                    FindingKind::StaleName,
                    (path, sighting.line),
                    message,
                    cause,
                ));
            }
        }
    }
    findings
}

/// What is known of a name that the change took away.
struct OldName<'c> {
    symbol: &'c RemovedSymbol,
    state: State,
    /// The file that declares it now and did not before.
    moved_to: Option<String>,
    /// Nobody would write it without meaning a name: `parse_cookie`, `parseCookie`.
    is_distinct: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Declared or bound somewhere, or the change itself still writes it.
    Lives,
    /// No declaration is left, and code still uses it.
    Used,
    Dead,
}

/// A sighting with what stands around it.
struct Place<'p> {
    sighting: &'p Sighting,
    text: &'p str,
    symbol: &'p RemovedSymbol,
}

impl<'c> OldName<'c> {
    fn new(
        comparison: &Comparison<'_>,
        symbol: &'c RemovedSymbol,
        all: &[Sighting],
        sightings: &Sightings,
    ) -> Self {
        let in_code = || all.iter().filter(|it| it.context == Context::Code);
        let files: BTreeSet<FileId> = in_code().map(|it| it.file).collect();
        let declared: Vec<FileId> =
            files.into_iter().filter(|&file| declares(&comparison.after, file, symbol)).collect();
        let is_kept = |it: &Sighting| {
            it.is_edited && !matches!(it.context, Context::Comment | Context::Prose)
        };
        let is_bound = |it: &Sighting| {
            let text = sightings.text(it.file);
            let details = comparison.after.details(it.file);
            is_binding(&text, it.at + symbol.name.len())
                || details.is_none_or(|details| details.binds(&symbol.name))
        };
        let lives = !declared.is_empty()
            || all.iter().any(is_kept)
            || in_code().count() > MOST_USES
            || in_code().any(is_bound);
        let state = match in_code().next() {
            _ if lives => State::Lives,
            Some(_) => State::Used,
            None => State::Dead,
        };
        let is_distinct = symbol.name.len() >= 6 && name_words(&symbol.name).len() >= 2;
        let moved_to = moved_to(comparison, symbol, &declared);
        OldName { symbol, state, moved_to, is_distinct }
    }

    fn message(
        &self,
        comparison: &Comparison<'_>,
        place: &Place<'_>,
        reach: &BTreeSet<FileId>,
    ) -> Option<String> {
        let prefix = place.prefix();
        let path = comparison.after.path(place.sighting.file);
        let is_far = folder_of(path) != folder_of(&self.symbol.path);
        if self.symbol.is_local_value && prefix.is_empty() && is_far {
            return None;
        }
        let is_named = match &place.sighting.context {
            Context::Code => return self.in_code(comparison, place, &prefix, reach),
            _ if self.state == State::Lives => self.is_gone_from(comparison, place, &prefix),
            Context::String(_) => self.is_in_string(place, &prefix),
            Context::Comment | Context::Prose => self.is_in_words(place, &prefix),
            Context::Configuration => place.fits(&prefix),
        };
        if !is_named || is_about_the_past(place.text, place.sighting.at) {
            return None;
        }
        let full = if prefix.is_empty() {
            self.symbol.name.to_string()
        } else {
            format!("{}.{}", prefix.join("."), self.symbol.name)
        };
        Some(format!("{} still names `{full}`, {}", place.what(), self.fate()))
    }

    /// What became of it.
    fn fate(&self) -> String {
        match (&self.moved_to, &self.symbol.new_name) {
            (Some(now), _) => format!("but the change moved it to {now}"),
            (None, Some(new)) => format!("but the change renamed it to `{new}`"),
            (None, None) => "but the change removed it".to_owned(),
        }
    }

    /// The full path of a name that lives elsewhere: does its module still have it?
    fn is_gone_from(
        &self,
        comparison: &Comparison<'_>,
        place: &Place<'_>,
        prefix: &[String],
    ) -> bool {
        let mut home = self.symbol.module.clone();
        home.extend(self.symbol.owner.iter().map(ToString::to_string));
        // Two names may meet by chance in a sentence, but hardly as a whole string.
        if *prefix != *home || prefix.len() < 2 && !place.is_whole_string(prefix) {
            return false;
        }
        let Some(file) = comparison.after.find(&self.symbol.path) else { return true };
        match (&self.symbol.owner, comparison.after.facts(file)) {
            // A class that extends another may have it from there.
            (Some(owner), Some(facts)) => {
                !facts.symbols.iter().any(|it| it.name == *owner && has_bases(it))
            }
            (Some(_), None) => false,
            (None, _) => comparison
                .after
                .details(file)
                .is_some_and(|details| !details.is_open && !details.binds(&self.symbol.name)),
        }
    }

    fn is_in_string(&self, place: &Place<'_>, prefix: &[String]) -> bool {
        if let Some((start, content)) = place.string()
            && content == &*self.symbol.name
        {
            let before = place.text[..start].trim_end();
            let from = before.rfind(['\n', ';', ']', '}']).map_or(0, |it| it + 1);
            return BY_NAME.iter().any(|word| words::has(&before[from..], word));
        }
        let is_sentence = place.string().is_some_and(|(_, content)| content.contains(' '));
        let is_bare = prefix.is_empty() && !place.is_part_of_path();
        place.fits(prefix) || self.is_distinct && is_bare && is_sentence
    }

    fn is_in_words(&self, place: &Place<'_>, prefix: &[String]) -> bool {
        if !prefix.is_empty() {
            return place.fits(prefix);
        }
        if place.is_part_of_path() {
            return false;
        }
        if self.is_distinct {
            return true;
        }
        // One plain word: only as code, in a text that speaks of where it was.
        let home = self.symbol.owner.as_deref().or(self.symbol.module.last().map(String::as_str));
        let is_home = |home: &str| {
            home != &*self.symbol.name && home.len() > 3 && words::has(place.text, home)
        };
        self.symbol.name.len() >= 4 && place.is_written_as_call() && home.is_some_and(is_home)
    }

    /// A use that no other check can follow: `thing.old_name()` in a file that gets to the changed one.
    fn in_code(
        &self,
        comparison: &Comparison<'_>,
        place: &Place<'_>,
        prefix: &[String],
        reach: &BTreeSet<FileId>,
    ) -> Option<String> {
        let file = place.sighting.file;
        let is_member = !prefix.is_empty() || place.text[..place.sighting.at].ends_with(['.', ':']);
        let languages = (comparison.after.language(file), Some(self.symbol.language));
        let is_same = languages.0 == languages.1 || is_ecma(languages.0) && is_ecma(languages.1);
        if self.state != State::Used
            || !self.is_distinct
            || self.symbol.may_be_inherited
            || !is_member
            || !is_same
            || !reach.contains(&file)
        {
            return None;
        }
        // The package may live on outside of this repository.
        let imports = comparison.after.imports(file);
        let is_foreign = imports.iter().any(|(import, resolution)| {
            let package = import.specifier.split(['.', '/', ':']).next().unwrap_or_default();
            let is_local =
                |name: &ImportedName| prefix.first().is_some_and(|it| **it == *name.local);
            let is_meant = import.names.iter().any(is_local)
                || self.symbol.path.split('/').any(|part| part == package);
            is_meant && !matches!(resolution, Resolution::Inside(_))
        });
        let fate = self.fate();
        (!is_foreign).then(|| format!("`{}` is still used here, {fate}", self.symbol.name))
    }
}

fn declares(side: &Side<'_>, file: FileId, symbol: &RemovedSymbol) -> bool {
    let symbols = side.view.read_symbols(file);
    symbols.map_or(true, |symbols| symbols.iter().any(|it| it.name == symbol.name))
}

fn moved_to(
    comparison: &Comparison<'_>,
    symbol: &RemovedSymbol,
    declared: &[FileId],
) -> Option<String> {
    let &[file] = declared else { return None };
    let had_it = |origin| declares(&comparison.before, origin, symbol);
    let path = comparison.after.path(file);
    let is_new = path != symbol.path && !comparison.origin(file).is_some_and(had_it);
    is_new.then(|| path.to_owned())
}

/// Does what follows the word make it a binding: an assignment, a key, a keyword argument, a declaration with a type?
fn is_binding(text: &str, end: usize) -> bool {
    let rest = text[end..].trim_start_matches([' ', '\t', '?', '!']);
    rest.starts_with(':') && !rest.starts_with("::")
        || rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>")
}

impl Place<'_> {
    /// The names before it, outermost first: `shop`, `tax` of `shop.tax.rate`, `shop::tax::rate` and `shop.tax:rate`.
    fn prefix(&self) -> Vec<String> {
        let mut parts = Vec::new();
        let mut before = &self.text[..self.sighting.at];
        let marks = ["::", ".", ":", "#"];
        while let Some(rest) = marks.iter().find_map(|mark| before.strip_suffix(mark)) {
            let rest = rest.trim_end_matches("()");
            let name = rest.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
            if name.len() == rest.len() {
                break;
            }
            parts.push(rest[name.len()..].to_owned());
            before = name;
        }
        parts.reverse();
        parts
    }

    /// Does a path lead to where the name was: its class, its module, or a package that gave it on?
    fn fits(&self, prefix: &[String]) -> bool {
        let module = &self.symbol.module;
        let Some(last) = prefix.last() else { return false };
        match &self.symbol.owner {
            Some(owner) => *last == **owner,
            None => {
                module.ends_with(prefix) && (prefix.len() > 1 || last.len() > 3)
                    || module.starts_with(prefix) && prefix.len() < module.len()
            }
        }
    }

    /// A piece of a path, an address, or a longer name with dashes is another name.
    fn is_part_of_path(&self) -> bool {
        let (at, end) = (self.sighting.at, self.sighting.at + self.symbol.name.len());
        let (before, after) = (&self.text[..at], &self.text[end..]);
        // `:func:`.name`` and `@name` are the name; `a().name` and `me@name` are not.
        let marked = before.strip_suffix(['.', '@']);
        let is_marked =
            marked.is_none_or(|it| it.is_empty() || it.ends_with(['`', '~', '!', ' ', '\n', '\t']));
        // `name.rs` is a file, `name.` ends a sentence, `Name.member` is a member of it.
        let is_file =
            after.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
        !is_marked
            || before.ends_with(['/', '-', '\\', '$', '#'])
            || after.starts_with(['/', '-', '@', '\\'])
            || before.ends_with('<') && !self.symbol.is_type()
            || is_file && !self.symbol.is_type()
    }

    /// Where the string around it starts, and what is in its quotes.
    fn string(&self) -> Option<(usize, &str)> {
        let Context::String(range) = &self.sighting.context else { return None };
        let whole = self.text.get(range.clone())?;
        let quoted = whole.trim_start_matches(|c: char| c.is_alphabetic());
        Some((range.start, quoted.trim_matches(['"', '\'', '`'])))
    }

    fn is_whole_string(&self, prefix: &[String]) -> bool {
        let path = format!("{}.{}", prefix.join("."), self.symbol.name);
        self.string().is_some_and(|(_, content)| content == path)
    }

    fn is_written_as_call(&self) -> bool {
        let end = self.sighting.at + self.symbol.name.len();
        self.text[end..].starts_with('(')
    }

    fn what(&self) -> &'static str {
        match &self.sighting.context {
            Context::Code => "the code",
            Context::String(_) => "a string",
            Context::Comment
                if line_at(self.text, self.sighting.at)
                    .trim_start()
                    .starts_with(['#', '/', '*']) =>
            {
                "a comment"
            }
            Context::Comment => "a comment or docstring",
            Context::Prose => "the text",
            Context::Configuration => "the configuration",
        }
    }
}

//! Changes of the imports and re-exports of one file, made as one set of edits in the style of the file.
//!
//! Names are removed from statements, and others are added: to a statement that imports from the same module, where the removed
//! statement stood, or below the imports. If only the source of a statement changes, only that string is edited.

mod added;

use std::collections::{BTreeMap, BTreeSet};

use rb_core::Edit;
use rb_ecma::Style;
use rb_ecma::links::Target;

use crate::edits::{FileEdits, behind, number};
use crate::project::{Extra, ImportStatement, ModuleFacts, Shape, StatementName};

pub(crate) use self::added::{Added, TypeKind};
use self::added::{key, written};

/// The longest line of names that is written on one line.
const LINE: usize = 100;
/// The same, in a file that breaks lines earlier.
const SHORT_LINE: usize = 80;

pub(crate) struct ImportEdits<'f> {
    facts: &'f ModuleFacts,
    style: &'f Style,
    /// Statement and name.
    removed: BTreeSet<(usize, usize)>,
    added: Vec<Added>,
}

impl<'f> ImportEdits<'f> {
    pub(crate) fn new(facts: &'f ModuleFacts) -> Self {
        ImportEdits::in_style(facts, &facts.style)
    }

    /// For a file that is too new to have a style.
    pub(crate) fn in_style(facts: &'f ModuleFacts, style: &'f Style) -> Self {
        ImportEdits { facts, style, removed: BTreeSet::new(), added: Vec::new() }
    }

    pub(crate) fn has_added(&self) -> bool {
        !self.added.is_empty()
    }

    pub(crate) fn remove(&mut self, statement: usize, name: usize) {
        self.removed.insert((statement, name));
    }

    /// The same name twice counts once; a value decides over a type.
    pub(crate) fn add(&mut self, added: Added) {
        let same = self.added.iter_mut().find(|it| {
            it.file == added.file
                && it.specifier == added.specifier
                && it.imported == added.imported
                && it.local == added.local
                && it.is_reexport == added.is_reexport
        });
        match same {
            Some(known) => known.kind = known.kind.min(added.kind),
            None => self.added.push(added),
        }
    }

    /// The edits; `Err` with the statement that cannot be edited: a comment in it would be lost.
    pub(crate) fn finish(self) -> Result<Vec<Edit>, &'f ImportStatement> {
        let text = &self.facts.text;
        let mut edits = FileEdits::default();
        self.finish_into("", &mut edits)?;
        Ok(edits.of("", text))
    }

    /// Among other edits of the file, so that gaps of deleted code are seen as one.
    pub(crate) fn finish_into(
        self,
        path: &str,
        edits: &mut FileEdits,
    ) -> Result<(), &'f ImportStatement> {
        let mut joined: BTreeMap<usize, Vec<&Added>> = BTreeMap::new();
        let mut behind: BTreeMap<usize, Vec<&Added>> = BTreeMap::new();
        let (mut above, mut on_top): (Vec<&Added>, Vec<&Added>) = (Vec::new(), Vec::new());
        let mut open: Vec<&Added> = Vec::new();
        for added in &self.added {
            match (self.host(added), added.anchor) {
                (Some(statement), _) => joined.entry(statement).or_default().push(added),
                (None, Some(statement)) => behind.entry(statement).or_default().push(added),
                (None, None) => open.push(added),
            }
        }
        for added in open {
            match self.neighbour(added, &joined) {
                Neighbour::Behind(statement) => behind.entry(statement).or_default().push(added),
                Neighbour::Above => above.push(added),
                Neighbour::None => on_top.push(added),
            }
        }
        for (index, statement) in self.facts.statements.iter().enumerate() {
            let new = joined.remove(&index).unwrap_or_default();
            let below = behind.remove(&index).unwrap_or_default();
            self.statement((path, &mut *edits), index, &new, &below).map_err(|()| statement)?;
        }
        if !above.is_empty() {
            let mut imports = self.facts.statements.iter().filter(|it| !it.is_reexport);
            let first = imports.next().or(self.facts.statements.first());
            let at = first.map_or(0, |it| it.range.start);
            let eol = self.style.line_end;
            let gap = if first.is_some_and(|it| it.is_reexport) { eol } else { "" };
            let text = self.statements(&above).join(eol);
            edits.add(path, Edit::insert(at, format!("{text}{eol}{gap}")));
        }
        edits.extend(path, self.at_top(&on_top));
        Ok(())
    }

    /// Where a statement goes that belongs to none of those that are there: packages above files, re-exports below.
    fn neighbour(&self, added: &Added, joined: &BTreeMap<usize, Vec<&Added>>) -> Neighbour {
        let is_kept = |index: &usize| {
            let names = &self.facts.statements[*index].names;
            names.is_empty()
                || joined.contains_key(index)
                || (0..names.len()).any(|name| !self.removed.contains(&(*index, name)))
        };
        let last = |wanted: &dyn Fn(&ImportStatement) -> bool| {
            let all = || {
                let statements = self.facts.statements.iter().enumerate().rev();
                statements.filter(|(_, it)| wanted(it) && !it.is_list).map(|(index, _)| index)
            };
            all().find(is_kept).or_else(|| all().next())
        };
        let import = last(&|it| !it.is_reexport);
        let package = last(&|it| {
            !it.is_reexport && matches!(it.target, Target::Package(_) | Target::Builtin)
        });
        let found = if added.is_reexport {
            last(&|it| it.is_reexport).or(import)
        } else if added.file.is_none() {
            match (package, import) {
                (Some(package), _) => Some(package),
                (None, Some(_)) => return Neighbour::Above,
                (None, None) => None,
            }
        } else {
            import
        };
        let has_code = self.facts.first_code() < number(self.facts.text.len());
        let reexport = last(&|it| it.is_reexport).filter(|_| !has_code);
        match (found, reexport) {
            (Some(found), _) => Neighbour::Behind(found),
            (None, Some(_)) if added.kind == TypeKind::Whole => Neighbour::Above,
            // Modules are loaded in the order in which they are named.
            (None, Some(reexport)) => Neighbour::Behind(reexport),
            (None, None) => Neighbour::None,
        }
    }

    /// The statement that a name can be added to.
    fn host(&self, added: &Added) -> Option<usize> {
        let is_whole = matches!(added.imported.as_str(), "*" | "");
        if is_whole || (added.imported == "default" && !added.is_reexport) {
            return None;
        }
        self.facts.statements.iter().enumerate().position(|(index, it)| {
            let is_same = match (&it.target, &added.file) {
                (Target::File(path), Some(file)) => path == file,
                (Target::File(_), None) | (_, Some(_)) => false,
                (_, None) => it.source == added.specifier,
            };
            let is_whole = it.names.iter().any(|name| name.shape == Shape::Namespace);
            let kept = (0..it.names.len()).any(|name| !self.removed.contains(&(index, name)));
            is_same
                && kept
                && !is_whole
                && !it.is_list
                && it.extra == Extra::None
                && it.is_type == (added.kind == TypeKind::Whole)
                && it.is_reexport == added.is_reexport
                && !it.names.is_empty()
        })
    }

    fn statement(
        &self,
        (path, edits): (&str, &mut FileEdits),
        index: usize,
        new: &[&Added],
        below: &[&Added],
    ) -> Result<(), ()> {
        let statement = &self.facts.statements[index];
        let is_removed = |name: &usize| self.removed.contains(&(index, *name));
        let gone = (0..statement.names.len()).filter(is_removed).count();
        if gone == 0 && new.is_empty() {
            let at = behind(&self.facts.text, statement.range.end);
            edits.extend(path, self.below(statement, below).map(|text| Edit::insert(at, text)));
            return Ok(());
        }
        let names = statement.names.iter().enumerate();
        let kept: Vec<&StatementName> =
            names.filter(|(name, _)| !is_removed(name)).map(|(_, name)| name).collect();
        if kept.is_empty() && new.is_empty() {
            match self.replaced(statement, below) {
                Some(edit) => edits.add(path, edit),
                None => edits.delete(path, statement.range),
            }
            return Ok(());
        }
        if statement.extra != Extra::None {
            return Err(());
        }
        let mut text = self.rendered(statement, &kept, new);
        text.push_str(&self.below(statement, below).unwrap_or_default());
        edits.add(path, Edit::replace(statement.range.start, statement.range.end, text));
        Ok(())
    }

    /// Nothing is left of the statement: others take its place, or only its source changes.
    fn replaced(&self, statement: &ImportStatement, below: &[&Added]) -> Option<Edit> {
        let is_same = below.len() == statement.names.len()
            && below.windows(2).all(|pair| pair[0].specifier == pair[1].specifier)
            && statement.names.iter().all(|name| {
                below.iter().any(|added| {
                    added.imported == name.imported
                        && added.local == name.local
                        && added.kind == TypeKind::of(statement, name, true)
                        && added.is_reexport == statement.is_reexport
                })
            });
        let first = below.first()?;
        if is_same {
            let range = statement.source_range;
            return Some(Edit::replace(range.start, range.end, first.specifier.clone()));
        }
        let text = self.below(statement, below).unwrap_or_default();
        let text = text.strip_prefix(self.style.line_end).unwrap_or(&text).to_owned();
        Some(Edit::replace(statement.range.start, statement.range.end, text))
    }

    /// A statement with some of its names, and others.
    fn rendered(
        &self,
        statement: &ImportStatement,
        kept: &[&StatementName],
        new: &[&Added],
    ) -> String {
        let text = self.facts.slice(statement.range);
        let in_braces = kept.iter().filter(|it| it.shape == Shape::Named);
        let mut names: Vec<String> =
            in_braces.map(|it| self.facts.slice(it.range).to_owned()).collect();
        let is_sorted = names.is_sorted_by_key(|name| key(name)) && names.len() > 1;
        for added in new {
            let name = written(added);
            let at = names.iter().position(|it| is_sorted && key(it) > key(&name));
            names.insert(at.unwrap_or(names.len()), name);
        }
        let whole = kept.iter().find(|it| it.shape != Shape::Named);
        let word = if statement.is_reexport { "export" } else { "import" };
        let mut head = word.to_owned();
        head.push_str(if statement.is_type { " type " } else { " " });
        if let Some(whole) = whole {
            head.push_str(self.facts.slice(whole.range));
            if !names.is_empty() {
                head.push_str(", ");
            }
        }
        let from = statement.source_range.start.saturating_sub(1) - statement.range.start;
        let tail = if statement.is_list {
            if text.ends_with(';') { ";".to_owned() } else { String::new() }
        } else {
            format!(" from {}", &text[from as usize..])
        };
        let was_long = text.split('}').next().is_some_and(|it| it.contains('\n'));
        let was_too_long = folded(text).len() > self.width();
        let has_comma = text.split('}').next().is_some_and(|it| it.trim_end().ends_with(','));
        let is_long = was_long && !was_too_long && names.len() > 1;
        self.braced(&head, &names, &tail, is_long, has_comma || !was_long)
    }

    /// How long lines may be, as far as the imports of the file show it.
    fn width(&self) -> usize {
        let texts = self.facts.statements.iter().map(|it| self.facts.slice(it.range));
        let (mut longest, mut width) = (SHORT_LINE, LINE);
        for text in texts {
            if !text.contains('\n') {
                longest = longest.max(text.len());
            } else if (SHORT_LINE + 1..=LINE).contains(&folded(text).len()) {
                width = SHORT_LINE;
            }
        }
        width.max(longest)
    }

    fn braced(
        &self,
        head: &str,
        names: &[String],
        tail: &str,
        is_long: bool,
        has_comma: bool,
    ) -> String {
        if names.is_empty() {
            return format!("{head}{tail}");
        }
        let style = self.style;
        let line = format!("{head}{}{tail}", style.braced(&names.join(", ")));
        if !is_long && (line.len() <= self.width() || names.len() == 1) {
            return line;
        }
        let eol = style.line_end;
        let comma = if has_comma { "," } else { "" };
        let indent = style.indent;
        let names = names.join(&format!(",{eol}{indent}"));
        format!("{head}{{{eol}{indent}{names}{comma}{eol}}}{tail}")
    }

    /// New statements below one that is there; a gap stands between imports and re-exports.
    fn below(&self, statement: &ImportStatement, added: &[&Added]) -> Option<String> {
        let (apart, near): (Vec<&Added>, Vec<&Added>) =
            added.iter().copied().partition(|it| it.is_reexport && !statement.is_reexport);
        let mut text = self.lines(&near).unwrap_or_default();
        if let Some(lines) = self.lines(&apart) {
            text.push_str(self.style.line_end);
            text.push_str(&lines);
        }
        (!text.is_empty()).then_some(text)
    }

    /// New statements, each on a line of its own below.
    fn lines(&self, added: &[&Added]) -> Option<String> {
        let eol = self.style.line_end;
        let statements = self.statements(added);
        (!statements.is_empty()).then(|| format!("{eol}{}", statements.join(eol)))
    }

    /// One statement for each module and kind.
    fn statements(&self, added: &[&Added]) -> Vec<String> {
        let mut groups: BTreeMap<(usize, &str, bool, bool), Vec<&Added>> = BTreeMap::new();
        let mut lines = Vec::new();
        let style = self.style;
        for one in added {
            let source = format!(" from {}{}", style.quoted(&one.specifier), style.semicolon());
            let is_type = one.kind == TypeKind::Whole;
            let word = if is_type { " type" } else { "" };
            match one.imported.as_str() {
                "*" if one.is_reexport && one.local.is_empty() => {
                    lines.push(format!("export{word} *{source}"));
                }
                "*" if one.is_reexport => {
                    lines.push(format!("export{word} * as {}{source}", one.local));
                }
                "*" => lines.push(format!("import{word} * as {}{source}", one.local)),
                "default" if !one.is_reexport => {
                    lines.push(format!("import{word} {}{source}", one.local));
                }
                "" => lines.push(format!(
                    "import {}{}",
                    style.quoted(&one.specifier),
                    style.semicolon()
                )),
                _ => {
                    let first = added.iter().position(|it| it.specifier == one.specifier);
                    let group =
                        (first.unwrap_or(0), one.specifier.as_str(), is_type, one.is_reexport);
                    groups.entry(group).or_default().push(one);
                }
            }
        }
        for ((_, specifier, is_type, is_reexport), group) in groups {
            let names: Vec<String> = group.iter().map(|it| written(it)).collect();
            let word = if is_reexport { "export" } else { "import" };
            let head = format!("{word}{} ", if is_type { " type" } else { "" });
            let tail = format!(" from {}{}", style.quoted(specifier), style.semicolon());
            lines.push(self.braced(&head, &names, &tail, false, true));
        }
        lines
    }

    /// In a file without imports: behind its directives, or above its first statement.
    fn at_top(&self, added: &[&Added]) -> Option<Edit> {
        let eol = self.style.line_end;
        let text = self.lines(added)?;
        let text = text.strip_prefix(eol).unwrap_or(&text);
        if self.facts.prologue_end > 0 {
            return Some(Edit::insert(self.facts.prologue_end, format!("{eol}{eol}{text}")));
        }
        let whole = number(self.facts.text.len());
        let at = self.facts.first_code();
        let gap = if at == whole { eol.to_owned() } else { format!("{eol}{eol}") };
        Some(Edit::insert(at, format!("{text}{gap}")))
    }
}

/// A statement on one line.
fn folded(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.replace(", }", " }")
}

enum Neighbour {
    Behind(usize),
    /// Above all imports, or all re-exports.
    Above,
    /// There are no imports.
    None,
}

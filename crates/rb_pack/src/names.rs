//! Where else the repository has the names of a goal: who reads the pack need not search for them, and sees what the change may miss.

use rb_core::plural;
use rb_index::FileId;
use rb_index::content;

use crate::input::{PackError, PackInput};
use crate::never;
use crate::pack::{Included, Shown};
use crate::text::{inline, listed};
use crate::words;

/// Names that are looked for.
const MOST: usize = 8;
/// A name on more lines says nothing of a place.
const COMMON: usize = 40;
/// Characters of the list of places of one name.
const LONGEST_LIST: usize = 300;

/// For each name that the goal or the directive writes as code: on how many lines the repository has it, and which of them are not
/// shown.
pub(crate) fn named(input: &PackInput<'_>, shown: &[Included]) -> Result<Vec<String>, PackError> {
    let texts = [input.task.goal.as_str(), input.directive.unwrap_or_default()];
    let mut names: Vec<Named> = Vec::new();
    for name in texts.iter().flat_map(|text| words::written_as_code(text)) {
        if names.len() < MOST && names.iter().all(|it| it.name != name) {
            names.push(Named { name, lines: 0, unshown: Vec::new() });
        }
    }
    if names.is_empty() {
        return Ok(Vec::new());
    }
    for id in input.view.tree.ids() {
        input.go_on()?;
        let Some(text) = text(input, id) else { continue };
        let path = input.view.file(id).path;
        let file = shown.iter().find(|it| it.path == path);
        for name in &mut names {
            name.count(path, &text, file);
        }
    }
    Ok(names.iter().filter_map(Named::said).collect())
}

fn text(input: &PackInput<'_>, id: FileId) -> Option<String> {
    let file = input.view.file(id);
    let may_be_read = never::by_file(&file).is_none();
    let (text, _) = content::decode(may_be_read.then(|| input.texts.text(file.path))??)?;
    never::by_text(&text).is_none().then_some(text)
}

struct Named {
    name: String,
    lines: usize,
    /// `src/a.ts:12`
    unshown: Vec<String>,
}

impl Named {
    fn count(&mut self, path: &str, text: &str, file: Option<&Included>) {
        if self.lines > COMMON || !text.contains(&self.name) {
            return;
        }
        for (line, number) in text.lines().zip(1..) {
            if has_word(line, &self.name) {
                self.lines += 1;
                if !file.is_some_and(|file| shows(file, number)) {
                    self.unshown.push(format!("{path}:{number}"));
                }
            }
        }
    }

    fn said(&self) -> Option<String> {
        let Named { name, lines, unshown } = self;
        let on = plural(*lines, "line");
        let said = match (*lines, unshown.len()) {
            (lines, _) if lines > COMMON => return None,
            (0, _) => "on no line".to_owned(),
            (_, 0) => format!("on {on}, shown here"),
            (_, number) => {
                let places = listed(unshown, LONGEST_LIST);
                format!("on {on}; {number} not shown: {places}")
            }
        };
        Some(format!("{}: {said}", inline(name, 100)))
    }
}

fn shows(file: &Included, line: u32) -> bool {
    file.shown.iter().any(|shown| match shown {
        Shown::Whole { .. } => true,
        Shown::Excerpt { first, last, .. } => (*first..=*last).contains(&line),
        Shown::Signatures { .. } => false,
    })
}

/// Whether a line has a name that is no part of a longer one.
fn has_word(line: &str, name: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        !line[..at].ends_with(is_inside) && !line[at + name.len()..].starts_with(is_inside)
    })
}

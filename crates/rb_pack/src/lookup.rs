//! Code that a model looks up by itself, in the same words in which it could ask for it.

use std::fmt::Write as _;

use rb_core::{Cancel, plural};
use rb_index::{FileId, Texts, View};

use crate::focus::asked;
use crate::input::PackError;
use crate::needs::{self, WantedLines};
use crate::never;
use crate::source::Source;
use crate::text::inline;

/// A repository to look things up in.
pub struct Lookup<'p> {
    pub view: &'p View<'p>,
    /// The texts of the state that `view` speaks of.
    pub texts: &'p dyn Texts,
    pub cancel: &'p Cancel,
}

/// The most lines that one search finds.
const HITS: usize = 40;
const LONGEST_HIT: usize = 160;
const LONGEST_INDENT: usize = 40;

impl Lookup<'_> {
    /// A file, lines of one, the declarations of a name or the places that use it: `src/a.ts:10-80`, `parseHeader`,
    /// "callers of parseHeader".
    pub fn show(&self, what: &str) -> Result<String, PackError> {
        let (places, missing) = needs::asked(self.view, self.cancel, what)?;
        let mut out = String::new();
        for (id, lines) in places {
            self.show_lines(id, &lines, &mut out)?;
        }
        if let Some(missing) = missing {
            let _ = writeln!(out, "{missing}");
        }
        Ok(out)
    }

    fn show_lines(
        &self,
        id: FileId,
        wanted: &WantedLines,
        out: &mut String,
    ) -> Result<(), PackError> {
        let path = self.view.file(id).path;
        let source = match self.source(id) {
            Ok(source) => source,
            Err(why) => {
                let _ = writeln!(out, "{path}: not shown: {why}");
                return Ok(());
            }
        };
        let facts = self.view.read_facts(id)?;
        for focus in asked(facts.as_ref(), &source, std::slice::from_ref(wanted)) {
            let (first, last) = (focus.first, focus.last);
            let _ = writeln!(out, "{path}, lines {first}-{last} of {}:", source.lines());
            out.push_str(&source.text(first, last));
        }
        Ok(())
    }

    /// The lines that hold a text, as it is written.
    pub fn search(&self, text: &str) -> Result<String, PackError> {
        let mut out = String::new();
        let mut hits = 0;
        for id in self.view.tree.ids() {
            if self.cancel.is_cancelled() {
                return Err(PackError::Interrupted);
            }
            let Ok(source) = self.source(id) else { continue };
            let path = self.view.file(id).path;
            for number in 1..=source.lines() {
                let line = source.text(number, number);
                if !line.contains(text) {
                    continue;
                }
                hits += 1;
                if hits <= HITS {
                    let code = line.trim_start();
                    let indent: String =
                        line[..line.len() - code.len()].chars().take(LONGEST_INDENT).collect();
                    let _ = writeln!(out, "{path}:{number}: {indent}{}", inline(code, LONGEST_HIT));
                }
            }
        }
        match hits.checked_sub(HITS) {
            _ if hits == 0 => out.push_str("No line of the repository holds this text.\n"),
            Some(more) if more > 0 => {
                let _ = writeln!(out, "and {}", plural(more, "more line"));
            }
            Some(_) | None => {}
        }
        Ok(out)
    }

    fn source(&self, id: FileId) -> Result<Source, String> {
        let file = self.view.file(id);
        if let Some(why) = never::by_file(&file) {
            return Err(why);
        }
        Source::read(self.texts.text(file.path).ok_or("it cannot be read")?)
    }
}

//! The moved code itself: its specifiers, its `export`, and its place in the target.

use rb_core::Edit;
use rb_ecma::Style;
use rb_ecma::links::{ByteRange, Target};
use rb_operations::Refusal;

use super::{Relocation, rebased, refusal};
use crate::edits::{applied, number};
use crate::project::Piece;
use crate::project::facts::contains;

impl Relocation<'_> {
    /// The moved code as it stands in the target.
    pub(super) fn code(&mut self, style: &Style) -> Result<Vec<String>, Refusal> {
        let mut parts = Vec::new();
        for index in 0..self.pieces.len() {
            let piece = self.pieces[index].clone();
            let mut edits = self.specifier_edits(&piece)?;
            edits.extend(self.keyword_edits(&piece));
            let moved: Vec<Edit> = edits
                .into_iter()
                .map(|it| {
                    Edit::replace(it.start - piece.full.start, it.end - piece.full.start, it.text)
                })
                .collect();
            let text = applied(&self.from, self.source.slice(piece.full), &moved)?;
            parts.push(with_line_ends(&text, style.line_end));
        }
        parts.append(&mut self.extra_code);
        parts.extend(self.lists(style));
        Ok(parts)
    }

    /// `export { a as b }`; a type is exported as one, which compilers of one file need.
    fn lists(&self, style: &Style) -> Vec<String> {
        let (mut values, mut types) = (Vec::new(), Vec::new());
        for exported in self.exports.keys() {
            let Some(name) = self.moved_name(exported) else { continue };
            if *exported == name || exported == "default" {
                continue;
            }
            let list = if self.is_type(&name) { &mut types } else { &mut values };
            list.push(format!("{name} as {exported}"));
        }
        let lists = [("export", values), ("export type", types)];
        let written =
            lists.into_iter().filter(|(_, names)| !names.is_empty()).map(|(word, names)| {
                format!("{word} {}{}", style.braced(&names.join(", ")), style.semicolon())
            });
        written.collect()
    }

    /// `import()`, `require` and types of modules within the moved code.
    fn specifier_edits(&self, piece: &Piece) -> Result<Vec<Edit>, Refusal> {
        let mut edits = Vec::new();
        let inside = self.source.specifiers.iter().filter(|it| contains(piece.full, it.range));
        for specifier in inside {
            let new = match &specifier.target {
                Target::File(path) if *path == self.to || *path == self.from => {
                    let place = self.place(specifier.range, specifier.value.clone());
                    let reason = "the moved code imports one of the two files by itself".to_owned();
                    return Err(refusal(reason, vec![place], "move it by hand"));
                }
                Target::File(path) => {
                    let style = (specifier.value.as_str(), path.as_str());
                    self.project.specifier(&self.to, path, style)
                }
                Target::Package(_) | Target::Builtin | Target::Unknown => None,
            };
            let new = new.unwrap_or_else(|| rebased(&self.from, &self.to, &specifier.value));
            edits.push(Edit::replace(specifier.range.start, specifier.range.end, new));
        }
        Ok(edits)
    }

    /// It is exported if somebody else needs it.
    fn keyword_edits(&self, piece: &Piece) -> Option<Edit> {
        let at = piece.export_at?;
        let wanted = piece.names.iter().any(|name| self.is_wanted(name));
        match (piece.keyword, wanted) {
            (Some(keyword), _) if piece.is_default && !self.keeps_default() => {
                Some(Edit::replace(keyword.start, keyword.end, "export "))
            }
            (None, true) => Some(Edit::insert(at, "export ")),
            (Some(_), _) | (None, false) => None,
        }
    }

    /// Is the default export of the source that of the target now?
    fn keeps_default(&self) -> bool {
        self.exports.get("default").is_some_and(|it| it == "default")
    }

    /// Does another file, or what is left of the source, use the name?
    pub(super) fn is_wanted(&self, name: &str) -> bool {
        let is_exported = self.exports.iter().any(|(exported, _)| {
            exported == name && self.moved_name(exported).as_deref() == Some(name)
        });
        is_exported || self.is_used_by_rest(name)
    }

    /// Below everything, or below the imports.
    pub(super) fn placed(
        &self,
        style: &Style,
        code: &[String],
        on_top: bool,
        has_imports: bool,
    ) -> Edit {
        let eol = style.line_end;
        let gap = format!("{eol}{eol}");
        let code = self.joined(code, eol);
        let text = &self.target.text;
        if on_top {
            return Edit::insert(self.target.first_code(), format!("{code}{gap}"));
        }
        let kept = number(text.trim_end().len());
        let whole = number(text.len());
        let lead = match (text.trim_start_matches('\u{feff}').trim().is_empty(), has_imports) {
            (true, true) => eol.to_owned(),
            (true, false) => String::new(),
            (false, _) => gap,
        };
        Edit::replace(kept.max(self.kept_end()), whole, format!("{lead}{code}{eol}"))
    }

    /// White space at the end of the target is replaced, as far as no other edit stands there.
    fn kept_end(&self) -> u32 {
        if self.target.text.trim().is_empty() { number(self.target.text.len()) } else { 0 }
    }

    /// As far apart as they were, if they stood together.
    fn joined(&self, code: &[String], eol: &str) -> String {
        let mut text = String::new();
        for (index, part) in code.iter().enumerate() {
            if let Some(piece) = index.checked_sub(1).and_then(|at| self.pieces.get(at)) {
                let next = self.pieces.get(index).map(|it| it.full.start);
                let between = next.map(|next| ByteRange { start: piece.full.end, end: next });
                let is_tight = between.is_some_and(|it| {
                    let gap = self.source.slice(it);
                    gap.trim().is_empty() && gap.matches('\n').count() == 1
                });
                text.push_str(eol);
                if !is_tight {
                    text.push_str(eol);
                }
            }
            text.push_str(part);
        }
        text
    }
}

fn with_line_ends(text: &str, eol: &str) -> String {
    let plain = text.replace("\r\n", "\n");
    if eol == "\n" { plain } else { plain.replace('\n', eol) }
}

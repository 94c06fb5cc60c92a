//! A parsed file.

use std::sync::Arc;

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{ModModule, PythonVersion, Stmt};
use ruff_python_parser::{Mode, ParseOptions, Parsed, parse_unchecked};
use ruff_text_size::{Ranged, TextRange, TextSize};
use thiserror::Error;

use crate::imports::{AllList, Import};
use crate::scopes::Scopes;
use crate::strings::StringLiteral;
use crate::walk::{self, Collected};
use crate::{exports, nesting};

/// One Python file, `.py` or `.pyi`, without syntax errors.
#[derive(Debug)]
pub struct Source {
    path: String,
    text: Arc<str>,
    parsed: Parsed<ModModule>,
    line_starts: Vec<TextSize>,
    scopes: Scopes,
    imports: Vec<Import>,
    all: Option<AllList>,
    strings: Vec<StringLiteral>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct SyntaxError {
    pub line: u32,
    pub message: String,
}

impl Source {
    pub fn parse(path: &str, text: Arc<str>) -> Result<Source, SyntaxError> {
        if u32::try_from(text.len()).is_err() {
            return Err(SyntaxError { line: 1, message: "file too large".to_owned() });
        }
        let line_starts = line_starts(&text);
        if nesting::is_too_deep(&text, Mode::Module) {
            return Err(too_deep(&text, &line_starts));
        }
        // The newest version: what an older one lacks is not an error here.
        let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::latest());
        let parsed = parse_unchecked(&text, options)
            .try_into_module()
            .expect("the mode says that it is a module");
        if let Some(error) = parsed.errors().first() {
            let line = line_of(&line_starts, error.location.start());
            return Err(SyntaxError { line, message: error.error.to_string() });
        }
        let all = exports::all(&parsed.syntax().body);
        let Collected { scopes, imports, mut strings } =
            walk::collect(&text, &parsed.syntax().body);
        if let Some(all) = &all {
            exports::mark(&mut strings, all);
        }
        let path = path.to_owned();
        Ok(Source { path, text, parsed, line_starts, scopes, imports, all, strings })
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    pub fn body(&self) -> &[Stmt] {
        &self.parsed.syntax().body
    }

    pub fn parsed(&self) -> &Parsed<ModModule> {
        &self.parsed
    }

    pub fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// All import statements, in the order of the text, those inside of functions and conditions too.
    pub fn imports(&self) -> &[Import] {
        &self.imports
    }

    /// `__all__` at the top level, if it is written as a list or tuple of strings (`=` and `+=`).
    pub fn all(&self) -> Option<&AllList> {
        self.all.as_ref()
    }

    /// All string literals, in the order of the text; parts of an implicit concatenation one by one, f-strings left out.
    pub fn strings(&self) -> &[StringLiteral] {
        &self.strings
    }

    /// Ranges of all comments, `#` included, in the order of the text.
    pub fn comments(&self) -> Vec<TextRange> {
        let tokens = self.parsed.tokens().iter();
        tokens.filter(|token| token.kind() == TokenKind::Comment).map(Ranged::range).collect()
    }

    pub fn slice(&self, range: TextRange) -> &str {
        &self.text[range]
    }

    /// Counted from 1.
    pub fn line(&self, at: TextSize) -> u32 {
        line_of(&self.line_starts, at)
    }

    /// Where the line with this offset begins.
    pub fn line_start(&self, at: TextSize) -> TextSize {
        self.line_starts[self.line_index(at)]
    }

    /// Behind the line break of the line with this offset, or the end of the text.
    pub fn line_end(&self, at: TextSize) -> TextSize {
        let next = self.line_starts.get(self.line_index(at) + 1);
        next.copied().unwrap_or_else(|| TextSize::of(&*self.text))
    }

    fn line_index(&self, at: TextSize) -> usize {
        self.line_starts.partition_point(|start| *start <= at) - 1
    }
}

/// Behind each line break: `\n`, `\r\n` or `\r`, as for Python. The first line begins at 0.
fn line_starts(text: &str) -> Vec<TextSize> {
    let bytes = text.as_bytes();
    let is_break = |at: usize| match bytes[at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let breaks = (0..bytes.len()).filter(|at| is_break(*at));
    let starts = breaks.map(|at| TextSize::try_from(at + 1).expect("the size was checked"));
    std::iter::once(TextSize::new(0)).chain(starts).collect()
}

fn line_of(line_starts: &[TextSize], at: TextSize) -> u32 {
    let line = line_starts.partition_point(|start| *start <= at);
    u32::try_from(line).expect("there are fewer lines than bytes")
}

/// The lexer does not say where it is, so the line is the shortest beginning of the text that is too deep.
fn too_deep(text: &str, line_starts: &[TextSize]) -> SyntaxError {
    let is_fine = |start: &TextSize| !nesting::is_too_deep(&text[..start.to_usize()], Mode::Module);
    let line = line_starts.partition_point(is_fine);
    let line = u32::try_from(line).expect("there are fewer lines than bytes");
    SyntaxError { line, message: "nested too deeply".to_owned() }
}

//! Edits that several rules make: new names, imports that come and go, statements that go, code at the top of the file.
//!
//! Nothing is printed anew: whatever is not part of the change stays as it is, byte for byte.

use oxc_ast::ast::{ImportDeclaration, ImportDeclarationSpecifier, Statement};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;

use crate::bindings::Imported;
use crate::module::{Module, number};

/// A name that is there to be used, and the edits that bring it in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    pub name: String,
    pub edits: Vec<Edit>,
}

/// Pieces of code below each other, at one indentation.
pub fn join_lines<'t>(
    pieces: impl IntoIterator<Item = &'t str>,
    indent: &str,
    line_end: &str,
) -> String {
    let pieces: Vec<&str> = pieces.into_iter().collect();
    pieces.join(&format!("{line_end}{indent}"))
}

impl<'a> Module<'a> {
    /// FRESHNAME: `base`, or `base2`, `base3` …: a name that nothing in the file binds or uses.
    pub fn fresh_name(&self, base: &str) -> String {
        let is_taken = |name: &str| {
            self.scoping().symbol_names().any(|it| it == name)
                || self.identifiers().iter().any(|it| it.name == name)
        };
        let numbered = (2..).map(|count| format!("{base}{count}"));
        std::iter::once(base.to_owned())
            .chain(numbered)
            .find(|name| !is_taken(name) && !is_reserved(name))
            .expect("numbers do not end")
    }

    /// INSERT-POINT: where code of the module level goes: behind directives and imports.
    ///
    /// The edit brings its own empty lines; `code` is without a line end.
    pub fn insert_at_top(&self, code: &str) -> Edit {
        let eol = self.style().line_end;
        let program = self.program();
        let last_import =
            program.body.iter().filter(|it| is_import(it)).map(GetSpan::span).next_back();
        let directive = program.directives.last().map(|it| it.span);
        match last_import.or(directive) {
            Some(span) => {
                let at = self.end_of_line(span.end);
                let gap = if self.is_followed_by_code(at) { eol } else { "" };
                Edit::insert(at, format!("{eol}{eol}{code}{gap}"))
            }
            None => {
                let at = self.first_code();
                Edit::insert(at, format!("{code}{eol}{eol}"))
            }
        }
    }

    /// Where the first statement begins, with the comment that belongs to it; a heading of the file and `#!` stay above.
    fn first_code(&self) -> u32 {
        let Some(first) = self.program().body.first() else { return number(self.text().len()) };
        let start = first.span().start;
        let own = self.comments().iter().rev().find(|comment| {
            comment.span.end <= start && {
                let gap = &self.text()[comment.span.end as usize..start as usize];
                gap.trim().is_empty() && gap.matches('\n').count() <= 1
            }
        });
        let from = own.map_or(start, |comment| comment.span.start);
        let hashbang = self.program().hashbang.as_ref().map_or(0, |it| it.span.end);
        if from >= hashbang { from } else { start }
    }

    /// Does the next line have something on it?
    fn is_followed_by_code(&self, end_of_line: u32) -> bool {
        let mut lines = self.text()[end_of_line as usize..].lines();
        lines.nth(1).is_some_and(|it| !it.trim().is_empty())
    }

    /// Behind the last character of the line, line end and comments not counted in.
    fn end_of_line(&self, offset: u32) -> u32 {
        let rest = &self.text()[offset as usize..];
        let line = rest.split('\n').next().unwrap_or(rest);
        offset + number(line.trim_end().len())
    }

    /// The name of an export of `source`, imported if it is not yet. `None` where the file is not an ES module.
    pub fn import_name(&self, source: &str, name: &str) -> Option<Placed> {
        let taken = self
            .imports()
            .values()
            .find(|it| it.source == source && !it.is_type && it.imported == Imported::Named(name));
        if let Some(import) = taken {
            return Some(Placed { name: import.local.to_owned(), edits: Vec::new() });
        }
        let whole = self.imports().values().filter(|it| it.source == source && !it.is_type);
        let namespace = whole
            .filter(|it| matches!(it.imported, Imported::Default | Imported::Namespace))
            .min_by_key(|it| it.span.start);
        let declaration = self
            .import_declarations()
            .find(|it| it.source.value == source && !it.import_kind.is_type() && has_names(it));
        if let (Some(namespace), None, "react") = (namespace, declaration, source) {
            return Some(Placed { name: format!("{}.{name}", namespace.local), edits: Vec::new() });
        }
        let local = self.fresh_name(name);
        let specifier = if local == name { local.clone() } else { format!("{name} as {local}") };
        let edit = match declaration {
            Some(declaration) => self.add_specifier(declaration, &specifier)?,
            None => self.add_import(source, &self.style().braced(&specifier))?,
        };
        Some(Placed { name: local, edits: vec![edit] })
    }

    /// A new import declaration behind the others: `what` is `x`, `{ x }` or `* as x`.
    pub fn add_import(&self, source: &str, what: &str) -> Option<Edit> {
        let style = self.style();
        let line = format!("import {what} from {}{}", style.quoted(source), style.semicolon());
        if let Some(last) = self.import_declarations().last() {
            let at = self.end_of_line(last.span.end);
            return Some(Edit::insert(at, format!("{}{line}", style.line_end)));
        }
        let is_module = self.program().body.iter().any(Statement::is_module_declaration);
        is_module.then(|| self.insert_at_top(&line))
    }

    pub fn import_declarations(&self) -> impl Iterator<Item = &'a ImportDeclaration<'a>> + '_ {
        self.program().body.iter().filter_map(|it| match it {
            Statement::ImportDeclaration(declaration) => Some(&**declaration),
            _ => None,
        })
    }

    fn add_specifier(&self, declaration: &ImportDeclaration<'a>, name: &str) -> Option<Edit> {
        let named = declaration.specifiers.iter().flatten().filter_map(|it| match it {
            ImportDeclarationSpecifier::ImportSpecifier(it) => Some(it.span),
            _ => None,
        });
        let last = named.into_iter().next_back()?;
        let before = &self.text()[..last.start as usize];
        let own_line = before.trim_end_matches([' ', '\t']).ends_with('\n');
        Some(if own_line {
            let indent = self.indent_at(last.start).to_owned();
            Edit::insert(last.end, format!(",{}{indent}{name}", self.style().line_end))
        } else {
            Edit::insert(last.end, format!(", {name}"))
        })
    }

    /// Takes an import away; the declaration goes with its last name, since what it loads besides is kept by `import "x"`
    /// only where somebody wrote that. `None` where a comment would go with it.
    pub fn remove_import(&self, symbol: SymbolId) -> Option<Edit> {
        let import = self.import(symbol)?;
        let specifiers = import.declaration.specifiers.as_ref()?;
        if specifiers.len() == 1 {
            return self.delete_statement(import.declaration.span);
        }
        if self.has_comment(import.declaration.span) {
            return None;
        }
        let at = specifiers.iter().position(|it| it.span() == import.span)?;
        let is_named = |it: &ImportDeclarationSpecifier<'a>| {
            matches!(it, ImportDeclarationSpecifier::ImportSpecifier(_))
        };
        let named = specifiers.iter().filter(|it| is_named(it)).count();
        if is_named(&specifiers[at]) && named == 1 {
            // `import a, { b }`: the braces go too.
            let before = specifiers[at - 1].span().end;
            let close = self.text()[import.span.end as usize..].find('}')?;
            return Some(Edit::delete(before, import.span.end + number(close) + 1));
        }
        Some(match specifiers.get(at + 1) {
            Some(next) if is_named(&specifiers[at]) => {
                Edit::delete(import.span.start, next.span().start)
            }
            Some(next) => {
                // `import a, { b }`, `import a, * as b`: from the name to what follows.
                let until = if is_named(next) {
                    number(self.text()[..next.span().start as usize].rfind('{')?)
                } else {
                    next.span().start
                };
                Edit::delete(import.span.start, until)
            }
            None => Edit::delete(specifiers[at - 1].span().end, import.span.end),
        })
    }

    /// Takes a statement away with its line, where nothing else stands there. `None` where a comment would go with it.
    pub fn delete_statement(&self, span: Span) -> Option<Edit> {
        if self.has_comment(span) {
            return None;
        }
        let start = self.line_start(span.start);
        let text = self.text();
        let before = &text[start as usize..span.start as usize];
        let rest = &text[span.end as usize..];
        let line = rest.split('\n').next().unwrap_or(rest);
        if before.trim().is_empty() && line.trim().is_empty() {
            let end = span.end as usize + line.len();
            let end = if end < text.len() { end + 1 } else { end };
            // An empty line above and below would become two.
            let above_empty = text[..start as usize].ends_with("\n\n")
                || text[..start as usize].ends_with("\n\r\n")
                || start == 0;
            let below = text[end..].split('\n').next().unwrap_or("");
            let below_empty = end < text.len() && below.trim().is_empty();
            let end = if above_empty && below_empty { end + below.len() + 1 } else { end };
            return Some(Edit::delete(start, number(end.min(text.len()))));
        }
        let end = span.end + number(line.len() - line.trim_start_matches([' ', '\t']).len());
        Some(Edit::delete(span.start, end))
    }
}

fn has_names(declaration: &ImportDeclaration<'_>) -> bool {
    declaration
        .specifiers
        .iter()
        .flatten()
        .any(|it| matches!(it, ImportDeclarationSpecifier::ImportSpecifier(_)))
}

fn is_import(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::ImportDeclaration(_) | Statement::TSImportEqualsDeclaration(_))
}

fn is_reserved(name: &str) -> bool {
    const GLOBALS: &[&str] = &[
        "Array",
        "Boolean",
        "Date",
        "Error",
        "Map",
        "Math",
        "Number",
        "Object",
        "Promise",
        "React",
        "RegExp",
        "Set",
        "String",
        "Symbol",
        "URL",
        "document",
        "fetch",
        "globalThis",
        "window",
    ];
    GLOBALS.contains(&name) || oxc_syntax::keyword::is_reserved_keyword(name)
}

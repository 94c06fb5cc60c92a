//! How the author writes: quotes, semicolons, indentation, line ends. Told by what most of the file does.

use oxc_ast::AstKind;
use oxc_ast::ast::Statement;
use oxc_span::GetSpan;

use crate::module::Module;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quote {
    Single,
    Double,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    pub quote: Quote,
    pub semicolons: bool,
    /// One step of indentation.
    pub indent: &'static str,
    pub line_end: &'static str,
    /// Is there a comma after the last element of a list that goes over several lines?
    pub trailing_commas: bool,
    /// `{ a }` and not `{a}`.
    pub spaced_braces: bool,
}

impl Style {
    /// A string literal in the quotes of the file.
    pub fn quoted(&self, text: &str) -> String {
        let mark = match self.quote {
            Quote::Single => '\'',
            Quote::Double => '"',
        };
        let mut out = String::with_capacity(text.len() + 2);
        out.push(mark);
        for character in text.chars() {
            match character {
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                it if it == mark => out.extend(['\\', it]),
                it => out.push(it),
            }
        }
        out.push(mark);
        out
    }

    /// `;` or nothing.
    pub fn semicolon(&self) -> &'static str {
        if self.semicolons { ";" } else { "" }
    }

    /// `{ a, b }` in the way of the file.
    pub fn braced(&self, inner: &str) -> String {
        if self.spaced_braces { format!("{{ {inner} }}") } else { format!("{{{inner}}}") }
    }
}

impl Module<'_> {
    pub fn style(&self) -> &Style {
        self.style.get_or_init(|| Style {
            quote: quote(self),
            semicolons: semicolons(self),
            indent: indent(self.text()),
            line_end: if self.text().contains("\r\n") { "\r\n" } else { "\n" },
            trailing_commas: trailing_commas(self),
            spaced_braces: spaced_braces(self),
        })
    }

    /// The white space at the beginning of the line of an offset.
    pub fn indent_at(&self, offset: u32) -> &str {
        let line = &self.text()[self.line_start(offset) as usize..];
        let end = line.find(|c: char| c != ' ' && c != '\t').unwrap_or(line.len());
        &line[..end]
    }
}

fn quote(module: &Module<'_>) -> Quote {
    let mut balance = 0_i32;
    for node in module.nodes().iter() {
        // Attributes of elements are in double quotes whatever the rest is in.
        if let AstKind::StringLiteral(text) = node.kind()
            && !matches!(module.parent(node.id()), AstKind::JSXAttribute(_))
        {
            match module.slice(text.span).as_bytes() {
                // With quotes inside, those around it were chosen for that.
                [_, inner @ .., _] if inner.iter().any(|it| matches!(it, b'\'' | b'"')) => {}
                [b'\'', ..] => balance += 1,
                [b'"', ..] => balance -= 1,
                _ => {}
            }
        }
    }
    if balance > 0 { Quote::Single } else { Quote::Double }
}

fn semicolons(module: &Module<'_>) -> bool {
    let (mut with, mut without) = (0, 0);
    for list in module.statement_lists() {
        for statement in list {
            let ends_so = matches!(
                statement,
                Statement::ExpressionStatement(_)
                    | Statement::ReturnStatement(_)
                    | Statement::VariableDeclaration(_)
                    | Statement::ImportDeclaration(_)
                    | Statement::ExportAllDeclaration(_)
                    | Statement::ExportFromDeclaration(_)
                    | Statement::ExportNamedDeclaration(_)
            );
            if ends_so {
                let ended = module.slice(statement.span()).ends_with(';');
                *(if ended { &mut with } else { &mut without }) += 1;
            }
        }
    }
    with >= without
}

fn indent(text: &str) -> &'static str {
    const SPACES: &str = "        ";
    let (mut tabs, mut widths) = (0_u32, [0_u32; 9]);
    let mut last = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if line.starts_with('\t') {
            tabs += 1;
            continue;
        }
        let width = line.len() - line.trim_start_matches(' ').len();
        // Steps inward say how wide a step is; lines of a comment begin with one space more.
        if width > last && (2..=8).contains(&(width - last)) && !line.trim_start().starts_with('*')
        {
            widths[width - last] += 1;
        }
        last = width;
    }
    let best = (2..=8).max_by_key(|&width| (widths[width], 8 - width)).unwrap_or(2);
    if tabs > widths.iter().sum::<u32>() {
        "\t"
    } else if widths[best] == 0 {
        &SPACES[..2]
    } else {
        &SPACES[..best]
    }
}

fn trailing_commas(module: &Module<'_>) -> bool {
    let (mut with, mut without) = (0, 0);
    for node in module.nodes().iter() {
        let (span, last) = match node.kind() {
            AstKind::ObjectExpression(it) => (it.span, it.properties.last().map(GetSpan::span)),
            AstKind::ArrayExpression(it) => (it.span, it.elements.last().map(GetSpan::span)),
            _ => continue,
        };
        let Some(last) = last else { continue };
        let tail = &module.text()[last.end as usize..span.end as usize];
        if tail.contains('\n') {
            *(if tail.trim_start().starts_with(',') { &mut with } else { &mut without }) += 1;
        }
    }
    with > without
}

fn spaced_braces(module: &Module<'_>) -> bool {
    let (mut spaced, mut tight) = (0, 0);
    for line in module.text().lines().filter(|line| line.starts_with("import ")) {
        if let Some((_, rest)) = line.split_once('{')
            && !rest.is_empty()
            && !rest.starts_with('}')
        {
            *(if rest.starts_with(' ') { &mut spaced } else { &mut tight }) += 1;
        }
    }
    spaced >= tight
}

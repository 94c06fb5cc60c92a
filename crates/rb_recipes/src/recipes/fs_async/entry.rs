//! The top level of a file: whether it can wait, and how a program that cannot is wrapped so that it can.

use std::collections::BTreeSet;
use std::sync::Arc;

use oxc_ast::ast::Statement;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;
use rb_rules::{FileKind, Target};

use super::at::At;
use super::awaits::is_quiet;
use super::model::{Key, Node, Put};
use super::package;
use crate::links::links;

/// Noted of a top level that has to be wrapped.
pub(super) const WRAPPED: &str = "wrapped";

/// How a file waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// By `await` at its top level.
    Awaits,
    /// In a function around its statements.
    Wrapped,
}

impl At<'_, '_> {
    pub(super) fn visit_top(&self, key: &Key) -> Node {
        let mut node = Node { label: format!("{} (top level)", self.path), ..Node::default() };
        if key.end > 0 {
            // Runs only where the file is the program: nobody waits for it, and nobody has to.
            node.notes.push(WRAPPED.to_owned());
            return node;
        }
        match self.mode() {
            Ok(Mode::Awaits) => {}
            Ok(Mode::Wrapped) => node.notes.push(WRAPPED.to_owned()),
            Err((reason, suggestion)) => {
                node.barrier = Some(self.barrier(key.span(), reason, suggestion));
            }
        }
        node
    }

    fn mode(&self) -> Result<Mode, (String, String)> {
        let said = |reason: String, suggestion: &str| Err((reason, suggestion.to_owned()));
        let path = &self.path;
        match self.kind {
            FileKind::Test => {
                let reason = format!("the top level of the test {path} cannot use `await`");
                return said(reason, "move the call into `before`");
            }
            FileKind::Config => {
                let reason = format!("{path} is loaded by a tool");
                return said(reason, "check whether the tool awaits promises");
            }
            _ => {}
        }
        let importers = self.cx.planning.world.importers(path);
        if self.is_module() {
            let Some(other) = importers.iter().find(|it| self.is_required_by(it)) else {
                return Ok(Mode::Awaits);
            };
            let reason =
                format!("{other} loads {path} with `require`, so its top level cannot use `await`");
            return said(reason, "load it with `import()`");
        }
        if importers.is_empty() && self.links.exports.is_empty() {
            return Ok(Mode::Wrapped);
        }
        let reason = format!("{path} is CommonJS: its top level cannot use `await`");
        said(reason, "move it into a function that is called and awaited")
    }

    fn is_required_by(&self, other: &str) -> bool {
        let world = self.cx.planning.world;
        let Some(text) = world.text(other) else { return true };
        links(world, other).is_none_or(|theirs| {
            theirs.imports.iter().any(|import| {
                import.is_call
                    && import.target == Target::File(self.path.to_string())
                    && text[import.place.start as usize..].starts_with("require")
            })
        })
    }

    /// Is it an ES module when it runs, so that its top level may wait?
    fn is_module(&self) -> bool {
        let world = self.cx.planning.world;
        if self.path.ends_with(".mjs") || self.path.ends_with(".mts") {
            return true;
        }
        if self.path.ends_with(".cjs") || self.path.ends_with(".cts") || !self.links.is_esm {
            return false;
        }
        let is_package = package::is_module(world, &self.path);
        if !self.module.is_typescript() {
            return is_package;
        }
        let options = package::nearest(world, &self.path, "tsconfig.json");
        let Some(options) = options else { return false };
        let options = package::squeezed(&options).to_ascii_lowercase();
        let says = |it: &str| options.contains(&format!("\"module\":\"{it}\""));
        let target_is_old = ["es5", "es6", "es2015", "es2016"]
            .iter()
            .any(|it| options.contains(&format!("\"target\":\"{it}\"")));
        !target_is_old
            && (says("es2022")
                || says("esnext")
                || says("preserve")
                || (is_package && ["node16", "node18", "nodenext"].iter().any(|it| says(it))))
    }
}

/// Puts the statements from the first that waits into a function; `Err` says why that cannot be.
pub(super) fn wrap(
    module: &Module<'_>,
    path: &Arc<str>,
    first_wait: u32,
    warns_only: bool,
) -> Result<Vec<Put>, String> {
    let body = &module.program().body;
    let first = body
        .iter()
        .position(|it| it.span().end > first_wait)
        .ok_or("the statement is not found")?;
    let last = body.iter().rposition(|it| !is_quiet(it)).ok_or("there is no statement")?;
    let span = Span::new(body[first].span().start, body[last].span().end);
    if !uses_of(module, span).is_empty() {
        return Err("functions use names declared below the first awaited call".to_owned());
    }
    if body[first..=last]
        .iter()
        .any(|it| matches!(it, Statement::FunctionDeclaration(_) | Statement::ClassDeclaration(_)))
    {
        return Err("functions are declared below the first awaited call".to_owned());
    }
    if body[first..=last].iter().any(is_declaration_of_module) {
        return Err("there is an import or export below the first awaited call".to_owned());
    }
    let style = module.style();
    let (eol, step) = (style.line_end, style.indent);
    let name = module.fresh_name("main");
    let start = above(module, body[first].span().start);
    let put = |at: u32, text: String, rank: u32| Put {
        path: Arc::clone(path),
        edit: Edit::insert(at, text),
        rank,
    };
    let mut puts = vec![put(start, format!("async function {name}() {{{eol}"), 0)];
    puts.extend(
        indented(module, start, span.end).into_iter().map(|at| put(at, step.to_owned(), 1)),
    );
    let end = line_end(module.text(), span.end);
    let semicolon = style.semicolon();
    let handler = if warns_only { handler(module, "") } else { String::new() };
    puts.push(put(end, format!("{eol}}}{eol}{eol}{name}(){handler}{semicolon}"), u32::MAX));
    Ok(puts)
}

/// Puts the statements of a block into a function that is called at once.
pub(super) fn wrap_block(
    module: &Module<'_>,
    path: &Arc<str>,
    block: Span,
    warns_only: bool,
) -> Result<Vec<Put>, String> {
    let found = module.nodes().iter().find_map(|node| match node.kind() {
        oxc_ast::AstKind::BlockStatement(it) if it.span == block => Some(it),
        _ => None,
    });
    let body = found.map(|it| &it.body).ok_or("the block is not found")?;
    let (Some(first), Some(last)) = (body.first(), body.last()) else {
        return Err("the block is empty".to_owned());
    };
    let style = module.style();
    let (eol, semicolon) = (style.line_end, style.semicolon());
    let start = above(module, first.span().start);
    let indent = module.indent_at(start);
    if module.line(start) == module.line(block.start) {
        return Err("the block is on one line".to_owned());
    }
    let put = |at: u32, text: String, rank: u32| Put {
        path: Arc::clone(path),
        edit: Edit::insert(at, text),
        rank,
    };
    let mut puts = vec![put(start, format!("(async () => {{{eol}{indent}"), 0)];
    let lines = indented(module, start, last.span().end);
    puts.extend(lines.into_iter().map(|at| put(at, style.indent.to_owned(), 1)));
    let end = line_end(module.text(), last.span().end);
    let handler = if warns_only { handler(module, indent) } else { String::new() };
    puts.push(put(end, format!("{eol}{indent}}})(){handler}{semicolon}"), u32::MAX));
    Ok(puts)
}

/// Ends the program as an error did before, where Node only warns of a rejection that nobody handles.
pub(super) fn handler(module: &Module<'_>, indent: &str) -> String {
    let style = module.style();
    let (eol, step, end) = (style.line_end, style.indent, style.semicolon());
    format!(
        ".catch((error) => {{{eol}{indent}{step}console.error(error){end}{eol}{indent}{step}process.exitCode = 1{end}{eol}{indent}}})"
    )
}

/// Uses, outside of a piece of the text, of names that it declares at the top level.
fn uses_of(module: &Module<'_>, region: Span) -> BTreeSet<Span> {
    let mut found = BTreeSet::new();
    let scoping = module.scoping();
    for symbol in scoping.symbol_ids() {
        let at = scoping.symbol_span(symbol);
        if !module.is_top_level(symbol) || at.start < region.start || at.end > region.end {
            continue;
        }
        found.extend(
            module
                .uses(symbol)
                .map(|it| it.span)
                .filter(|it| it.start < region.start || it.end > region.end),
        );
    }
    found
}

fn is_declaration_of_module(statement: &Statement<'_>) -> bool {
    statement.is_module_declaration()
        || matches!(statement, Statement::TSImportEqualsDeclaration(_))
}

/// The comment right above a statement goes with it.
fn above(module: &Module<'_>, start: u32) -> u32 {
    let first = start;
    let mut start = start;
    for comment in module.comments().iter().rev().filter(|it| it.span.end <= first) {
        let gap = &module.text()[comment.span.end as usize..start as usize];
        let begins_line = module.text()
            [module.line_start(comment.span.start) as usize..comment.span.start as usize]
            .trim()
            .is_empty();
        if !gap.trim().is_empty() || gap.matches('\n').count() > 1 || !begins_line {
            break;
        }
        start = comment.span.start;
    }
    start
}

/// Beginnings of lines that are moved inward: not those within a template, whose text would change.
pub(super) fn indented(module: &Module<'_>, start: u32, end: u32) -> Vec<u32> {
    let templates: Vec<Span> = module
        .nodes()
        .iter()
        .filter_map(|node| match node.kind() {
            oxc_ast::AstKind::TemplateElement(it) => Some(it.span),
            oxc_ast::AstKind::StringLiteral(it) => Some(it.span),
            oxc_ast::AstKind::JSXText(it) => Some(it.span),
            _ => None,
        })
        .collect();
    let text = module.text();
    let mut found = Vec::new();
    let mut at = module.line_start(start);
    while at < end {
        let line = text[at as usize..].split_inclusive('\n').next().unwrap_or("");
        let in_template = templates.iter().any(|it| it.start < at && at <= it.end);
        if !line.trim().is_empty() && !in_template {
            found.push(at.max(start));
        }
        at += u32::try_from(line.len()).unwrap_or(1).max(1);
    }
    found
}

fn line_end(text: &str, offset: u32) -> u32 {
    let rest = &text[offset as usize..];
    let line = rest.split('\n').next().unwrap_or(rest);
    offset + u32::try_from(line.trim_end().len()).unwrap_or(0)
}

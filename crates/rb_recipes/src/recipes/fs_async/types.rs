//! What is written about a function: its return type, its comment, a `.d.ts` beside its file.

use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_ast::ast::{Declaration, Function, Statement};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module};

use super::at::At;
use super::model::{Node, Put};

impl<'a> At<'_, 'a> {
    /// The type that is written behind the parameters, and the one in the comment above.
    pub(super) fn returns(&self, node: &mut Node, func: Func<'a>) {
        if let Some(written) = func.return_type() {
            let span = written.type_annotation.span();
            node.edits.extend(
                promised(self.module.slice(span))
                    .map(|text| Put::replace(&self.path, span.start, span.end, text)),
            );
        }
        self.documented(node, func);
    }

    fn documented(&self, node: &mut Node, func: Func<'a>) {
        let start = self.first_of(func);
        let comment = self.module.comments().iter().rev().find(|it| it.span.end <= start);
        let Some(comment) = comment else { return };
        let gap = &self.module.text()[comment.span.end as usize..start as usize];
        let text = self.module.slice(comment.span);
        if !gap.trim().is_empty() || !text.starts_with("/**") {
            return;
        }
        if let Some((from, to, inner)) = documented_type(text) {
            let at = comment.span.start;
            node.edits.extend(
                promised(inner).map(|text| Put::replace(&self.path, at + from, at + to, text)),
            );
        }
    }

    /// Where the statement or member begins that holds the function.
    fn first_of(&self, func: Func<'a>) -> u32 {
        let mut start = func.span().start;
        for kind in self.module.ancestors(func.node()) {
            match kind {
                AstKind::ExportDeclaration(_)
                | AstKind::ExportDefaultDeclaration(_)
                | AstKind::VariableDeclaration(_)
                | AstKind::VariableDeclarator(_)
                | AstKind::MethodDefinition(_)
                | AstKind::ObjectProperty(_)
                | AstKind::AssignmentExpression(_)
                | AstKind::ExpressionStatement(_) => start = kind.span().start,
                _ => break,
            }
            if matches!(kind, AstKind::MethodDefinition(_) | AstKind::ObjectProperty(_)) {
                break;
            }
        }
        start
    }

    /// Hand-written declarations that stand for this script.
    pub(super) fn declarations_beside(&self) -> Vec<Arc<str>> {
        let pairs = [(".js", ".d.ts"), (".cjs", ".d.cts"), (".mjs", ".d.mts"), (".jsx", ".d.ts")];
        let beside = pairs.iter().filter_map(|(own, other)| {
            Some(Arc::from(format!("{}{other}", self.path.strip_suffix(own)?)))
        });
        beside.filter(|it: &Arc<str>| self.cx.planning.world.text(it).is_some()).collect()
    }

    /// The function in the `.d.ts` that lies beside a script.
    pub(super) fn declared_beside(&self, node: &mut Node, func: Func<'a>) {
        let world = self.cx.planning.world;
        let names: Vec<String> =
            node.api.iter().filter(|it| *it.path == *self.path).map(|it| it.name.clone()).collect();
        if names.is_empty() {
            return;
        }
        for beside in self.declarations_beside() {
            let own = self.name_of(func);
            let puts = world.with_module(&beside, |module| declared(module, &beside, &names, &own));
            match puts.flatten() {
                Some(puts) => node.edits.extend(puts),
                None => {
                    let reason =
                        format!("`{beside}` declares a return type that cannot be changed here");
                    node.barrier.get_or_insert(self.barrier(
                        func.span(),
                        reason,
                        "make the declaration return a promise, then run again",
                    ));
                }
            }
        }
    }
}

/// Edits in a declaration file; `None` where the function is not found there.
fn declared(module: &Module<'_>, path: &Arc<str>, names: &[String], own: &str) -> Option<Vec<Put>> {
    let mut puts = Vec::new();
    let is_it = |function: &Function<'_>| {
        let name = function.id.as_ref().map(|id| id.name.as_str());
        name.is_none_or(|it| it == own || names.iter().any(|name| name == it))
    };
    let mut found = false;
    for statement in &module.program().body {
        let function = match statement {
            Statement::ExportDeclaration(it) => match &it.declaration {
                Declaration::FunctionDeclaration(it) => Some(it),
                _ => None,
            },
            Statement::ExportDefaultDeclaration(it) => match &it.declaration {
                oxc_ast::ast::ExportDefaultDeclarationKind::FunctionDeclaration(it) => Some(it),
                _ => None,
            },
            Statement::FunctionDeclaration(it) => Some(it),
            _ => None,
        };
        let Some(function) = function.filter(|it| is_it(it)) else { continue };
        found = true;
        let written = function.return_type.as_ref()?;
        let span: Span = written.type_annotation.span();
        puts.extend(
            promised(module.slice(span)).map(|text| Put::replace(path, span.start, span.end, text)),
        );
    }
    found.then_some(puts)
}

/// `Promise<T>`; `None` where it is a promise already.
fn promised(written: &str) -> Option<String> {
    let written = written.trim();
    (!written.starts_with("Promise<")).then(|| format!("Promise<{written}>"))
}

/// The type of `@returns {T}`: from, to, text.
fn documented_type(comment: &str) -> Option<(u32, u32, &str)> {
    let tag = ["@returns", "@return"]
        .iter()
        .find_map(|tag| comment.find(tag).map(|at| at + tag.len()))?;
    let rest = &comment[tag..];
    let open = rest.find('{').filter(|&at| rest[..at].trim().is_empty())?;
    let mut depth = 0_u32;
    for (at, character) in rest[open..].char_indices() {
        match character {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    let (from, to) = (tag + open + 1, tag + open + at);
                    let number = |it: usize| u32::try_from(it).ok();
                    return Some((number(from)?, number(to)?, &comment[from..to]));
                }
            }
            _ => {}
        }
    }
    None
}

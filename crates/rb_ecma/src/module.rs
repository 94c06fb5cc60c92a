//! One parsed file: the tree with its scopes, and tables of what rules look for.

use std::cell::OnceCell;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    CallExpression, Comment, Expression, IdentifierReference, JSXElement, Program,
    VariableDeclarator,
};
use oxc_semantic::{AstNodes, NodeId, Scoping, Semantic, SemanticBuilder, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_lang::Language;
use rustc_hash::FxHashMap;

use crate::bindings::ImportBinding;
use crate::functions::FunctionView;
use crate::style::Style;

/// A file that was parsed without an error.
pub struct Module<'a> {
    text: &'a str,
    language: Language,
    program: &'a Program<'a>,
    semantic: Semantic<'a>,
    tables: Tables<'a>,
    pub(crate) identifiers: OnceCell<Vec<&'a IdentifierReference<'a>>>,
    pub(crate) imports: OnceCell<FxHashMap<SymbolId, ImportBinding<'a>>>,
    pub(crate) functions: OnceCell<Vec<FunctionView<'a>>>,
    pub(crate) style: OnceCell<Style>,
    lines: OnceCell<Vec<u32>>,
}

/// Nodes by what they are, in the order of the text.
#[derive(Default)]
struct Tables<'a> {
    calls: Vec<&'a CallExpression<'a>>,
    elements: Vec<&'a JSXElement<'a>>,
    declarators: Vec<&'a VariableDeclarator<'a>>,
    functions: Vec<NodeId>,
}

/// Line and column, counted from 1; the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

/// Hands the file to `work`; `None` for a text that does not parse without errors, or that is dangerous to parse.
pub fn with_module<T: Send>(
    language: Language,
    text: &str,
    work: impl FnOnce(&Module<'_>) -> T + Send,
) -> Option<T> {
    rb_lang::with_program(language, text, |parsed| {
        if !parsed.diagnostics.is_empty() || parsed.panicked {
            return None;
        }
        let built = SemanticBuilder::new().with_build_nodes(true).build(&parsed.program);
        let module = Module::new(language, text, &parsed.program, built.semantic);
        Some(work(&module))
    })
    .flatten()
}

impl<'a> Module<'a> {
    fn new(
        language: Language,
        text: &'a str,
        program: &'a Program<'a>,
        semantic: Semantic<'a>,
    ) -> Self {
        let mut tables = Tables::default();
        for node in semantic.nodes().iter() {
            match node.kind() {
                AstKind::CallExpression(call) => tables.calls.push(call),
                AstKind::JSXElement(element) => tables.elements.push(element),
                AstKind::VariableDeclarator(declarator) => tables.declarators.push(declarator),
                AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => {
                    tables.functions.push(node.id());
                }
                _ => {}
            }
        }
        Module {
            text,
            language,
            program,
            semantic,
            tables,
            identifiers: OnceCell::new(),
            imports: OnceCell::new(),
            functions: OnceCell::new(),
            style: OnceCell::new(),
            lines: OnceCell::new(),
        }
    }

    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Are types written in it?
    pub fn is_typescript(&self) -> bool {
        self.language != Language::JavaScript
    }

    pub fn program(&self) -> &'a Program<'a> {
        self.program
    }

    pub fn nodes(&self) -> &AstNodes<'a> {
        self.semantic.nodes()
    }

    pub fn scoping(&self) -> &Scoping {
        self.semantic.scoping()
    }

    pub fn calls(&self) -> &[&'a CallExpression<'a>] {
        &self.tables.calls
    }

    pub fn elements(&self) -> &[&'a JSXElement<'a>] {
        &self.tables.elements
    }

    /// `x = …` of every `const`, `let` and `var`.
    pub fn declarators(&self) -> &[&'a VariableDeclarator<'a>] {
        &self.tables.declarators
    }

    pub(crate) fn function_nodes(&self) -> &[NodeId] {
        &self.tables.functions
    }

    pub fn parent(&self, node: NodeId) -> AstKind<'a> {
        self.nodes().parent_kind(node)
    }

    /// The nodes around, from the inside out, the node itself not among them.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = AstKind<'a>> + '_ {
        self.nodes().ancestor_kinds(node)
    }

    /// The text of a node as it is written.
    pub fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The text of an expression, good to stand as an argument, an element or behind `=`.
    ///
    /// Parentheses around an expression are not in its span; those that the place needs are put back here.
    pub fn code(&self, expression: &Expression<'a>) -> String {
        let text = self.slice(expression.span());
        match expression {
            Expression::SequenceExpression(_) => format!("({text})"),
            _ => text.to_owned(),
        }
    }

    /// The text of an expression, good to stand before `.x`, `(…)` or behind `await` and `!`.
    pub fn operand_code(&self, expression: &Expression<'a>) -> String {
        let text = self.slice(expression.span());
        match expression {
            Expression::Identifier(_)
            | Expression::StaticMemberExpression(_)
            | Expression::ComputedMemberExpression(_)
            | Expression::CallExpression(_)
            | Expression::ThisExpression(_)
            | Expression::StringLiteral(_)
            | Expression::TemplateLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::ArrayExpression(_)
            | Expression::JSXElement(_)
            | Expression::JSXFragment(_) => text.to_owned(),
            _ => format!("({text})"),
        }
    }

    pub fn comments(&self) -> &'a [Comment] {
        &self.program.comments
    }

    pub fn has_comment(&self, span: Span) -> bool {
        let comments = self.comments();
        let first = comments.partition_point(|comment| comment.span.end <= span.start);
        comments.get(first).is_some_and(|comment| comment.span.start < span.end)
    }

    pub fn place(&self, offset: u32) -> Place {
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start <= offset) - 1;
        let before = &self.text[starts[line] as usize..offset as usize];
        Place { line: number(line) + 1, column: number(before.chars().count()) + 1 }
    }

    /// Counted from 1.
    pub fn line(&self, offset: u32) -> u32 {
        number(self.line_starts().partition_point(|&start| start <= offset))
    }

    /// Where the line of an offset begins.
    pub fn line_start(&self, offset: u32) -> u32 {
        let starts = self.line_starts();
        starts[starts.partition_point(|&start| start <= offset) - 1]
    }

    fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let bytes = self.text.bytes().enumerate();
            let after = bytes.filter(|(_, byte)| *byte == b'\n').map(|(at, _)| number(at) + 1);
            std::iter::once(0).chain(after).collect()
        })
    }

    /// Is there a directive such as `"use client"` at the top?
    pub fn has_directive(&self, directive: &str) -> bool {
        self.program.directives.iter().any(|it| it.directive == directive)
    }
}

/// Texts that are parsed are smaller than four gigabytes.
pub(crate) fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

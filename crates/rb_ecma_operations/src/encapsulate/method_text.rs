//! A function rewritten as a static method: `function f(a) {…}`, `const f = (a) => …`.

use oxc_ast::AstKind;
use oxc_ast::ast::ArrowFunctionExpression;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::links::ByteRange;
use rb_ecma::{Func, Module};

use crate::signatures::declaration::{Declaration, declarations};

pub(super) struct Method {
    /// The beginning of each declaration; several are overloads.
    pub(super) heads: Vec<u32>,
    pub(super) edits: Vec<Edit>,
    /// Templates and comments whose lines must stay as they are.
    fixed: Vec<Span>,
}

pub(super) fn read(module: &Module<'_>, name: &str) -> Result<Method, &'static str> {
    let all = declarations(module, name);
    if all.is_empty() {
        return Err("it is not a function");
    }
    if name == "prototype" {
        return Err("a class has a `prototype` already");
    }
    let symbol = module.top_level(name);
    if symbol.is_some_and(|symbol| module.scoping().symbol_is_mutated(symbol)) {
        return Err("it is assigned more than once");
    }
    let mut method = Method { heads: vec![], edits: vec![], fixed: vec![] };
    for declaration in &all {
        let Some(func) = declaration.func else { return Err("it is not a function") };
        if declaration.is_typed {
            return Err("its type is written elsewhere");
        }
        if uses_this(module, func) {
            return Err("it uses `this`");
        }
        method.heads.push(declaration.whole.start);
        let edits = match func {
            Func::Function(function) if function.is_declaration() || function.body.is_none() => {
                head(declaration, func)
            }
            Func::Function(function) if function.id.is_none() => {
                expression(module, declaration, func)
            }
            Func::Function(_) => return Err("the function has a second name"),
            Func::Arrow(arrow) => {
                let mut edits = expression(module, declaration, func);
                edits.extend(arrow_edits(module, arrow));
                edits
            }
        };
        method.edits.extend(edits);
        method.fixed.extend(fixed(module, declaration.whole));
    }
    Ok(method)
}

/// `export async function* f` becomes `static async *f`.
fn head(declaration: &Declaration<'_>, func: Func<'_>) -> Vec<Edit> {
    let mark = if func.is_generator() { "*" } else { "" };
    let word = if func.is_async() { "static async " } else { "static " };
    vec![Edit::replace(declaration.whole.start, declaration.name.start, format!("{word}{mark}"))]
}

/// `const f = async function (a) {…};` becomes `static async f(a) {…}`.
fn expression(module: &Module<'_>, declaration: &Declaration<'_>, func: Func<'_>) -> Vec<Edit> {
    let mark = if func.is_generator() { "*" } else { "" };
    let word = if func.is_async() { "static async " } else { "static " };
    let name = module.slice(declaration.name);
    let from = match declaration.type_parameters {
        Some(it) => it.span.start,
        None => declaration.params.span.start,
    };
    let head = format!("{word}{mark}{name}");
    vec![
        Edit::replace(declaration.whole.start, from, head),
        Edit::delete(func.span().end, declaration.whole.end),
    ]
}

fn arrow_edits(module: &Module<'_>, arrow: &ArrowFunctionExpression<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let params = arrow.params.span;
    let before = arrow.return_type.as_ref().map_or(params.end, |it| it.span.end);
    if !module.slice(params).starts_with('(') {
        edits.push(Edit::insert(params.start, "("));
        edits.push(Edit::insert(params.end, ")"));
    }
    match arrow.body.as_expression() {
        None => {
            // `) => {` becomes `) {`.
            edits.push(Edit::replace(before, arrow.body.span().start, " "));
        }
        Some(value) => {
            let eol = module.style().line_end;
            let (indent, semicolon) = (module.style().indent, module.style().semicolon());
            // The expression stands in brackets where it was an object.
            let text = module.text();
            let inner = &text[before as usize..value.span().start as usize];
            let open = inner
                .find("=>")
                .map_or(value.span().start, |at| before + u32::try_from(at + 2).unwrap_or(0));
            let lead = &text[open as usize..value.span().start as usize];
            let spaces = u32::try_from(lead.len() - lead.trim_start().len()).unwrap_or(0);
            let start = format!(" {{{eol}{indent}return ");
            edits.push(Edit::replace(before, open + spaces, start));
            edits.push(Edit::insert(arrow.span.end, format!("{semicolon}{eol}}}")));
        }
    }
    edits
}

/// `this`, `super` and `new.target` of the function itself.
fn uses_this(module: &Module<'_>, func: Func<'_>) -> bool {
    let span = func.span();
    let own = match func {
        Func::Function(it) => Some(it.node_id.get()),
        Func::Arrow(_) => None,
    };
    module.nodes().iter().any(|node| {
        let at = match node.kind() {
            AstKind::ThisExpression(it) => it.span,
            AstKind::NewTarget(it) => it.span,
            _ => return false,
        };
        if at.start < span.start || span.end < at.end {
            return false;
        }
        let around = module.ancestors(node.id()).find_map(|kind| match kind {
            AstKind::Function(it) => Some(it.node_id.get()),
            AstKind::PropertyDefinition(it) => Some(it.node_id.get()),
            AstKind::StaticBlock(it) => Some(it.node_id.get()),
            _ => None,
        });
        around == own || (own.is_none() && around.is_none())
    })
}

/// Texts that go over several lines.
fn fixed(module: &Module<'_>, whole: Span) -> Vec<Span> {
    let nodes = module.nodes().iter();
    nodes
        .filter_map(|node| match node.kind() {
            AstKind::TemplateLiteral(it) => Some(it.span),
            AstKind::StringLiteral(it) => Some(it.span),
            AstKind::JSXText(it) => Some(it.span),
            _ => None,
        })
        .filter(|span| whole.start <= span.start && span.end <= whole.end)
        .filter(|span| module.slice(*span).contains('\n'))
        .collect()
}

impl Method {
    /// Adds edits that indent the lines of a piece, except within texts; edits that bring lines of their own are indented, too.
    /// True: the first line is to be indented by the caller.
    pub(super) fn kept_lines(
        &self,
        text: &str,
        piece: ByteRange,
        edits: &mut Vec<Edit>,
        indent: &str,
    ) -> bool {
        let (start, end) = (piece.start as usize, piece.end as usize);
        for edit in edits.iter_mut() {
            edit.text = edit.text.replace('\n', &format!("\n{indent}"));
        }
        for (at, _) in text[start..end].match_indices('\n') {
            let line = start + at + 1;
            let is_fixed =
                self.fixed.iter().any(|it| (it.start as usize) < line && line <= it.end as usize);
            let is_empty = text[line..end].split('\n').next().is_none_or(|it| it.trim().is_empty());
            let offset = u32::try_from(line - start).unwrap_or(u32::MAX);
            let is_covered = edits.iter().any(|it| it.start < offset && offset < it.end);
            if !is_fixed && !is_empty && !is_covered {
                edits.push(Edit::insert(offset, indent));
            }
        }
        true
    }
}

//! Top-level declarations with all that belongs to them: comments, decorators, overloads, `f.x = …`.

use oxc_ast::ast::{
    AssignmentTarget, Class, Declaration as Declared, ExportDefaultDeclarationKind, Expression,
    Statement, VariableDeclaration, VariableDeclarationKind,
};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;
use rb_ecma::links::ByteRange;

use super::effects;
use super::{Declaration, DeclarationKind, Piece};

/// Declarations by the place of their first piece, and the statements that are neither declaration nor import.
pub(super) fn read(module: &Module<'_>) -> (Vec<Declaration>, Vec<ByteRange>) {
    let (mut all, mut rest) = (Vec::new(), Vec::new());
    let mut before = module.program().directives.last().map_or(0, |it| it.span.end);
    before = before.max(module.program().hashbang.as_ref().map_or(0, |it| it.span.end));
    for statement in &module.program().body {
        let mut reading = Reading { module, all: &mut all, before };
        if !reading.statement(statement) {
            rest.push(statement.span().into());
        }
        before = statement.span().end;
    }
    (all, rest)
}

struct Reading<'r, 'a> {
    module: &'r Module<'a>,
    all: &'r mut Vec<Declaration>,
    /// Where the statement before ends.
    before: u32,
}

impl<'a> Reading<'_, 'a> {
    /// False for a statement that is to be kept track of, and declares nothing.
    fn statement(&mut self, statement: &Statement<'a>) -> bool {
        match statement {
            Statement::ExportDeclaration(it) => {
                self.declared(&it.declaration, it.span, Some("export"));
                true
            }
            Statement::ExportDefaultDeclaration(it) => match &it.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                    let Some(id) = &function.id else { return false };
                    let made = Made::new(&id.name, DeclarationKind::Function, function.span);
                    self.push(&made, it.span, Some("export default"));
                    true
                }
                ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                    let Some(id) = &class.id else { return false };
                    let made = self.class(class, &id.name);
                    self.push(&made, it.span, Some("export default"));
                    true
                }
                ExportDefaultDeclarationKind::TSInterfaceDeclaration(interface) => {
                    let made = Made::new(&interface.id.name, DeclarationKind::Type, interface.span);
                    self.push(&made, it.span, Some("export default"));
                    true
                }
                _ => false,
            },
            Statement::ImportDeclaration(_)
            | Statement::ExportFromDeclaration(_)
            | Statement::ExportAllDeclaration(_)
            | Statement::TSImportEqualsDeclaration(_)
            | Statement::EmptyStatement(_) => true,
            Statement::ExpressionStatement(it) => self.expando(&it.expression, it.span),
            other => match other.as_declaration() {
                Some(declaration) => self.declared(declaration, other.span(), None),
                None => false,
            },
        }
    }

    fn declared(&mut self, declared: &Declared<'a>, span: Span, keyword: Option<&str>) -> bool {
        let made = match declared {
            Declared::FunctionDeclaration(it) => {
                let Some(id) = &it.id else { return false };
                let made = Made::new(&id.name, DeclarationKind::Function, it.span);
                Made { is_ambient: it.declare, ..made }
            }
            Declared::ClassDeclaration(it) => {
                let Some(id) = &it.id else { return false };
                self.class(it, &id.name)
            }
            Declared::VariableDeclaration(it) => self.variables(it),
            Declared::TSTypeAliasDeclaration(it) => {
                Made::new(&it.id.name, DeclarationKind::Type, it.span)
            }
            Declared::TSInterfaceDeclaration(it) => {
                Made::new(&it.id.name, DeclarationKind::Type, it.span)
            }
            Declared::TSEnumDeclaration(it) => Made {
                is_ambient: it.declare,
                ..Made::new(&it.id.name, DeclarationKind::Enum, it.span)
            },
            Declared::TSNamespaceDeclaration(it) => Made {
                is_pure: false,
                ..Made::new(self.module.slice(it.id.span()), DeclarationKind::Namespace, it.span)
            },
            Declared::TSExternalModuleDeclaration(_)
            | Declared::TSGlobalDeclaration(_)
            | Declared::TSImportEqualsDeclaration(_) => return false,
        };
        self.push(&made, span, keyword);
        true
    }

    fn class(&self, class: &Class<'a>, name: &str) -> Made {
        let end = class.decorators.last().map(|it| it.span.end);
        let at = end.map_or(class.span.start, |end| self.next_code(end).max(class.span.start));
        Made {
            export_at: at,
            start: class.decorators.first().map(|it| it.span.start),
            is_pure: effects::is_pure_class(self.module, class),
            is_ambient: class.declare,
            ..Made::new(name, DeclarationKind::Class, class.span)
        }
    }

    fn variables(&self, variables: &VariableDeclaration<'a>) -> Made {
        let kind = match variables.kind {
            VariableDeclarationKind::Const => DeclarationKind::Constant,
            VariableDeclarationKind::Var
            | VariableDeclarationKind::Let
            | VariableDeclarationKind::Using
            | VariableDeclarationKind::AwaitUsing => DeclarationKind::Variable,
        };
        let ids = variables.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
        Made {
            names: ids.map(|id| id.name.to_string()).collect(),
            is_pure: effects::are_pure_variables(self.module, variables),
            is_ambient: variables.declare,
            ..Made::new("", kind, variables.span)
        }
    }

    /// `f.displayName = "f"` belongs to `f`.
    fn expando(&mut self, expression: &Expression<'a>, span: Span) -> bool {
        let Expression::AssignmentExpression(assignment) = expression else { return false };
        let AssignmentTarget::StaticMemberExpression(left) = &assignment.left else { return false };
        let Expression::Identifier(object) = &left.object else { return false };
        if !self.module.is_pure1(&assignment.right, &|_| false) {
            return false;
        }
        let name = object.name.as_str();
        let piece = Piece {
            full: self.full(span),
            statement: span.into(),
            keyword: None,
            is_default: false,
            export_at: None,
            names: vec![name.to_owned()],
            is_pure: true,
            is_ambient: false,
        };
        match self.all.iter_mut().find(|it| it.name == name) {
            Some(declaration) => declaration.pieces.push(piece),
            None => return false,
        }
        true
    }

    fn push(&mut self, made: &Made, span: Span, keyword: Option<&str>) {
        let start = made.start.unwrap_or(span.start).min(span.start);
        let statement = Span::new(start, span.end);
        let piece = Piece {
            full: self.full(statement),
            statement: statement.into(),
            keyword: keyword.map(|word| self.keyword(span, word)),
            is_default: keyword == Some("export default"),
            export_at: Some(made.export_at),
            names: made.names.clone(),
            is_pure: made.is_pure,
            is_ambient: made.is_ambient,
        };
        for name in &made.names {
            match self.all.iter_mut().find(|it| it.name == *name) {
                Some(known) => {
                    // A type and a value of one name count as the value.
                    if known.kind == DeclarationKind::Type {
                        known.kind = made.kind;
                    }
                    known.pieces.push(piece.clone());
                }
                None => self.all.push(Declaration {
                    name: name.clone(),
                    kind: made.kind,
                    pieces: vec![piece.clone()],
                }),
            }
        }
    }

    /// `export ` with the space behind it. Decorators may stand before it.
    fn keyword(&self, span: Span, word: &str) -> ByteRange {
        let text = self.module.slice(span);
        let inside = if text.starts_with("export") { Some(0) } else { None };
        let start = inside.unwrap_or_else(|| text.find("export").unwrap_or(0));
        let start = span.start + u32::try_from(start).unwrap_or(0);
        let mut end = start + 6;
        if word == "export default" {
            end = self.next_code(end) + 7;
        }
        ByteRange { start, end: self.next_code(end).min(span.end) }
    }

    /// The first offset that is no white space.
    fn next_code(&self, offset: u32) -> u32 {
        let rest = self.module.text().get(offset as usize..).unwrap_or_default();
        let space = rest.len() - rest.trim_start().len();
        offset + u32::try_from(space).unwrap_or(0)
    }

    /// With the comments right above, and the one behind it on its line.
    fn full(&self, span: Span) -> ByteRange {
        let text = self.module.text();
        let mut start = span.start;
        for comment in self.module.comments().iter().rev() {
            if comment.span.end > start {
                continue;
            }
            let gap = &text[comment.span.end as usize..start as usize];
            let is_beside = gap.trim().is_empty() && gap.matches('\n').count() <= 1;
            let line = &text[self.module.line_start(comment.span.start) as usize..];
            let owns_line = comment.span.start < self.before
                || line
                    [..(comment.span.start - self.module.line_start(comment.span.start)) as usize]
                    .trim()
                    .is_empty();
            let is_header = self.before == 0 && is_header(self.module.slice(comment.span));
            if !is_beside || !owns_line || comment.span.start < self.before || is_header {
                break;
            }
            start = comment.span.start;
        }
        let rest = &text[span.end as usize..];
        let line = rest.split('\n').next().unwrap_or(rest);
        let is_comment = line.trim_start().starts_with("//")
            || (line.trim_start().starts_with("/*") && line.trim_end().ends_with("*/"));
        let end =
            if is_comment { span.end as usize + line.trim_end().len() } else { span.end as usize };
        ByteRange { start, end: u32::try_from(end).unwrap_or(span.end) }
    }
}

/// A comment that is about the file, even if it stands right above a declaration.
fn is_header(comment: &str) -> bool {
    const SIGNS: &[&str] = &[
        "@license",
        "Copyright",
        "copyright",
        "@ts-nocheck",
        "@ts-check",
        "@flow",
        "@jsx",
        "@vitest-environment",
        "@jest-environment",
        "SPDX",
        "@file",
        "<reference",
        "@packageDocumentation",
    ];
    SIGNS.iter().any(|sign| comment.contains(sign))
        || (comment.contains("eslint-disable") && !comment.contains("eslint-disable-next-line"))
}

/// A declaration before its piece is known.
struct Made {
    names: Vec<String>,
    kind: DeclarationKind,
    export_at: u32,
    start: Option<u32>,
    is_pure: bool,
    is_ambient: bool,
}

impl Made {
    fn new(name: &str, kind: DeclarationKind, span: Span) -> Self {
        Made {
            names: vec![name.to_owned()],
            kind,
            export_at: span.start,
            start: None,
            is_pure: true,
            is_ambient: false,
        }
    }
}

//! Functions and methods of a file, as they are written.

use rb_python::ast::statement_visitor::{StatementVisitor, walk_stmt};
use rb_python::ast::{self, Expr, Stmt};
use rb_python::{Ranged, Source, TextRange};

/// A `def`, and the class whose body it stands in.
#[derive(Debug, Clone)]
pub(super) struct Function<'s> {
    pub(super) node: &'s ast::StmtFunctionDef,
    pub(super) class: Option<&'s ast::StmtClassDef>,
    /// `f`, `Class.f`; None within a function.
    pub(super) path: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FunctionKind {
    Function,
    Method,
    ClassMethod,
    StaticMethod,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterKind {
    PositionalOnly,
    Plain,
    /// `*args`
    Variadic,
    KeywordOnly,
    /// `**kwargs`
    Keywords,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Parameter<'s> {
    pub(super) name: &'s str,
    pub(super) kind: ParameterKind,
    pub(super) annotation: Option<&'s Expr>,
    pub(super) default: Option<&'s Expr>,
    pub(super) range: TextRange,
    pub(super) name_range: TextRange,
}

/// All functions of a file, nested ones too, in the order of the text.
pub(super) fn functions(source: &Source) -> Vec<Function<'_>> {
    let mut collector = Collector { functions: Vec::new(), class: None, path: Some(String::new()) };
    collector.visit_body(source.body());
    collector.functions
}

/// All definitions under this name: `f`, `Class.f`. Overloads and alternatives are several.
pub(super) fn functions_named<'s>(source: &'s Source, name: &str) -> Vec<Function<'s>> {
    let mut functions = functions(source);
    functions.retain(|function| function.path.as_deref() == Some(name));
    functions
}

pub(super) fn class_named<'s>(source: &'s Source, name: &str) -> Option<&'s ast::StmtClassDef> {
    struct Classes<'s, 'n> {
        rest: &'n str,
        class: Option<&'s ast::StmtClassDef>,
    }
    impl<'s> StatementVisitor<'s> for Classes<'s, '_> {
        fn visit_stmt(&mut self, statement: &'s Stmt) {
            match statement {
                Stmt::FunctionDef(_) => {}
                Stmt::ClassDef(class) if class.name.as_str() == self.rest => {
                    self.class = Some(class);
                }
                Stmt::ClassDef(class) => {
                    let whole = self.rest;
                    let prefix = format!("{}.", class.name.as_str());
                    if let Some(rest) = whole.strip_prefix(&prefix) {
                        self.rest = rest;
                        self.visit_body(&class.body);
                        self.rest = whole;
                    }
                }
                other => walk_stmt(self, other),
            }
        }
    }
    let mut classes = Classes { rest: name, class: None };
    classes.visit_body(source.body());
    classes.class
}

impl<'s> Function<'s> {
    pub(super) fn kind(&self) -> FunctionKind {
        if self.class.is_none() {
            return FunctionKind::Function;
        }
        match self.node.name.as_str() {
            "__new__" => return FunctionKind::StaticMethod,
            "__init_subclass__" | "__class_getitem__" => return FunctionKind::ClassMethod,
            _ => {}
        }
        if self.has_decorator("staticmethod") {
            FunctionKind::StaticMethod
        } else if self.has_decorator("classmethod") {
            FunctionKind::ClassMethod
        } else {
            FunctionKind::Method
        }
    }

    /// `self` or `cls`.
    pub(super) fn receiver(&self) -> Option<Parameter<'s>> {
        match self.kind() {
            FunctionKind::Method | FunctionKind::ClassMethod => {
                self.parameters().into_iter().next().filter(|first| {
                    matches!(first.kind, ParameterKind::Plain | ParameterKind::PositionalOnly)
                })
            }
            FunctionKind::Function | FunctionKind::StaticMethod => None,
        }
    }

    /// In the order of the text.
    pub(super) fn parameters(&self) -> Vec<Parameter<'s>> {
        let parameters = &self.node.parameters;
        let with_default = |list: &'s [ast::ParameterWithDefault], kind| {
            list.iter().map(move |parameter| Parameter {
                name: parameter.parameter.name.as_str(),
                kind,
                annotation: parameter.parameter.annotation.as_deref(),
                default: parameter.default.as_deref(),
                range: parameter.range(),
                name_range: parameter.parameter.name.range(),
            })
        };
        let variadic = |parameter: &'s Option<Box<ast::Parameter>>, kind| {
            parameter.as_deref().map(|parameter| Parameter {
                name: parameter.name.as_str(),
                kind,
                annotation: parameter.annotation.as_deref(),
                default: None,
                range: parameter.range(),
                name_range: parameter.name.range(),
            })
        };
        let mut all = Vec::new();
        all.extend(with_default(&parameters.posonlyargs, ParameterKind::PositionalOnly));
        all.extend(with_default(&parameters.args, ParameterKind::Plain));
        all.extend(variadic(&parameters.vararg, ParameterKind::Variadic));
        all.extend(with_default(&parameters.kwonlyargs, ParameterKind::KeywordOnly));
        all.extend(variadic(&parameters.kwarg, ParameterKind::Keywords));
        all
    }

    /// `locals` in it, which gives its variables by name.
    pub(super) fn locals(&self, source: &Source) -> Option<TextRange> {
        let is_locals = |name: &&rb_python::Name| {
            name.name == "locals"
                && name.variable.is_none()
                && self.node.range().contains_range(name.range)
        };
        source.scopes().names.iter().find(is_locals).map(|name| name.range)
    }

    pub(super) fn parameter(&self, name: &str) -> Option<Parameter<'s>> {
        self.parameters().into_iter().find(|parameter| parameter.name == name)
    }

    /// By the last part of its name: `overload` is `typing.overload` as well.
    pub(super) fn has_decorator(&self, name: &str) -> bool {
        self.decorators().any(|decorator| decorator == name)
    }

    /// The last part of the name of each decorator, calls or not; those that have none are left out.
    pub(super) fn decorators(&self) -> impl Iterator<Item = &'s str> {
        self.node.decorator_list.iter().filter_map(|decorator| match &decorator.expression {
            Expr::Call(call) => last_name(&call.func),
            other => last_name(other),
        })
    }

    pub(super) fn docstring(&self) -> Option<&'s ast::ExprStringLiteral> {
        match self.node.body.first()? {
            Stmt::Expr(statement) => statement.value.as_string_literal_expr(),
            _ => None,
        }
    }

    /// Only `...`, `pass` and a docstring: an overload, a protocol, a stub.
    pub(super) fn is_stub(&self) -> bool {
        self.node.body.iter().all(|statement| match statement {
            Stmt::Pass(_) => true,
            Stmt::Expr(expression) => {
                expression.value.is_ellipsis_literal_expr()
                    || expression.value.is_string_literal_expr()
            }
            _ => false,
        })
    }
}

/// `c` of `a.b.c`.
pub(super) fn last_name(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        _ => None,
    }
}

/// Where the last part of `a.b.c` is written.
pub(super) fn last_name_range(expression: &Expr) -> Option<TextRange> {
    match expression {
        Expr::Name(name) => Some(name.range()),
        Expr::Attribute(attribute) => Some(attribute.attr.range()),
        _ => None,
    }
}

struct Collector<'s> {
    functions: Vec<Function<'s>>,
    class: Option<&'s ast::StmtClassDef>,
    /// Of the classes around, with a full stop behind it; None in functions.
    path: Option<String>,
}

impl<'s> StatementVisitor<'s> for Collector<'s> {
    fn visit_stmt(&mut self, statement: &'s Stmt) {
        match statement {
            Stmt::FunctionDef(node) => {
                let path = self.path.as_ref().map(|path| format!("{path}{}", node.name.as_str()));
                self.functions.push(Function { node, class: self.class, path });
                let outer = (self.class.take(), self.path.take());
                self.visit_body(&node.body);
                (self.class, self.path) = outer;
            }
            Stmt::ClassDef(class) => {
                let path = self.path.as_ref().map(|path| format!("{path}{}.", class.name.as_str()));
                let outer = (self.class.replace(class), std::mem::replace(&mut self.path, path));
                self.visit_body(&class.body);
                (self.class, self.path) = outer;
            }
            other => walk_stmt(self, other),
        }
    }
}

//! `__all__` at the top level of a module.

use ruff_python_ast::statement_visitor::{self, StatementVisitor};
use ruff_python_ast::{self as ast, Expr, Operator, Stmt};
use ruff_text_size::{Ranged, TextRange};

use crate::imports::{AllEntry, AllList};
use crate::strings::{StringLiteral, StringUse};

/// None if the module does not say `__all__`.
pub(crate) fn all(body: &[Stmt]) -> Option<AllList> {
    let mut finder = Finder::default();
    finder.visit_body(body);
    finder.list
}

/// Says of each string that is an entry that it is one.
pub(crate) fn mark(strings: &mut [StringLiteral], all: &AllList) {
    for entry in &all.entries {
        let first = strings.partition_point(|string| string.range.start() < entry.range.start());
        // Several for an implicit concatenation.
        for string in &mut strings[first..] {
            if !entry.range.contains_range(string.range) {
                break;
            }
            string.usage = StringUse::All;
        }
    }
}

#[derive(Default)]
struct Finder {
    list: Option<AllList>,
}

impl<'a> StatementVisitor<'a> for Finder {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            // Not at the top level.
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            Stmt::Assign(assign) => {
                if assign.targets.iter().any(is_all) {
                    self.value(&assign.value);
                }
            }
            Stmt::AnnAssign(assign) => {
                if let (true, Some(value)) = (is_all(&assign.target), &assign.value) {
                    self.value(value);
                }
            }
            Stmt::AugAssign(assign) => {
                if is_all(&assign.target) {
                    self.value(&assign.value);
                }
            }
            Stmt::Expr(expression) => {
                if let Expr::Call(call) = &*expression.value {
                    self.call(call);
                }
            }
            _ => statement_visitor::walk_stmt(self, statement),
        }
    }
}

impl Finder {
    fn list(&mut self) -> &mut AllList {
        let empty = AllList { ranges: Vec::new(), entries: Vec::new(), is_partial: false };
        self.list.get_or_insert(empty)
    }

    /// `__all__.extend([…])` and `__all__.append("x")`; any other method makes the list partial.
    fn call(&mut self, call: &ast::ExprCall) {
        let Expr::Attribute(method) = &*call.func else {
            return;
        };
        if !is_all(&method.value) {
            return;
        }
        match (method.attr.as_str(), &*call.arguments.args) {
            ("extend", [value]) => self.value(value),
            ("append", [Expr::StringLiteral(entry)]) => {
                self.entries(entry.range, &call.arguments.args);
            }
            _ => self.list().is_partial = true,
        }
    }

    fn value(&mut self, value: &Expr) {
        match value {
            Expr::List(list) => self.entries(list.range, &list.elts),
            Expr::Tuple(tuple) => self.entries(tuple.range, &tuple.elts),
            Expr::StringLiteral(string) => self.entries(string.range, std::slice::from_ref(value)),
            Expr::BinOp(sum) if sum.op == Operator::Add => {
                self.value(&sum.left);
                self.value(&sum.right);
            }
            _ => self.list().is_partial = true,
        }
    }

    fn entries(&mut self, range: TextRange, elements: &[Expr]) {
        let all = self.list();
        let list = all.ranges.len();
        all.ranges.push(range);
        for element in elements {
            match element {
                Expr::StringLiteral(string) => {
                    let name = string.value.to_str().to_owned();
                    all.entries.push(AllEntry { name, range: element.range(), list });
                }
                _ => all.is_partial = true,
            }
        }
    }
}

fn is_all(expression: &Expr) -> bool {
    matches!(expression, Expr::Name(name) if name.id == "__all__")
}

//! Whether an import is also needed for what its module does when it is loaded.

use rb_python::ast::{Expr, Stmt};
use rb_python::{Import, ImportPlace, Source};

use super::takers::{below, leads_to};
use crate::project::Project;

/// Would the module of an import, which does something when it is loaded, be loaded by nobody else?
pub(super) fn is_missed(
    project: &Project<'_>,
    source: &Source,
    import: &Import,
    name: usize,
) -> bool {
    let specifier = import.specifier(name);
    let resolve = |module: &str| project.files.resolve(source.path(), module);
    let module = if import.is_from { resolve(&below(&specifier, import, name)) } else { None };
    let Some(target) = module.or_else(|| resolve(&specifier)) else { return false };
    let Some(loaded) = project.source(&target) else { return true };
    let is_else = |path: &String| {
        let Some(other) = project.source(path).filter(|_| **path != *source.path()) else {
            return false;
        };
        other.imports().iter().filter(|it| it.place == ImportPlace::Top).any(|it| {
            (0..it.names.len()).any(|at| {
                leads_to(project, &other, it, at, &target)
                    || project.files.resolve(path, &it.specifier(at)).as_deref() == Some(&*target)
            })
        })
    };
    let stem = target.trim_end_matches("/__init__.py").trim_end_matches(".py");
    let stem = stem.rsplit('/').next().unwrap_or(stem);
    loaded.body().iter().any(is_loud) && !project.files_with(&[stem]).iter().any(is_else)
}

/// A statement that does more than to declare something.
fn is_loud(statement: &Stmt) -> bool {
    let is_quiet_decorator = |expression: &Expr| {
        let mut expression = expression;
        loop {
            match expression {
                Expr::Call(call) => expression = &call.func,
                Expr::Attribute(attribute) => expression = &attribute.value,
                Expr::Name(name) => {
                    return matches!(
                        name.id.as_str(),
                        "dataclass"
                            | "dataclasses"
                            | "functools"
                            | "contextlib"
                            | "typing"
                            | "t"
                            | "contextmanager"
                            | "lru_cache"
                            | "cache"
                            | "wraps"
                            | "overload"
                            | "final"
                            | "total_ordering"
                            | "abc"
                            | "enum"
                            | "attr"
                            | "attrs"
                            | "asynccontextmanager"
                            | "runtime_checkable"
                            | "deprecated"
                    );
                }
                _ => return false,
            }
        }
    };
    match statement {
        Stmt::FunctionDef(it) => {
            it.decorator_list.iter().any(|it| !is_quiet_decorator(&it.expression))
        }
        Stmt::ClassDef(it) => {
            it.decorator_list.iter().any(|it| !is_quiet_decorator(&it.expression))
                || it.arguments.as_ref().is_some_and(|it| !it.keywords.is_empty())
        }
        Stmt::Import(_)
        | Stmt::ImportFrom(_)
        | Stmt::Pass(_)
        | Stmt::TypeAlias(_)
        | Stmt::Assign(_)
        | Stmt::AnnAssign(_) => false,
        Stmt::Expr(it) => {
            !it.value.is_string_literal_expr() && !it.value.is_ellipsis_literal_expr()
        }
        Stmt::If(it) => it.body.iter().any(is_loud) && !is_guard(&it.test),
        Stmt::Try(it) => it.body.iter().any(is_loud),
        _ => true,
    }
}

/// `if TYPE_CHECKING:`, `if __name__ == "__main__":`.
fn is_guard(test: &Expr) -> bool {
    match test {
        Expr::Name(name) => name.id.as_str() == "TYPE_CHECKING",
        Expr::Attribute(attribute) => attribute.attr.as_str() == "TYPE_CHECKING",
        Expr::Compare(compare) => {
            compare.left.as_name_expr().is_some_and(|it| it.id.as_str() == "__name__")
        }
        _ => false,
    }
}

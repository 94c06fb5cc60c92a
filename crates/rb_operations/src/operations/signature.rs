//! Parameters put into a signature and taken out of it.

use rb_core::Edit;
use rb_python::Source;
use rb_python::ast::Expr;

use super::calls::{place, refusal};
use super::functions::{Function, FunctionKind, ParameterKind};
use super::item_list::ItemList;
use super::text_style::one_line;
use crate::outcome::Refusal;

/// A parameter in the making.
pub(super) struct NewParameter<'o> {
    pub(super) name: &'o str,
    pub(super) default: Option<&'o str>,
    pub(super) annotation: Option<&'o str>,
}

impl NewParameter<'_> {
    /// Behind all others, but before `**kwargs`. Behind `*` or `*args` it can only be passed by name, which is how calls pass it: before
    /// `*args` it would take what calls pass to those.
    pub(super) fn insertion(
        &self,
        source: &Source,
        function: &Function<'_>,
    ) -> Result<Vec<Edit>, Refusal> {
        let parameters = function.parameters();
        let list = ItemList::parameters(source, &function.node.parameters);
        let is_keyword_only =
            function.node.parameters.vararg.is_some() || list.marker("*").is_some();
        let has_defaults = parameters.iter().any(|parameter| parameter.default.is_some());
        if self.default.is_none() && has_defaults && !is_keyword_only {
            let reason = format!("`{}` needs a default: others before it have one", self.name);
            let place = place(source, function.node.name.range, "the signature");
            return Err(refusal(reason, vec![place], "say which default it has"));
        }
        let keywords =
            parameters.iter().find(|parameter| parameter.kind == ParameterKind::Keywords);
        let at = keywords.and_then(|keywords| list.index_of(keywords.range)).unwrap_or(list.len());
        Ok(list.insert(at, &self.text(source, function)))
    }

    fn text(&self, source: &Source, function: &Function<'_>) -> String {
        let is_declaration = is_stub(source.path()) || function.has_decorator("overload");
        let default = self.default.map(|default| if is_declaration { "..." } else { default });
        let annotation = self.annotation.or_else(|| self.inferred_annotation(function));
        match (annotation, default) {
            (Some(annotation), Some(default)) => format!("{}: {annotation} = {default}", self.name),
            (Some(annotation), None) => format!("{}: {annotation}", self.name),
            (None, Some(default)) => format!("{}={default}", self.name),
            (None, None) => self.name.to_owned(),
        }
    }

    /// By the default, if the others are annotated.
    fn inferred_annotation(&self, function: &Function<'_>) -> Option<&'static str> {
        let receiver = function.receiver().map(|receiver| receiver.name);
        let mut others =
            function.parameters().into_iter().filter(|one| Some(one.name) != receiver).peekable();
        let is_annotated = match others.peek() {
            Some(_) => others.any(|parameter| parameter.annotation.is_some()),
            None => function.node.returns.is_some(),
        };
        let default = self.default.filter(|_| is_annotated)?;
        match default {
            "True" | "False" => Some("bool"),
            _ if default.parse::<i64>().is_ok() => Some("int"),
            _ if default.parse::<f64>().is_ok() => Some("float"),
            _ if default.starts_with(['"', '\'']) => Some("str"),
            _ => None,
        }
    }
}

fn is_stub(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending == "pyi")
}

/// `f(a, b=1)`, on one line.
pub(super) fn shown(source: &Source, function: &Function<'_>) -> String {
    let list = ItemList::parameters(source, &function.node.parameters);
    let items: Vec<&str> = (0..list.len()).map(|index| list.text(index)).collect();
    let name = function.path.as_deref().unwrap_or(function.node.name.as_str());
    one_line(&format!("{name}({})", items.join(", ")))
}

/// Decorators that give the function another way to be called, so that its calls do not tell how.
pub(super) fn check_decorators(source: &Source, function: &Function<'_>) -> Result<(), Refusal> {
    const CHANGING: [&str; 9] = [
        "property",
        "cached_property",
        "setter",
        "getter",
        "deleter",
        "singledispatch",
        "singledispatchmethod",
        "register",
        "fixture",
    ];
    let Some(decorator) = function.decorators().find(|name| CHANGING.contains(name)) else {
        return Ok(());
    };
    let name = function.node.name.as_str();
    let reason = format!("`{name}` is not called with its own parameters: `@{decorator}`");
    let place = place(source, function.node.name.range, format!("`@{decorator}`"));
    Err(refusal(reason, vec![place], "change its signature by hand"))
}

/// Decorators of which it is not known that they pass all arguments on.
pub(super) fn unknown_decorators<'s>(function: &Function<'s>) -> Vec<&'s str> {
    const KNOWN: [&str; 15] = [
        "staticmethod",
        "classmethod",
        "abstractmethod",
        "lru_cache",
        "cache",
        "wraps",
        "contextmanager",
        "asynccontextmanager",
        "overload",
        "override",
        "final",
        "deprecated",
        "coroutine",
        "no_type_check",
        "njit",
    ];
    function.decorators().filter(|name| !KNOWN.contains(name)).collect()
}

/// What the body uses of `self`, and the other parameters that a call fills.
pub(super) fn is_receiver(function: &Function<'_>, name: &str) -> bool {
    matches!(function.kind(), FunctionKind::Method | FunctionKind::ClassMethod)
        && function.receiver().is_some_and(|receiver| receiver.name == name)
}

/// Can the default stand in the class body of a dataclass? A mutable one cannot.
pub(super) fn is_immutable(default: &Expr) -> bool {
    match default {
        Expr::UnaryOp(operation) => is_immutable(&operation.operand),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_immutable),
        other => other.is_literal_expr(),
    }
}

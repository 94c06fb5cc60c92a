//! React as far as names and calls show it: components, hooks, `Suspense`.

use oxc_ast::ast::{CallExpression, Class, Expression};

/// What a function that is a symbol was seen to do.
pub(super) struct Rendering<'a> {
    pub(super) symbol: u32,
    pub(super) jsx: bool,
    pub(super) suspense: bool,
    pub(super) hooks: Vec<&'a str>,
}

impl Rendering<'_> {
    pub(super) fn new(symbol: u32) -> Self {
        Rendering { symbol, jsx: false, suspense: false, hooks: Vec::new() }
    }
}

/// `useState`, `useOnline`; not `user`.
pub(super) fn is_hook(name: &str) -> bool {
    name.strip_prefix("use").is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
}

/// Components are told from elements by their first letter.
pub(super) fn is_component_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase())
}

/// Can hooks be called through it? `React.useState()` is one, `app.useStatic()` is not.
pub(super) fn is_namespace(qualifier: &str) -> bool {
    qualifier.is_empty() || (is_component_name(qualifier) && !qualifier.contains('.'))
}

pub(super) fn is_component_class(class: &Class<'_>) -> bool {
    const BASES: &[&str] = &["Component", "PureComponent"];
    match class.heritage_expression() {
        Some(Expression::Identifier(name)) => BASES.contains(&name.name.as_str()),
        Some(Expression::StaticMemberExpression(member)) => {
            member.object.is_specific_id("React") && BASES.contains(&member.property.name.as_str())
        }
        _ => false,
    }
}

/// `memo(…)`, `forwardRef(…)`, `lazy(…)`, each also under `React.`.
pub(super) fn is_wrapper(call: &CallExpression<'_>) -> bool {
    const WRAPPERS: &[&str] = &["memo", "forwardRef", "lazy"];
    match &call.callee {
        Expression::Identifier(name) => WRAPPERS.contains(&name.name.as_str()),
        Expression::StaticMemberExpression(member) => {
            member.object.is_specific_id("React")
                && WRAPPERS.contains(&member.property.name.as_str())
        }
        _ => false,
    }
}

/// The component inside. What `lazy` is given only loads it.
pub(super) fn wrapped<'a, 't>(call: &'t CallExpression<'a>) -> Option<&'t Expression<'a>> {
    if call.callee_name() == Some("lazy") {
        return None;
    }
    call.arguments.first()?.as_expression()
}

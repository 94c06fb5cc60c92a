//! Whether a call fits what it calls, by the rules of the language.

use rb_core::plural;
use rb_lang::Language;
use rb_lang::details::{Call, CallForm, Function, Keys, Parameter, ParameterKind};

/// The first way in which a call does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Misfit {
    TooFew { wanted: usize, given: usize },
    TooMany { wanted: usize, given: usize },
    MissingName(Box<str>),
    UnknownName(Box<str>),
    MissingKey(Box<str>),
    UnknownKey(Box<str>),
}

impl Misfit {
    pub(crate) fn message(&self, name: &str) -> String {
        match self {
            Misfit::TooFew { wanted, given } => {
                format!(
                    "`{name}` takes at least {}, but is called with {given}",
                    plural(*wanted, "argument")
                )
            }
            Misfit::TooMany { wanted, given } => {
                format!(
                    "`{name}` takes at most {}, but is called with {given}",
                    plural(*wanted, "argument")
                )
            }
            Misfit::MissingName(missing) => {
                format!("`{name}` needs `{missing}`, which is not passed")
            }
            Misfit::UnknownName(unknown) => format!("`{name}` does not accept `{unknown}`"),
            Misfit::MissingKey(missing) => {
                format!("`{name}` needs an object with `{missing}`, which is missing")
            }
            Misfit::UnknownKey(unknown) => {
                format!("the object parameter of `{name}` has no `{unknown}`")
            }
        }
    }
}

/// `None` where it fits, or where nobody can tell. Several functions are overloads: one that fits is enough.
pub(crate) fn misfit(
    functions: &[Function],
    call: &Call,
    language: Option<Language>,
    has_receiver: bool,
) -> Option<Misfit> {
    if functions.iter().any(|it| it.is_open) {
        return None;
    }
    let has_signatures = functions.iter().any(|it| it.is_signature);
    let is_overloading = has_signatures || language == Some(Language::Java);
    let mut ways = functions.iter().filter(|it| it.is_signature || !has_signatures);
    let first = ways.next()?;
    let misfit = of_one(first, call, language, has_receiver)?;
    // Declared twice and not as overloads: which of them is meant is not known.
    let fits =
        |it: &Function| !is_overloading || of_one(it, call, language, has_receiver).is_none();
    if ways.any(fits) { None } else { Some(misfit) }
}

fn of_one(
    function: &Function,
    call: &Call,
    language: Option<Language>,
    has_receiver: bool,
) -> Option<Misfit> {
    let parameters = function.parameters.get(usize::from(has_receiver)..).unwrap_or_default();
    match (call.form, language) {
        (CallForm::Element, _) => of_element(parameters, call),
        (_, Some(Language::Python)) => by_name(parameters, call),
        _ => by_place(parameters, call).or_else(|| of_objects(function, parameters, call)),
    }
}

fn by_place(parameters: &[Parameter], call: &Call) -> Option<Misfit> {
    let given = call.positional? as usize;
    let has_rest = parameters.iter().any(|it| it.kind == ParameterKind::Rest);
    // Only what stands at the end can be left out.
    let wanted = parameters.iter().rposition(|it| it.is_required).map_or(0, |last| last + 1);
    let most = parameters.len();
    if given < wanted {
        Some(Misfit::TooFew { wanted, given })
    } else if given > most && !has_rest {
        Some(Misfit::TooMany { wanted: most, given })
    } else {
        None
    }
}

fn by_name(parameters: &[Parameter], call: &Call) -> Option<Misfit> {
    let named = call.named.as_ref()?;
    let given = call.positional? as usize;
    let is_placed =
        |it: &&Parameter| matches!(it.kind, ParameterKind::Any | ParameterKind::PositionOnly);
    let placed: Vec<&Parameter> = parameters.iter().filter(is_placed).collect();
    let has = |kind: ParameterKind| parameters.iter().any(|it| it.kind == kind);
    if given > placed.len() && !has(ParameterKind::Rest) {
        return Some(Misfit::TooMany { wanted: placed.len(), given });
    }
    let takes = |name: &str| {
        parameters.iter().any(|it| {
            &*it.name == name && matches!(it.kind, ParameterKind::Any | ParameterKind::NameOnly)
        })
    };
    if !has(ParameterKind::NamedRest)
        && let Some(unknown) = named.iter().find(|name| !takes(name))
    {
        return Some(Misfit::UnknownName(unknown.clone()));
    }
    let left = placed.iter().skip(given).copied();
    let only_named = parameters.iter().filter(|it| it.kind == ParameterKind::NameOnly);
    let missing = left.chain(only_named).find(|it| it.is_required && !named.contains(&it.name));
    missing.map(|it| Misfit::MissingName(it.name.clone()))
}

/// The props of a component are the keys of its first parameter.
fn of_element(parameters: &[Parameter], call: &Call) -> Option<Misfit> {
    let keys = parameters.first()?.keys.as_ref()?;
    // `children` stands between the tags, `key` and `ref` are not the component's.
    let is_special = |name: &str| {
        matches!(name, "children" | "key" | "ref" | "slot")
            || name.contains('-')
            || name.starts_with("client:")
    };
    of_keys(keys, call.named.as_ref()?, is_special).map(|misfit| match misfit {
        Misfit::MissingKey(name) => Misfit::MissingName(name),
        Misfit::UnknownKey(name) => Misfit::UnknownName(name),
        other => other,
    })
}

fn of_objects(function: &Function, parameters: &[Parameter], call: &Call) -> Option<Misfit> {
    if !function.is_typed && parameters.iter().all(|it| it.keys.is_none()) {
        return None;
    }
    parameters.iter().zip(&call.objects).find_map(|(parameter, given)| {
        of_keys(parameter.keys.as_ref()?, given.as_ref()?, |_| false)
    })
}

fn of_keys(keys: &Keys, given: &[Box<str>], is_special: impl Fn(&str) -> bool) -> Option<Misfit> {
    let is_known = |name: &str| keys.names.iter().any(|(known, _)| &**known == name);
    if !keys.is_open
        && let Some(unknown) = given.iter().find(|name| !is_known(name) && !is_special(name))
    {
        return Some(Misfit::UnknownKey(unknown.clone()));
    }
    let is_missing = |(name, required): &&(Box<str>, bool)| {
        *required && !given.contains(name) && !is_special(name)
    };
    keys.names.iter().find(is_missing).map(|(name, _)| Misfit::MissingKey(name.clone()))
}

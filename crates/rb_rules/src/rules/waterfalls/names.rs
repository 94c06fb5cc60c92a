//! What the name of an awaited call says: that it reads, that it guards, that it costs nothing.
//!
//! Names are no proof. They decide what is worth a word; whether an edit is safe is for `proofs` to say.

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, CallExpression, ChainElement, Expression, ObjectPropertyKind,
};
use rb_ecma::{AUTH_NAMES, Func, Module};

use super::awaits::takes_props;
use crate::cx::Cx;

/// What is awaited, as far as its name tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Gets something and changes nothing.
    Read,
    /// A read whose result goes to a cache: nobody binds it.
    Prefetch,
    /// Finds out who is there, and goes on.
    Identity,
    /// Stops who may not pass.
    Gate,
    /// Does not take long, or already runs.
    Cheap,
    /// Has effects, or nothing is known.
    Other,
}

const READS: &[&str] = &[
    "get",
    "fetch",
    "load",
    "read",
    "find",
    "list",
    "count",
    "search",
    "select",
    "lookup",
    "retrieve",
    "aggregate",
];

const IDENTITY: &[&str] = &["auth", "session", "viewer", "token", "credentials"];

const GATES: &[&str] = &[
    "verify",
    "require",
    "guard",
    "permission",
    "permissions",
    "redirect",
    "ensure",
    "assert",
    "check",
    "validate",
    "protect",
    "authorize",
    "authenticate",
    "limit",
    "ratelimit",
    "must",
    "access",
    "allowed",
    "login",
    "logout",
    "csrf",
];

/// Verbs of what does more than read.
const VERBS: &[&str] = &[
    "acquire",
    "add",
    "animate",
    "append",
    "apply",
    "build",
    "cancel",
    "charge",
    "claim",
    "clear",
    "click",
    "close",
    "consume",
    "destroy",
    "dispatch",
    "emit",
    "enqueue",
    "exec",
    "execute",
    "flush",
    "import",
    "increment",
    "init",
    "initialize",
    "install",
    "invalidate",
    "log",
    "mark",
    "merge",
    "mutate",
    "navigate",
    "notify",
    "open",
    "patch",
    "pay",
    "pop",
    "post",
    "prompt",
    "publish",
    "push",
    "put",
    "redeem",
    "refetch",
    "refresh",
    "register",
    "release",
    "reserve",
    "reset",
    "retry",
    "run",
    "seed",
    "set",
    "shift",
    "sign",
    "start",
    "stop",
    "store",
    "submit",
    "subscribe",
    "sync",
    "track",
    "upload",
    "upsert",
];

/// Parts of names of calls that speak of order, or of one thing that all calls share.
const SHARED: &[&str] = &[
    "atomic",
    "cursor",
    "iterator",
    "module",
    "mutex",
    "next",
    "plugin",
    "queue",
    "reader",
    "script",
    "stream",
    "style",
    "transaction",
    "trx",
];

/// Objects whose methods are called one after the other.
const RECEIVERS: &[&str] = &[
    "browser",
    "conn",
    "connection",
    "cursor",
    "cy",
    "driver",
    "inquirer",
    "iterator",
    "locator",
    "mutex",
    "page",
    "prompts",
    "queue",
    "reader",
    "rl",
    "screen",
    "stream",
    "transaction",
    "trx",
];

/// Calls that give something that is there already, or nearly.
const CHEAP: &[&str] = &[
    "arrayBuffer",
    "blob",
    "connection",
    "cookies",
    "draftMode",
    "formData",
    "getClient",
    "getConnection",
    "getDatabase",
    "getDb",
    "getFormatter",
    "getI18n",
    "getInstance",
    "getItem",
    "getLocale",
    "getMessages",
    "getNow",
    "getPayload",
    "getQueryClient",
    "getRequestConfig",
    "getTimeZone",
    "getTranslation",
    "getTranslations",
    "getTranslator",
    "headers",
    "json",
    "nextTick",
    "setRequestLocale",
    "text",
    "tick",
];

/// Parts of names of calls that do not take long.
const FAST: &[&str] =
    &["translate", "translation", "translations", "translator", "locale", "i18n", "hash", "digest"];

/// `readUserById` is `read user by id`.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last_lower = false;
    let mut is_open = false;
    for character in name.chars() {
        let is_part = character.is_alphanumeric();
        if is_part && (!is_open || (character.is_uppercase() && last_lower)) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| is_part) {
            word.extend(character.to_lowercase());
        }
        is_open = is_part;
        last_lower = character.is_lowercase() || character.is_numeric();
    }
    words
}

/// The names in `a.b().c()`, the last first; with each, whether it is called.
pub fn chain<'a>(expression: &'a Expression<'a>) -> Vec<(&'a str, bool)> {
    let mut names = Vec::new();
    let mut current = expression;
    let mut called = false;
    loop {
        match current.get_inner_expression() {
            Expression::CallExpression(call) => {
                called = true;
                current = &call.callee;
            }
            Expression::AwaitExpression(it) => current = &it.argument,
            Expression::ChainExpression(it) => match &it.expression {
                ChainElement::CallExpression(call) => {
                    called = true;
                    current = &call.callee;
                }
                ChainElement::StaticMemberExpression(member) => {
                    names.push((member.property.name.as_str(), called));
                    called = false;
                    current = &member.object;
                }
                _ => break,
            },
            Expression::StaticMemberExpression(member) => {
                names.push((member.property.name.as_str(), called));
                called = false;
                current = &member.object;
            }
            Expression::ComputedMemberExpression(member) => current = &member.object,
            Expression::Identifier(name) => {
                names.push((name.name.as_str(), called));
                break;
            }
            Expression::ThisExpression(_) => {
                names.push(("this", false));
                break;
            }
            _ => break,
        }
    }
    names
}

/// The name of what is called, without what is done with its promise.
pub fn called_name<'a>(expression: &'a Expression<'a>) -> Option<&'a str> {
    let mut names = chain(expression).into_iter().filter(|(_, called)| *called);
    names.find(|(name, _)| !is_promise_method(name)).map(|(name, _)| name)
}

fn is_promise_method(name: &str) -> bool {
    ["then", "catch", "finally"].contains(&name)
}

/// What an awaited expression is.
pub fn sort<'a>(cx: &Cx<'_, 'a>, awaited: &'a Expression<'a>) -> Sort {
    if let Some(call) = promise_all(cx.module, awaited) {
        return sort_of_all(cx, call);
    }
    let names = chain(awaited);
    let is_call = match awaited.get_inner_expression() {
        Expression::CallExpression(_) => true,
        Expression::ChainExpression(it) => matches!(it.expression, ChainElement::CallExpression(_)),
        _ => false,
    };
    let Some(last) = called_name(awaited).filter(|_| is_call) else { return Sort::Cheap };
    if CHEAP.contains(&last) && !of_awaited(awaited) {
        return Sort::Cheap;
    }
    let own = words(last);
    if own.iter().any(|word| FAST.contains(&word.as_str())) || takes_props(awaited) {
        return Sort::Cheap;
    }
    // One action of the server after the other is how they are sent; what makes a client may do anything.
    if own.iter().any(|word| word == "action" || word == "client") {
        return Sort::Other;
    }
    let mut all: Vec<String> = names.iter().flat_map(|(name, _)| words(name)).collect();
    all.extend(address(awaited).map(words).unwrap_or_default());
    let has = |list: &[&str]| all.iter().any(|word| list.contains(&word.as_str()));
    if has(GATES) {
        return Sort::Gate;
    }
    if has(IDENTITY) || all.iter().any(|it| it.starts_with("session")) || is_me(&all) {
        return Sort::Identity;
    }
    if is_effect(&names) || all.iter().any(|it| is_guarding(it)) || sends(awaited) {
        return Sort::Other;
    }
    let first = |name: &str| words(name).into_iter().next().unwrap_or_default();
    let verbs: Vec<String> =
        names.iter().filter(|(_, called)| *called).map(|(name, _)| first(name)).collect();
    if verbs.iter().any(|it| it == "prefetch" || it == "preload") {
        return Sort::Prefetch;
    }
    // A reader that is asked again gives the next piece.
    let is_reading = verbs.iter().any(|it| READS.contains(&it.as_str())) && last != "read";
    if is_reading || cx.is_readonly_async(awaited) { Sort::Read } else { Sort::Other }
}

/// Does a name of what is awaited speak of an effect?
pub fn has_effect<'a>(awaited: &'a Expression<'a>) -> bool {
    const WRITES: &[&str] =
        &["create", "delete", "generate", "insert", "remove", "save", "send", "update", "write"];
    let names = chain(awaited);
    let called = names.iter().filter(|(_, called)| *called);
    let mut verbs = called.filter_map(|(name, _)| words(name).into_iter().next());
    verbs.any(|it| WRITES.contains(&it.as_str())) || is_effect(&names) || sends(awaited)
}

/// Does a name in the chain speak of an effect, or of order? `post` is a verb in `postRow` and none in `getPost`.
fn is_effect(names: &[(&str, bool)]) -> bool {
    names.iter().any(|(name, called)| {
        if !called {
            return RECEIVERS.contains(name);
        }
        let words = words(name);
        let joins = |at: usize| at == 0 || ["and", "or"].contains(&words[at - 1].as_str());
        words.iter().enumerate().any(|(at, word)| {
            SHARED.contains(&word.as_str()) || joins(at) && VERBS.contains(&word.as_str())
        })
    })
}

fn is_me(words: &[String]) -> bool {
    let has = |word: &str| words.iter().any(|it| it == word);
    has("user") && (has("current") || has("logged")) || has("me")
}

/// A part of a name that speaks of writing or order.
fn is_guarding(word: &str) -> bool {
    AUTH_NAMES.iter().any(|it| word == *it || (it.len() > 4 && word.starts_with(it)))
}

/// `(await fetch(u)).json()`
fn of_awaited(awaited: &Expression<'_>) -> bool {
    let Expression::CallExpression(call) = awaited.get_inner_expression() else { return false };
    call.callee.get_inner_expression().as_member_expression().is_some_and(|member| {
        matches!(member.object().get_inner_expression(), Expression::AwaitExpression(_))
    })
}

/// The address that is asked: `/api/login` of `fetch('/api/login')`; of a template, what stands before the first value.
fn address<'a>(awaited: &'a Expression<'a>) -> Option<&'a str> {
    let mut current = awaited.get_inner_expression();
    loop {
        current = match current {
            Expression::CallExpression(call) => {
                let text = match call.arguments.first().and_then(|it| it.as_expression()) {
                    Some(Expression::StringLiteral(text)) => Some(text.value.as_str()),
                    Some(Expression::TemplateLiteral(template)) => {
                        template.quasis.first().map(|it| it.value.raw.as_str())
                    }
                    _ => None,
                };
                if let Some(text) = text.filter(|it| it.starts_with('/') || it.starts_with("http"))
                {
                    return Some(text);
                }
                call.callee.get_inner_expression()
            }
            Expression::AwaitExpression(it) => it.argument.get_inner_expression(),
            other => other.as_member_expression()?.object().get_inner_expression(),
        };
    }
}

/// Some call in the chain is given a body, a method other than the reading ones, or a transaction to be part of.
fn sends<'a>(expression: &'a Expression<'a>) -> bool {
    let mut current = expression.get_inner_expression();
    loop {
        current = match current {
            Expression::CallExpression(call) => {
                if call.arguments.iter().any(is_sending) {
                    return true;
                }
                call.callee.get_inner_expression()
            }
            Expression::AwaitExpression(it) => it.argument.get_inner_expression(),
            other => match other.as_member_expression() {
                Some(member) => member.object().get_inner_expression(),
                None => return false,
            },
        };
    }
}

fn is_sending(argument: &Argument<'_>) -> bool {
    let Some(Expression::ObjectExpression(object)) =
        argument.as_expression().map(Expression::get_inner_expression)
    else {
        return false;
    };
    object.properties.iter().any(|property| match property {
        ObjectPropertyKind::SpreadProperty(_) => false,
        ObjectPropertyKind::ObjectProperty(it) if it.key.is_specific_static_name("method") => {
            !matches!(&it.value, Expression::StringLiteral(text)
                if ["GET", "HEAD", "get", "head"].contains(&text.value.as_str()))
        }
        ObjectPropertyKind::ObjectProperty(it) => ["body", "transaction", "tx", "trx", "lock"]
            .iter()
            .any(|name| it.key.is_specific_static_name(name)),
    })
}

/// `Promise.all(…)`
pub fn promise_all<'a>(
    module: &Module<'a>,
    awaited: &'a Expression<'a>,
) -> Option<&'a CallExpression<'a>> {
    let Expression::CallExpression(call) = awaited.get_inner_expression() else { return None };
    let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else {
        return None;
    };
    let is_all = member.property.name == "all" && module.is_global_named(&member.object, "Promise");
    (is_all && call.arguments.len() == 1).then_some(&**call)
}

/// The elements of `Promise.all([a, b])`, where all are written down.
pub fn elements<'a>(call: &'a CallExpression<'a>) -> Option<Vec<&'a Expression<'a>>> {
    let Some(Expression::ArrayExpression(array)) =
        call.arguments.first()?.as_expression().map(Expression::get_inner_expression)
    else {
        return None;
    };
    let each = array.elements.iter().map(|it| match it {
        ArrayExpressionElement::SpreadElement(_) | ArrayExpressionElement::Elision(_) => None,
        other => other.as_expression(),
    });
    each.collect()
}

/// `xs` and the function of `xs.map(f)`, in `Promise.all(xs.map(f))`.
pub fn mapping<'a>(call: &'a CallExpression<'a>) -> Option<(&'a Expression<'a>, Func<'a>)> {
    let Expression::CallExpression(map) =
        call.arguments.first()?.as_expression()?.get_inner_expression()
    else {
        return None;
    };
    let Expression::StaticMemberExpression(member) = map.callee.get_inner_expression() else {
        return None;
    };
    let [callback] = &map.arguments[..] else { return None };
    let func = Func::of_expression(callback.as_expression()?)?;
    (member.property.name == "map").then_some((&member.object, func))
}

fn sort_of_all<'a>(cx: &Cx<'_, 'a>, call: &'a CallExpression<'a>) -> Sort {
    let sorts: Vec<Sort> = if let Some(elements) = elements(call) {
        elements.iter().map(|it| sort(cx, it)).collect()
    } else if let Some((_, func)) = mapping(call) {
        let Some(value) = func.returned() else { return Sort::Other };
        let value = match value.get_inner_expression() {
            Expression::AwaitExpression(it) => &it.argument,
            _ => value,
        };
        vec![sort(cx, value)]
    } else {
        return Sort::Other;
    };
    let has = |sort: Sort| sorts.contains(&sort);
    if has(Sort::Gate) {
        Sort::Gate
    } else if has(Sort::Identity) {
        Sort::Identity
    } else if sorts.is_empty() || has(Sort::Other) || has(Sort::Prefetch) {
        Sort::Other
    } else if has(Sort::Read) {
        Sort::Read
    } else {
        Sort::Cheap
    }
}

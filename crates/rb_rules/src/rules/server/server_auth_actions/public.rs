//! Actions that are meant for everybody: by their names, by what they write to, by what they are handed, by a mark.

use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module};

use super::super::names::{has_word, words};

pub(super) fn is_public<'a>(module: &Module<'a>, name: &str, func: Func<'a>) -> bool {
    let own = module.function_view(func).and_then(|it| it.name);
    is_public_name(own.unwrap_or(name))
        || func.params().items.iter().any(|it| is_secret(module, it.pattern.span()))
        || is_marked(module, func)
}

/// Who knows a secret word may use it.
fn is_secret(module: &Module<'_>, pattern: Span) -> bool {
    const SECRETS: &[&str] =
        &["token", "code", "secret", "otp", "signature", "nonce", "password", "credentials"];
    has_word(module.slice(pattern), SECRETS)
}

const PUBLIC_NAMES: &[&str] = &[
    "login",
    "logout",
    "signin",
    "signup",
    "signout",
    "register",
    "newsletter",
    "subscribe",
    "unsubscribe",
    "contact",
    "feedback",
    "locale",
    "language",
    "lang",
    "theme",
    "password",
    "otp",
    "verify",
    "consent",
    "waitlist",
    "public",
    "guest",
    "anonymous",
    "cart",
    "rsvp",
    "webhook",
    "track",
    "view",
    "views",
    "seed",
    "authenticate",
    "onboarding",
    "visit",
    "visitor",
    "preference",
    "preferences",
    "demo",
    "like",
    "likes",
    "vote",
    "survey",
];

/// Actions that have to work for those who are not known yet, and those that concern nobody.
pub(super) fn is_public_name(name: &str) -> bool {
    let spoken = words(name);
    let pair =
        |first: &str, second: &str| spoken.windows(2).any(|it| it[0] == first && it[1] == second);
    spoken.iter().any(|word| PUBLIC_NAMES.contains(&word.as_str()))
        || ["in", "up", "out", "off"].iter().any(|it| pair("sign", it) || pair("log", it))
}

/// A model that strangers write to.
pub(super) fn is_meant_for_all(model: &str) -> bool {
    const PUBLIC: &[&str] = &[
        "newsletter",
        "subscriber",
        "subscribers",
        "contact",
        "feedback",
        "waitlist",
        "views",
        "pageview",
        "visit",
        "visits",
        "cart",
        "carts",
        "lead",
        "leads",
        "guestbook",
    ];
    has_word(model, PUBLIC)
}

/// `@public` in the comment right above the function.
fn is_marked<'a>(module: &Module<'a>, func: Func<'a>) -> bool {
    let Some(siblings) = module.siblings(func.node()) else { return false };
    let start = siblings.statement().span().start;
    let before = siblings.before().last().map_or(0, |it| it.span().end);
    module.comments().iter().any(|comment| {
        comment.span.start >= before
            && comment.span.end <= start
            && module.slice(comment.span).contains("@public")
    }) || func.body().is_some_and(|body| {
        let head = Span::new(
            body.span.start,
            body.statements.first().map_or(body.span.end, |it| it.span().start),
        );
        module
            .comments()
            .iter()
            .any(|it| head.contains_inclusive(it.span) && module.slice(it.span).contains("@public"))
    })
}

//! Routes of Django: `urlpatterns` of `path`, `re_path` and `include`. The view answers whatever methods it likes.

use super::{FileRoutes, Local, Mount};
use crate::syntax::{Parsed, Piece};

pub(super) fn read(parsed: &Parsed) -> FileRoutes {
    let mut found = FileRoutes::default();
    if !parsed.text.contains("urlpatterns") {
        return found;
    }
    for call in parsed.root().all().filter(|piece| piece.is("call")) {
        let function = call.field_text("function").rsplit('.').next().unwrap_or_default();
        if !matches!(function, "path" | "re_path" | "url") || is_nested(call) {
            continue;
        }
        let arguments = call.arguments();
        let (Some(path), Some(view)) =
            (arguments.first().and_then(|it| it.literal()), arguments.get(1))
        else {
            continue;
        };
        let path = if function == "path" { path.to_owned() } else { plain(path) };
        let is_include = view.field_text("function").rsplit('.').next() == Some("include");
        match view.arguments().first() {
            Some(target) if is_include => found.mounts.push(Mount {
                on: "urlpatterns".to_owned(),
                prefix: path,
                router: included(*target).to_owned(),
            }),
            _ => found.routes.push(Local {
                router: "urlpatterns".to_owned(),
                method: "ANY".to_owned(),
                path,
                framework: "django",
                handler: view.text().lines().next().unwrap_or_default().to_owned(),
                line: call.line(),
            }),
        }
    }
    found
}

/// `include('shop.urls')` names a module, `include(router.urls)` a variable.
fn included(target: Piece<'_>) -> &str {
    let variable = || target.text().strip_suffix(".urls").unwrap_or(target.text());
    target.literal().unwrap_or_else(variable)
}

/// A list that is handed to `include` in place is not followed.
fn is_nested(call: Piece<'_>) -> bool {
    call.around(&["call", "function_definition"]).is_some_and(|it| {
        it.is("function_definition") || it.field_text("function") != "i18n_patterns"
    })
}

/// A pattern with its groups as parameters: `^users/(?P<id>\d+)/$`.
fn plain(pattern: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    for c in pattern.trim_start_matches('^').trim_end_matches('$').chars() {
        match c {
            '(' => {
                if depth == 0 {
                    out.push_str("{}");
                }
                depth += 1;
            }
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

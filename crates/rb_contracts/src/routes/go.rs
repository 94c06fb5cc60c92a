//! Routes of Go: `net/http` (with the methods of its patterns), gin, echo, chi and their groups.

use super::{FileRoutes, Local, Mount};
use crate::syntax::{Parsed, Piece};

const METHODS: &[&str] = &["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "ANY"];

pub(super) fn read(parsed: &Parsed) -> FileRoutes {
    let mut found = FileRoutes::default();
    for call in parsed.root().all().filter(|piece| piece.is("call_expression")) {
        let Some(function) = call.field("function").filter(|it| it.is("selector_expression"))
        else {
            continue;
        };
        let (router, verb) = (function.field_text("operand"), function.field_text("field"));
        let arguments = call.arguments();
        let Some(pattern) = arguments.first().and_then(|it| it.literal()) else { continue };
        match verb {
            "HandleFunc" | "Handle" if arguments.len() == 2 => {
                let (method, path) = pattern.split_once(' ').unwrap_or(("ANY", pattern));
                let path = path.find('/').map_or("", |at| &path[at..]);
                if !path.is_empty() {
                    let method = methods_of_chain(call).unwrap_or_else(|| method.to_owned());
                    found.routes.push(local(router, &method, path, "net/http", &arguments, call));
                }
            }
            "Group" => group(call, router, pattern, &mut found),
            "Route" | "Mount" if arguments.len() == 2 => {
                chi(router, pattern, arguments[1], &mut found);
            }
            _ => {
                let method = verb.to_uppercase();
                // A group may answer at its own path; `cfg.Get("")` is something else.
                let is_route = pattern.starts_with('/') || (pattern.is_empty() && verb == method);
                if METHODS.contains(&method.as_str())
                    && arguments.len() >= 2
                    && is_route
                    && !is_request(router)
                {
                    found.routes.push(local(router, &method, pattern, "router", &arguments, call));
                }
            }
        }
    }
    found
}

/// `http.Get(url)` and clients ask; they do not answer.
fn is_request(router: &str) -> bool {
    let last = router.rsplit('.').next().unwrap_or_default().to_lowercase();
    last == "http"
        || last.ends_with("client")
        || last.ends_with("header")
        || last.ends_with("cache")
}

fn local(
    router: &str,
    method: &str,
    path: &str,
    framework: &'static str,
    arguments: &[Piece<'_>],
    call: Piece<'_>,
) -> Local {
    let handler = arguments.last().map_or("", |it| it.text()).lines().next().unwrap_or_default();
    Local {
        router: router.to_owned(),
        method: method.to_owned(),
        path: path.to_owned(),
        framework,
        handler: handler.to_owned(),
        line: call.line(),
    }
}

/// `r.HandleFunc("/x", f).Methods("GET")` of gorilla/mux.
fn methods_of_chain(call: Piece<'_>) -> Option<String> {
    let chained = call.parent()?.parent().filter(|it| it.is("call_expression"))?;
    let is_methods = chained.field("function")?.field_text("field") == "Methods";
    is_methods.then(|| chained.arguments().first()?.literal().map(str::to_owned))?
}

/// `api := r.Group("/api")`
fn group(call: Piece<'_>, on: &str, prefix: &str, found: &mut FileRoutes) {
    let holder = call.around(&["short_var_declaration", "assignment_statement", "call_expression"]);
    if let Some(holder) = holder.filter(|it| !it.is("call_expression")) {
        let router = holder.field_text("left").to_owned();
        found.mounts.push(Mount { on: on.to_owned(), prefix: prefix.to_owned(), router });
    }
}

/// `r.Route("/x", func(r chi.Router) { … })` has its routes in place; `r.Mount("/x", routes())` elsewhere.
fn chi(on: &str, prefix: &str, target: Piece<'_>, found: &mut FileRoutes) {
    if target.is("func_literal") {
        let inner = target.field("parameters").and_then(|it| it.children().first().copied());
        let name = inner.map_or("", |it| it.field_text("name"));
        if name != on {
            found.mounts.push(Mount {
                on: on.to_owned(),
                prefix: prefix.to_owned(),
                router: name.to_owned(),
            });
        }
    } else {
        let router = target.field("function").unwrap_or(target).text().to_owned();
        found.mounts.push(Mount { on: on.to_owned(), prefix: prefix.to_owned(), router });
    }
}

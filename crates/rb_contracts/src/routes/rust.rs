//! Routes of axum (`.route("/x", get(a).post(b))`, `.nest("/api", router)`) and the attributes of actix and Rocket.

use super::{FileRoutes, Local, Mount};
use crate::syntax::{Parsed, Piece};

const METHODS: &[&str] =
    &["get", "post", "put", "delete", "patch", "head", "options", "any", "trace"];

pub(super) fn read(parsed: &Parsed) -> FileRoutes {
    let mut found = FileRoutes::default();
    for piece in parsed.root().all() {
        match piece.kind() {
            "call_expression" => call(piece, &mut found),
            "attribute_item" => attribute(piece, &mut found),
            _ => {}
        }
    }
    found
}

/// A router is known by the function that makes it, or by the variable that holds it.
fn router_of(call: Piece<'_>) -> String {
    let holder = call.around(&["let_declaration", "function_item"]);
    match holder {
        Some(holder) if holder.is("let_declaration") => {
            holder.field_text("pattern").trim_start_matches("mut ").to_owned()
        }
        Some(holder) => holder.field_text("name").to_owned(),
        None => String::new(),
    }
}

fn call(call: Piece<'_>, found: &mut FileRoutes) {
    let Some(function) = call.field("function").filter(|it| it.is("field_expression")) else {
        return;
    };
    let arguments = call.arguments();
    let (Some(path), Some(target)) =
        (arguments.first().and_then(|it| it.literal()), arguments.get(1))
    else {
        return;
    };
    match function.field_text("field") {
        "route" if path.starts_with('/') => {
            for (method, handler, line) in methods(*target) {
                let (router, path) = (router_of(call), path.to_owned());
                found.routes.push(Local { router, method, path, framework: "axum", handler, line });
            }
        }
        "nest" => {
            // `api_routes()`, `users::router(state)` or a variable.
            let name = target.field("function").unwrap_or(*target).text();
            let name = name.replace("::", ".");
            let router = name.strip_prefix("self.").unwrap_or(&name).to_owned();
            found.mounts.push(Mount { on: router_of(call), prefix: path.to_owned(), router });
        }
        _ => {}
    }
}

/// `get(list).post(create)`, from its end.
fn methods(mut target: Piece<'_>) -> Vec<(String, String, u32)> {
    let mut out = Vec::new();
    while target.is("call_expression") {
        let Some(function) = target.field("function") else { break };
        let is_chained = function.is("field_expression");
        let name = if is_chained {
            function.field_text("field")
        } else {
            function.text().rsplit("::").next().unwrap_or_default()
        };
        if METHODS.contains(&name) {
            let handler = target.arguments().first().map_or("", |it| it.text());
            let handler = handler.lines().next().unwrap_or_default().to_owned();
            out.push((name.to_owned(), handler, target.line()));
        }
        match function.field("value").filter(|_| is_chained) {
            Some(next) => target = next,
            None => break,
        }
    }
    out
}

/// `#[get("/x")]` above a function.
fn attribute(piece: Piece<'_>, found: &mut FileRoutes) {
    let Some(attribute) = piece.child("attribute") else { return };
    let name = attribute
        .children()
        .first()
        .map_or("", |it| it.text())
        .rsplit("::")
        .next()
        .unwrap_or_default();
    let tokens = attribute.field("arguments").map(Piece::children).unwrap_or_default();
    let path = tokens.iter().find_map(|it| it.literal());
    let Some(path) = path.filter(|path| METHODS.contains(&name) && path.starts_with('/')) else {
        return;
    };
    // Rocket writes `/x?<query>` and `data = "<form>"`.
    let path = path.split('?').next().unwrap_or_default().to_owned();
    let (method, line) = (name.to_owned(), piece.line());
    found.routes.push(Local {
        router: String::new(),
        method,
        path,
        framework: "attributes",
        handler: String::new(),
        line,
    });
}

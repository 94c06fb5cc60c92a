//! Routes of Flask and `FastAPI`: decorators on functions, blueprints and routers with their prefixes.

use std::collections::BTreeMap;

use super::mounts::AS_MOUNTED;
use super::{FileRoutes, Local, Mount};
use crate::syntax::{Parsed, Piece};

const METHODS: &[&str] = &["get", "post", "put", "delete", "patch", "head", "options"];
/// How a router comes to be, the keyword of its own prefix, and the framework.
const MAKERS: &[(&str, &str, &str)] = &[
    ("Flask", "", "flask"),
    ("Blueprint", "url_prefix", "flask"),
    ("FastAPI", "", "fastapi"),
    ("APIRouter", "prefix", "fastapi"),
    ("Quart", "", "flask"),
];

pub(super) fn read(parsed: &Parsed) -> FileRoutes {
    let mut found = FileRoutes::default();
    let mut routers: BTreeMap<&str, &'static str> = BTreeMap::new();
    for piece in parsed.root().all().filter(|piece| piece.is("assignment")) {
        let (Some(left), Some(call)) =
            (piece.field("left"), piece.field("right").filter(|it| it.is("call")))
        else {
            continue;
        };
        let maker = call.field_text("function").rsplit('.').next().unwrap_or_default();
        let Some((_, prefix, framework)) = MAKERS.iter().find(|it| it.0 == maker) else { continue };
        routers.insert(left.text(), framework);
        if let Some(prefix) = keyword(call, prefix).and_then(Piece::literal) {
            // Its own prefix, below whatever it is mounted under.
            let (on, router) = (format!("{}{AS_MOUNTED}", left.text()), left.text().to_owned());
            found.mounts.push(Mount { on, prefix: prefix.to_owned(), router });
        }
    }
    for piece in parsed.root().all() {
        match piece.kind() {
            "decorator" => decorator(piece, &routers, &mut found),
            "call" => mount(piece, &mut found),
            _ => {}
        }
    }
    found
}

fn decorator(piece: Piece<'_>, routers: &BTreeMap<&str, &'static str>, found: &mut FileRoutes) {
    let Some(call) = piece.children().first().copied().filter(|it| it.is("call")) else { return };
    let Some(function) = call.field("function").filter(|it| it.is("attribute")) else { return };
    let (router, verb) = (function.field_text("object"), function.field_text("attribute"));
    let arguments = call.arguments();
    let path = arguments
        .first()
        .and_then(|it| it.literal())
        .or_else(|| ["path", "rule"].iter().find_map(|it| keyword(call, it)?.literal()));
    let Some(path) = path else { return };
    let is_verb = METHODS.contains(&verb);
    if !(is_verb || matches!(verb, "route" | "api_route" | "websocket"))
        || !path.starts_with('/') && !path.is_empty()
    {
        return;
    }
    // A router that is imported is known by the way it is used.
    let framework =
        routers.get(router).copied().unwrap_or(if verb == "route" { "flask" } else { "fastapi" });
    let listed = keyword(call, "methods").map(Piece::children).unwrap_or_default();
    let mut methods: Vec<&str> = listed.iter().filter_map(|it| it.literal()).collect();
    if is_verb {
        methods = vec![verb];
    } else if methods.is_empty() {
        methods = vec![if verb == "websocket" { "WEBSOCKET" } else { "GET" }];
    }
    let handler =
        piece.parent().and_then(|it| it.field("definition")).map_or("", |it| it.field_text("name"));
    found.routes.extend(methods.into_iter().map(|method| Local {
        router: router.to_owned(),
        method: method.to_owned(),
        path: path.to_owned(),
        framework,
        handler: handler.to_owned(),
        line: piece.line(),
    }));
}

/// `app.register_blueprint(bp, url_prefix='/x')`, `app.include_router(router, prefix='/x')`.
fn mount(call: Piece<'_>, found: &mut FileRoutes) {
    let Some(function) = call.field("function").filter(|it| it.is("attribute")) else { return };
    let key = match function.field_text("attribute") {
        "register_blueprint" => "url_prefix",
        "include_router" => "prefix",
        _ => return,
    };
    let Some(router) = call.arguments().first().copied() else { return };
    let prefix = keyword(call, key).and_then(Piece::literal);
    // A prefix that is given where a blueprint is registered takes the place of its own.
    let replaces = key == "url_prefix" && prefix.is_some();
    let name =
        if replaces { router.text().to_owned() } else { format!("{}{AS_MOUNTED}", router.text()) };
    let (on, prefix) =
        (function.field_text("object").to_owned(), prefix.unwrap_or_default().to_owned());
    found.mounts.push(Mount { on, prefix, router: name });
}

/// The value of a keyword argument.
pub(crate) fn keyword<'t>(call: Piece<'t>, name: &str) -> Option<Piece<'t>> {
    let arguments = call.arguments().into_iter().filter(|it| it.is("keyword_argument"));
    arguments.filter(|it| it.field_text("name") == name).find_map(|it| it.field("value"))
}

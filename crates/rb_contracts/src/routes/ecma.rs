//! Routes of Express, Koa's router, Fastify and Hono: `app.get('/x', …)`, `router.route('/x').post(…)`, `app.use('/api', router)`.

use std::collections::BTreeMap;

use super::{FileRoutes, Local, Mount};
use crate::syntax::{Parsed, Piece};

const METHODS: &[&str] = &["get", "post", "put", "delete", "patch", "head", "options", "all"];

/// How a router comes to be, and what it is then called.
const MAKERS: &[(&str, &str)] = &[
    ("express", "express"),
    ("express.Router", "express"),
    ("Router", "express"),
    ("router", "express"),
    ("Hono", "hono"),
    ("OpenAPIHono", "hono"),
    ("fastify", "fastify"),
    ("Fastify", "fastify"),
    ("KoaRouter", "koa"),
    ("createRouter", "router"),
];
/// What a router is called where it is handed in.
const PARAMETERS: &[(&str, &str)] =
    &[("app", "express"), ("router", "express"), ("fastify", "fastify"), ("server", "fastify")];

pub(super) fn read(parsed: &Parsed) -> FileRoutes {
    let routers = routers(parsed);
    let mut found = FileRoutes::default();
    if routers.is_empty() {
        return found;
    }
    for call in parsed.root().all().filter(|piece| piece.is("call_expression")) {
        let Some(member) = call.field("function").filter(|it| it.is("member_expression")) else {
            continue;
        };
        let (Some(object), property) = (member.field("object"), member.field_text("property"))
        else {
            continue;
        };
        let Some((router, chained)) = receiver(object) else { continue };
        let Some(framework) = routers.get(router) else { continue };
        match property {
            "use" | "register" | "mount" => mount(call, router, &mut found),
            // Hono mounts by `route`, Express opens a path by it, Fastify takes an object.
            "route" => route_call(call, router, framework, &mut found),
            "on" if *framework == "hono" => on(call, router, &mut found),
            "basePath" => {}
            method if METHODS.contains(&method) => {
                let path = chained.or_else(|| call.arguments().first().and_then(|it| it.literal()));
                if let Some(path) = path.filter(|path| is_route(call, path, chained)) {
                    found.routes.push(local(router, method, path, framework, call));
                }
            }
            _ => {}
        }
    }
    found
}

/// `app.get('setting')` asks Express for a setting; a route has a handler.
fn is_route(call: Piece<'_>, path: &str, chained: Option<&str>) -> bool {
    let arguments = call.arguments().len();
    (chained.is_some() && arguments >= 1)
        || (arguments >= 2 && (path.starts_with(['/', '*']) || path.is_empty()))
}

fn local(
    router: &str,
    method: &str,
    path: &str,
    framework: &'static str,
    call: Piece<'_>,
) -> Local {
    let handler = call
        .arguments()
        .last()
        .filter(|it| matches!(it.kind(), "identifier" | "member_expression"))
        .map_or("", |it| it.text());
    let method = if method == "all" { "ANY" } else { method };
    let line =
        call.field("function").and_then(|it| it.field("property")).map_or(call.line(), Piece::line);
    Local {
        router: router.to_owned(),
        method: method.to_owned(),
        path: path.to_owned(),
        framework,
        handler: handler.to_owned(),
        line,
    }
}

/// The router behind a chain of calls, and the path that the chain opened: `router.route('/x').get(a)`.
fn receiver(mut object: Piece<'_>) -> Option<(&str, Option<&str>)> {
    let mut path = None;
    loop {
        match object.kind() {
            "identifier" => return Some((object.text(), path)),
            "member_expression" if object.field("object").is_some_and(|it| it.is("this")) => {
                return Some((object.text(), path));
            }
            "call_expression" => {
                let member = object.field("function").filter(|it| it.is("member_expression"))?;
                if member.field_text("property") == "route" && path.is_none() {
                    path = object.arguments().first().and_then(|it| it.literal());
                }
                object = member.field("object")?;
            }
            _ => return None,
        }
    }
}

fn routers(parsed: &Parsed) -> BTreeMap<&str, &'static str> {
    let mut out = BTreeMap::new();
    for piece in parsed.root().all() {
        match piece.kind() {
            "variable_declarator" | "assignment_expression" | "public_field_definition" => {
                let name = ["name", "left"].iter().find_map(|field| piece.field(field));
                let value = ["value", "right"].iter().find_map(|field| piece.field(field));
                if let (Some(name), Some(framework)) = (name, value.and_then(made_by)) {
                    out.insert(name.text(), framework);
                }
            }
            "formal_parameters" => {
                let first = piece.children().first().copied();
                let name = first.map(|it| it.field("pattern").unwrap_or(it).text());
                if let Some((name, framework)) =
                    name.and_then(|name| PARAMETERS.iter().find(|it| it.0 == name))
                {
                    out.entry(name).or_insert(framework);
                }
            }
            _ => {}
        }
    }
    out
}

fn made_by(mut value: Piece<'_>) -> Option<&'static str> {
    // `new Hono().basePath('/api').get(…)`
    loop {
        let callee = match value.kind() {
            "new_expression" => value.field("constructor")?,
            "call_expression" => value.field("function")?,
            "await_expression" | "parenthesized_expression" => {
                value = value.children().first().copied()?;
                continue;
            }
            _ => return None,
        };
        if let Some((_, framework)) = MAKERS.iter().find(|(maker, _)| *maker == callee.text()) {
            return Some(framework);
        }
        value = callee.field("object").filter(|_| callee.is("member_expression"))?;
    }
}

/// `app.use('/api', auth, router)`, `app.use(router)`, `fastify.register(routes, { prefix: '/api' })`.
fn mount(call: Piece<'_>, on: &str, found: &mut FileRoutes) {
    let arguments = call.arguments();
    let path = arguments.first().and_then(|it| it.literal());
    let option = arguments
        .last()
        .filter(|it| it.is("object"))
        .and_then(|object| property(*object, "prefix"));
    let prefix = path.or_else(|| option.and_then(Piece::literal)).unwrap_or_default();
    for argument in arguments {
        let mut target = argument;
        // `router.routes()` of Koa.
        while let Some(object) = target.field("function").and_then(|it| it.field("object")) {
            target = object;
        }
        let name =
            if target.is("call_expression") { required(target) } else { Some(target.text()) };
        if matches!(target.kind(), "identifier" | "member_expression" | "call_expression")
            && let Some(name) = name
        {
            found.mounts.push(Mount {
                on: on.to_owned(),
                prefix: prefix.to_owned(),
                router: name.to_owned(),
            });
        }
    }
}

/// `require('./routes')` right where it is mounted.
fn required(call: Piece<'_>) -> Option<&str> {
    (call.field_text("function") == "require")
        .then(|| call.arguments().first().copied())??
        .literal()
}

fn route_call(call: Piece<'_>, router: &str, framework: &'static str, found: &mut FileRoutes) {
    let arguments = call.arguments();
    match (arguments.first(), arguments.get(1)) {
        (Some(options), None) if options.is("object") => {
            let Some(path) =
                ["url", "path"].iter().find_map(|key| property(*options, key)?.literal())
            else {
                return;
            };
            let methods = property(*options, "method");
            let all: Vec<Piece<'_>> = methods
                .map(|it| if it.is("array") { it.children() } else { vec![it] })
                .unwrap_or_default();
            for method in all.iter().filter_map(|it| it.literal()) {
                found.routes.push(local(router, method, path, framework, call));
            }
        }
        (Some(path), Some(target)) => {
            if let Some(prefix) = path.literal() {
                found.mounts.push(Mount {
                    on: router.to_owned(),
                    prefix: prefix.to_owned(),
                    router: target.text().to_owned(),
                });
            }
        }
        _ => {}
    }
}

/// `app.on(['PUT', 'DELETE'], '/x', …)`
fn on(call: Piece<'_>, router: &str, found: &mut FileRoutes) {
    let arguments = call.arguments();
    let [methods, paths, _, ..] = &arguments[..] else { return };
    let all = |piece: &Piece<'_>| if piece.is("array") { piece.children().len() } else { 1 };
    let each = |piece: &Piece<'_>, at: usize| -> Option<String> {
        let one = if piece.is("array") { piece.children().get(at).copied()? } else { *piece };
        one.literal().map(str::to_owned)
    };
    for (method, path) in (0..all(methods)).flat_map(|m| (0..all(paths)).map(move |p| (m, p))) {
        if let (Some(method), Some(path)) = (each(methods, method), each(paths, path)) {
            found.routes.push(local(router, &method, &path, "hono", call));
        }
    }
}

/// The value of a property of an object that is written out.
pub(super) fn property<'t>(object: Piece<'t>, name: &str) -> Option<Piece<'t>> {
    let pairs = object.children().into_iter().filter(|it| it.is("pair"));
    pairs
        .filter(|it| it.field_text("key").trim_matches(['\'', '"']) == name)
        .find_map(|it| it.field("value"))
}

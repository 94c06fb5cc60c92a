//! Routes of Next.js, which are files: `pages/api/x.ts`, `app/x/route.ts` with its exported methods, and pages.

use rb_lang::Language;

use super::path::normal;
use crate::error::ContractError;
use crate::model::Route;
use crate::sources::{Sources, below, join};

const METHODS: &[&str] = &["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];

pub(super) fn read(sources: &Sources<'_>) -> Result<Vec<Route>, ContractError> {
    let mut out = Vec::new();
    for (_, folder, text) in sources.manifests("package.json") {
        if !text.contains("\"next\"") || !depends_on_next(text) {
            continue;
        }
        for (id, path, language) in sources.files() {
            let is_ecma = matches!(
                language,
                Some(Language::JavaScript | Language::TypeScript | Language::Tsx)
            );
            let Some(inner) = below(path, folder).filter(|_| is_ecma) else { continue };
            let inner = inner.strip_prefix("src/").unwrap_or(inner);
            let Some(found) = route_of(inner) else { continue };
            let methods: Vec<String> = if found.is_handler {
                let exports = sources.facts(id)?.exports;
                exports
                    .iter()
                    .map(|it| it.name.to_string())
                    .filter(|it| METHODS.contains(&it.as_str()))
                    .collect()
            } else {
                vec![if found.is_page { "GET" } else { "ANY" }.to_owned()]
            };
            out.extend(methods.into_iter().map(|method| Route {
                handler: method.clone(),
                method,
                path: found.path.clone(),
                framework: "next".to_owned(),
                file: join("", path),
                line: 1,
            }));
        }
    }
    Ok(out)
}

fn depends_on_next(text: &str) -> bool {
    let json: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    ["dependencies", "devDependencies"]
        .iter()
        .any(|key| json.get(key).is_some_and(|it| it.get("next").is_some()))
}

struct NextRoute {
    path: String,
    /// Its exported functions are the methods.
    is_handler: bool,
    is_page: bool,
}

fn route_of(inner: &str) -> Option<NextRoute> {
    let bare = inner.rsplit_once('.')?.0;
    if let Some(rest) = bare.strip_prefix("pages/") {
        let name = rest.rsplit('/').next()?;
        if name.starts_with('_') && !rest.starts_with("api/") || name.contains('.') {
            return None;
        }
        let path = rest
            .strip_suffix("index")
            .filter(|it| it.is_empty() || it.ends_with('/'))
            .unwrap_or(rest);
        return Some(NextRoute {
            path: normal(path),
            is_handler: false,
            is_page: !rest.starts_with("api/"),
        });
    }
    let rest = bare.strip_prefix("app/")?;
    let (folder, name) = rest.rsplit_once('/').unwrap_or(("", rest));
    let parts = folder.split('/').filter(|part| !part.starts_with(['(', '@', '_']));
    let path = normal(&parts.collect::<Vec<_>>().join("/"));
    match name {
        "route" => Some(NextRoute { path, is_handler: true, is_page: false }),
        "page" => Some(NextRoute { path, is_handler: false, is_page: true }),
        _ => None,
    }
}

//! Files whose path means something to a framework or a tool: another path is another program.

/// Names of the files of a route of Next.js.
const SPECIAL: &[&str] = &[
    "default",
    "error",
    "global-error",
    "layout",
    "loading",
    "not-found",
    "page",
    "route",
    "template",
];

/// What a path means, and what must stay the same for it to go on meaning that.
pub(crate) struct PathMeaning {
    /// "a page of Next.js".
    pub(crate) what: &'static str,
    /// Two paths with the same key mean the same.
    pub(crate) key: String,
}

/// `None` for a path that is only there to be imported. `paths` are all files of the project.
pub(crate) fn meaning(path: &str, paths: &[String]) -> Option<PathMeaning> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let of = |what, key: &str| Some(PathMeaning { what, key: key.to_owned() });
    if name.contains(".config.") || name.starts_with('.') {
        return of("a configuration file", path);
    }
    if crate::project::is_declaration_file(path) {
        return of("a declaration file", path);
    }
    if is_test(path) {
        return of("a test file", "test");
    }
    if matches!(stem, "jsx-runtime" | "jsx-dev-runtime") {
        return of("what compilers import for JSX", path);
    }
    if name.contains(".stories.") {
        return of("a story file", "story");
    }
    let parts: Vec<&str> = folder.split('/').collect();
    let root = |folder: &str| {
        let at = parts.iter().position(|it| *it == folder)?;
        Some(parts[..at].join("/"))
    };
    let has_next =
        |folder: &str| root(folder).is_some_and(|root| has_config(&root, "next.config.", paths));
    if (parts.contains(&"app") && SPECIAL.contains(&stem)) && has_next("app") {
        return of("a file of a route of Next.js", path);
    }
    if parts.contains(&"pages") && has_next("pages") {
        return of("a page of Next.js", path);
    }
    if matches!(stem, "middleware" | "instrumentation" | "proxy")
        && has_config(
            folder.strip_suffix("src").unwrap_or(folder).trim_end_matches('/'),
            "next.config.",
            paths,
        )
    {
        return of("a file that Next.js looks for", path);
    }
    if name.starts_with('+') {
        return of("a file of a route of SvelteKit", path);
    }
    if parts.contains(&"routes") && root("routes").is_some_and(|it| is_file_router(&it, paths)) {
        return of("a file of a route", path);
    }
    None
}

fn has_config(folder: &str, start: &str, paths: &[String]) -> bool {
    let folder = folder.strip_suffix("src").unwrap_or(folder).trim_end_matches('/');
    let prefix = if folder.is_empty() { start.to_owned() } else { format!("{folder}/{start}") };
    paths.iter().any(|it| it.starts_with(&prefix))
}

/// Remix, React Router and `TanStack` make routes from file names below `routes`.
fn is_file_router(folder: &str, paths: &[String]) -> bool {
    let names = ["remix.config.", "react-router.config.", "routeTree.gen.", "app.config."];
    let around = folder.rsplit_once('/').map_or("", |(around, _)| around);
    let is_beside = |name: &str| paths.iter().any(|it| it.starts_with(&format!("{folder}/{name}")));
    names.iter().any(|name| {
        has_config(folder, name, paths) || has_config(around, name, paths) || is_beside(name)
    })
}

pub(crate) fn is_test(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    [".test.", ".spec.", ".e2e.", ".cy."].iter().any(|it| name.contains(it))
        || folder.split('/').any(|it| matches!(it, "__tests__" | "__mocks__"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st2_paths_that_mean_something() {
        let paths = ["web/next.config.ts".to_owned(), "site/routeTree.gen.ts".to_owned()];
        let what = |path: &str| meaning(path, &paths).map(|it| it.what);
        assert_eq!(what("web/pages/a.tsx"), Some("a page of Next.js"));
        assert_eq!(what("web/src/app/a/page.tsx"), Some("a file of a route of Next.js"));
        assert_eq!(what("web/src/app/a/helper.ts"), None);
        assert_eq!(what("api/pages/a.tsx"), None);
        assert_eq!(what("vite.config.ts"), Some("a configuration file"));
        assert_eq!(what("a/x.test.ts"), Some("a test file"));
        assert_eq!(what("a/x.d.ts"), Some("a declaration file"));
        assert_eq!(what("a/jsx-runtime.ts"), Some("what compilers import for JSX"));
        assert_eq!(what("a/x.ts"), None);
    }
}

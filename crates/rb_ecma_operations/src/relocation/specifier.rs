//! How the target and the users of a move name other files.

use rb_ecma::links::Target;

use crate::project::{ModuleFacts, Project, SpecifierKind, is_script};

/// A relative specifier of a file with the file that it leads to: the style of the folder around.
pub(crate) fn style_of(project: &Project<'_>, paths: &[&str]) -> (String, String) {
    for path in paths {
        let facts = project.module(path);
        if let Some(style) = facts.as_deref().and_then(relative_style) {
            return style;
        }
    }
    let folder = paths.first().and_then(|it| it.rsplit_once('/')).map_or("", |(folder, _)| folder);
    let all = project.files.paths();
    let near = all.iter().filter(|it| is_script(it) && it.starts_with(folder)).take(60);
    for path in near {
        if let Some(style) = project.module(path).as_deref().and_then(relative_style) {
            return style;
        }
    }
    ("./a".to_owned(), "a.ts".to_owned())
}

fn relative_style(facts: &ModuleFacts) -> Option<(String, String)> {
    facts.specifiers.iter().find_map(|it| match (&it.kind, &it.target) {
        (SpecifierKind::Import | SpecifierKind::Reexport, Target::File(path))
            if it.value.starts_with('.') && is_script(path) =>
        {
            Some((it.value.clone(), path.clone()))
        }
        _ => None,
    })
}

/// A relative specifier of one folder, as another folder has to write it. Names of packages stay.
pub(crate) fn rebased(from: &str, to: &str, specifier: &str) -> String {
    if !specifier.starts_with('.') {
        return specifier.to_owned();
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|it| *it != "..") => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    let mut folder: Vec<&str> = to.split('/').collect();
    folder.pop();
    let common = folder.iter().zip(&parts).take_while(|(a, b)| a == b).count();
    let up = folder.len() - common;
    let rest = parts[common..].join("/");
    let end = if specifier.ends_with('/') { "/" } else { "" };
    match (up, rest.as_str()) {
        (0, "") => ".".to_owned(),
        (0, rest) => format!("./{rest}{end}"),
        (up, "") => vec![".."; up].join("/"),
        (up, rest) => format!("{}/{rest}{end}", vec![".."; up].join("/")),
    }
}

#[cfg(test)]
mod tests {
    use super::rebased;

    #[test]
    fn st1_specifiers_follow_their_folder() {
        assert_eq!(rebased("src/a.ts", "src/lib/a.ts", "./b.css"), "../b.css");
        assert_eq!(rebased("src/a.ts", "lib/a.ts", "../x/y"), "../x/y");
        assert_eq!(rebased("src/lib/a.ts", "src/a.ts", "./b"), "./lib/b");
        assert_eq!(rebased("src/lib/a.ts", "src/lib/b.ts", "."), ".");
        assert_eq!(rebased("src/a.ts", "src/lib/a.ts", "react"), "react");
        assert_eq!(rebased("a.ts", "b/a.ts", "../../x"), "../../../x");
    }
}

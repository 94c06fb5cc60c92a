//! How a file names another one, in the style in which it named a third: by an alias or by a relative path, with or without
//! an extension. Whatever is made is asked of the resolver before it is used.

const EXTENSIONS: &[&str] = &["tsx", "ts", "jsx", "js", "mjs", "cjs", "mts", "cts", "json"];

/// The specifier for `target` in the file `from`, in the style of `source`, which named the file `named`. `leads` says whether a
/// specifier leads to the target.
pub fn specifier_in_style(
    from: &str,
    source: &str,
    named: &str,
    target: &str,
    leads: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let mut tries = Vec::new();
    let forms = forms(source, target);
    if !source.starts_with('.') {
        for (alias, dir) in aliases(source, named) {
            for form in &forms {
                let inner = if dir.is_empty() {
                    Some(form.as_str())
                } else {
                    form.strip_prefix(&format!("{dir}/"))
                };
                tries.extend(inner.map(|it| {
                    if alias.is_empty() { it.to_owned() } else { format!("{alias}/{it}") }
                }));
            }
        }
    }
    tries.extend(
        forms.iter().map(|it| relative(from.rsplit_once('/').map_or("", |(folder, _)| folder), it)),
    );
    tries.into_iter().find(|it| leads(it))
}

/// The path of the target as it may be written: the form that fits the style first.
fn forms(source: &str, target: &str) -> Vec<String> {
    let (stem, end) = split(target);
    let (_, written) = split(source);
    let bare = || {
        let short = stem.strip_suffix("/index").filter(|_| !source.ends_with("/index"));
        vec![short.unwrap_or(stem).to_owned(), stem.to_owned(), target.to_owned()]
    };
    match written {
        "" => bare(),
        "ts" | "tsx" | "mts" | "cts" => vec![target.to_owned()],
        _ => {
            let end = match end {
                "ts" | "tsx" => "js",
                "mts" => "mjs",
                "cts" => "cjs",
                other => other,
            };
            vec![format!("{stem}.{end}"), format!("{stem}.jsx"), target.to_owned()]
        }
    }
}

/// A path without its extension, and the extension.
fn split(path: &str) -> (&str, &str) {
    if let Some(stem) = path.strip_suffix(".d.ts") {
        return (stem, "ts");
    }
    match path.rsplit_once('.') {
        Some((stem, end)) if EXTENSIONS.contains(&end) => (stem, end),
        _ => (path, ""),
    }
}

/// Pairs of an alias and the folder that it stands for, the longest folder last: `@` and `src` of `@/ui` for `src/ui/index.ts`.
fn aliases(source: &str, named: &str) -> Vec<(String, String)> {
    let (source, _) = split(source);
    let (file, _) = split(named);
    let mut found = Vec::new();
    for place in [file, file.strip_suffix("/index").unwrap_or(file)] {
        let (mut written, mut real): (Vec<&str>, Vec<&str>) =
            (source.split('/').collect(), place.split('/').collect());
        while written.last().is_some_and(|it| Some(it) == real.last()) {
            written.pop();
            real.pop();
            found.push((written.join("/"), real.join("/")));
        }
        if place != file && found.is_empty() {
            found.push((source.to_owned(), place.to_owned()));
        }
    }
    // The shortest alias says most about what it stands for.
    found.sort_by_key(|(alias, _)| alias.len());
    found.dedup();
    found
}

/// `./a/b`, `../c`.
fn relative(from: &str, target: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) =
        (from.split('/').filter(|it| !it.is_empty()).collect(), target.split('/').collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.len() - common;
    let rest = to[common..].join("/");
    match (up, rest.as_str()) {
        (0, "") => ".".to_owned(),
        (0, rest) => format!("./{rest}"),
        (up, "") => vec![".."; up].join("/"),
        (up, rest) => format!("{}/{rest}", vec![".."; up].join("/")),
    }
}

#[cfg(test)]
mod tests {
    use super::{aliases, forms, relative};

    #[test]
    fn ru3_own_barrels_specifiers() {
        assert_eq!(relative("src/a", "src/b/c"), "../b/c");
        assert_eq!(relative("src", "src/b"), "./b");
        assert_eq!(relative("", "b"), "./b");
        assert_eq!(relative("a/b", "a"), "..");
        assert_eq!(forms("./x/index.js", "src/a.tsx"), ["src/a.js", "src/a.jsx", "src/a.tsx"]);
        assert_eq!(forms("./x", "src/a/index.ts")[0], "src/a");
        assert_eq!(forms("./x.mjs", "src/a.mjs")[0], "src/a.mjs");
        assert_eq!(aliases("@/ui", "src/ui/index.ts"), [("@".to_owned(), "src".to_owned())]);
        assert_eq!(aliases("ui", "src/ui/index.ts"), [(String::new(), "src".to_owned())]);
        assert_eq!(
            aliases("#lib", "src/lib/index.ts"),
            [("#lib".to_owned(), "src/lib".to_owned())]
        );
    }
}

//! The kinds of text that stand behind `from`: paths, packages, addresses, and what bundlers add to them.

/// `./a` and `..`, seen from the importing file.
pub(super) fn is_relative(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || specifier.starts_with("./") || specifier.starts_with("../")
}

/// `@scope/name/inner` as `@scope/name` and `/inner`, which is empty where nothing inside is named.
pub(super) fn split_package(specifier: &str) -> (&str, &str) {
    let scope =
        if specifier.starts_with('@') { specifier.find('/').map_or(0, |at| at + 1) } else { 0 };
    let end = specifier[scope..].find('/').map_or(specifier.len(), |at| scope + at);
    let (name, inner) = specifier.split_at(end);
    (name, if inner == "/" { "" } else { inner })
}

/// Could it be installed? `@/a`, `~/a` and `$lib/a` are ways to write paths.
pub(super) fn is_package_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let part = |part: &str, first: &[u8]| {
        let begins = part
            .bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || first.contains(&byte));
        begins && part.bytes().all(allowed)
    };
    match name.strip_prefix('@') {
        Some(scoped) => scoped
            .split_once('/')
            .is_some_and(|(scope, name)| part(scope, b"-") && part(name, b"-_")),
        None => part(name, b"-"),
    }
}

/// What an address names, where it names something that is fetched or made up at build time.
pub(super) fn address(specifier: &str) -> Option<&str> {
    let (scheme, rest) = specifier.split_once(':')?;
    match scheme {
        "npm" | "jsr" => Some(without_version(rest.trim_start_matches('/'))),
        // The text behind it is the module itself.
        "data" | "blob" => Some(scheme),
        "file" => None,
        _ => {
            let word = |byte: u8| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte);
            (!scheme.is_empty() && scheme.bytes().all(word)).then_some(specifier)
        }
    }
}

/// `@std/path@1/posix` names `@std/path`.
fn without_version(package: &str) -> &str {
    let (name, _) = split_package(package);
    name.rfind('@').filter(|&at| at > 0).map_or(name, |at| &name[..at])
}

/// The module in what a bundler reads: `raw-loader!./a.svg` and `./a.svg?raw` are about `./a.svg`.
pub(super) fn without_loaders(specifier: &str) -> &str {
    let module = specifier.rsplit('!').next().unwrap_or(specifier);
    module.split('?').next().unwrap_or(module)
}

#[cfg(test)]
mod tests {
    use super::{address, is_package_name, split_package};

    #[test]
    fn ix3_specifiers_are_taken_apart() {
        for (specifier, name, inner) in [
            ("a", "a", ""),
            ("a/", "a", ""),
            ("a/b/c", "a", "/b/c"),
            ("@s/a", "@s/a", ""),
            ("@s/a/b", "@s/a", "/b"),
            ("@s", "@s", ""),
            ("", "", ""),
        ] {
            assert_eq!(split_package(specifier), (name, inner), "{specifier}");
        }
        for (name, expected) in [
            ("react", true),
            ("lodash.get", true),
            ("JSONStream", true),
            ("@s/a", true),
            ("@s/_a", true),
            ("@", false),
            ("@/a", false),
            ("~", false),
            ("$lib", false),
            ("_private", false),
            ("", false),
            ("é", false),
        ] {
            assert_eq!(is_package_name(name), expected, "{name}");
        }
        for (specifier, expected) in [
            ("npm:chalk@5/a", Some("chalk")),
            ("jsr:@std/path@^1/posix", Some("@std/path")),
            ("data:text/javascript,1", Some("data")),
            ("https://esm.sh/a", Some("https://esm.sh/a")),
            ("virtual:pwa", Some("virtual:pwa")),
            ("file:///a", None),
            ("react", None),
            (":a", None),
        ] {
            assert_eq!(address(specifier), expected, "{specifier}");
        }
    }
}

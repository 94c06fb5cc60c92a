//! Manifests in formats that have no parser here: the few lines that matter are picked out.
//!
//! Each is read once from top to bottom. What is not understood is passed over; nothing is evaluated.

use super::Package;

pub(super) fn setup_cfg(package: &mut Package) {
    let (mut section, mut key) = ("", "");
    let text = doc_text(package);
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            (section, key) = (name, "");
        } else if line.starts_with([' ', '\t']) {
            if (section, key) == ("options", "install_requires") {
                package.dependencies.extend(requirement(trimmed));
            }
        } else if let Some((name, value)) = trimmed.split_once('=') {
            key = name.trim();
            if section == "metadata" {
                about(package, key, value.trim());
            }
        }
    }
}

fn about(package: &mut Package, key: &str, value: &str) {
    // `attr:` and `file:` lead to where the value is.
    let is_here = !value.is_empty() && !value.starts_with("attr:") && !value.starts_with("file:");
    let value = is_here.then(|| value.to_owned());
    match key {
        "name" => package.about.name = value,
        "version" => package.about.version = value,
        "description" | "summary" => package.about.description = value,
        "license" => package.about.license = value,
        _ => {}
    }
}

pub(super) fn setup_py(package: &mut Package) {
    let text = doc_text(package);
    let mut in_requires = false;
    for line in text.lines().map(str::trim) {
        if let Some((key, value)) = line.split_once('=')
            && matches!(key.trim(), "name" | "version" | "description" | "license")
            && let Some(value) = quoted(value)
        {
            about(package, key.trim(), value);
        }
        in_requires |= line.starts_with("install_requires");
        if in_requires {
            package.dependencies.extend(all_quoted(line).filter_map(requirement));
            in_requires = !line.contains(']');
        }
    }
}

pub(super) fn requirements(package: &mut Package) {
    package.dependencies = doc_text(package).lines().filter_map(requirement).collect();
}

/// The name in a requirement such as `Django[argon2]>=4.2; python_version>"3.8"`.
pub(super) fn requirement(spec: &str) -> Option<(String, String)> {
    let spec = spec.trim();
    let end = spec
        .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.'))
        .unwrap_or(spec.len());
    let name = &spec[..end];
    let is_name = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    is_name.then(|| (name.to_lowercase().replace('_', "-"), spec[end..].trim().to_owned()))
}

pub(super) fn go_mod(package: &mut Package) {
    let mut in_block = false;
    let text = doc_text(package);
    for line in text.lines().map(str::trim) {
        if let Some(module) = line.strip_prefix("module ") {
            package.about.name = Some(module.trim().trim_matches('"').to_owned());
        } else if line.starts_with("require (") {
            in_block = true;
        } else if in_block && line.starts_with(')') {
            in_block = false;
        } else if let Some(spec) =
            line.strip_prefix("require ").or_else(|| in_block.then_some(line))
            && let Some((name, version)) = spec.split_once(' ')
            && !version.contains("// indirect")
        {
            package.dependencies.insert(name.to_owned(), version.to_owned());
        }
    }
}

pub(super) fn pom(package: &mut Package) {
    let mut group = "";
    for (path, value) in elements(doc_text(package)) {
        let is = |wanted: &[&str]| path == wanted;
        let some = || Some(value.to_owned());
        if is(&["project", "artifactId"]) {
            package.about.name = some();
        } else if is(&["project", "version"]) {
            package.about.version = some();
        } else if is(&["project", "description"]) {
            package.about.description = some();
        } else if is(&["project", "licenses", "license", "name"]) {
            package.about.license = some();
        } else if is(&["project", "dependencies", "dependency", "groupId"])
            || is(&["project", "parent", "groupId"])
        {
            group = value;
        } else if is(&["project", "dependencies", "dependency", "artifactId"])
            || is(&["project", "parent", "artifactId"])
        {
            package.dependencies.insert(format!("{group}:{value}"), String::new());
        }
    }
}

/// The elements of an XML text that hold nothing but text, each with the names that lead to it.
pub(crate) fn elements(text: &str) -> Vec<(Vec<&str>, &str)> {
    /// Nothing that matters in a project file lies deeper.
    const DEEPEST: usize = 12;
    let mut open: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let tag = &rest[at + 1..];
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end..]);
            continue;
        }
        let Some(end) = tag.find('>') else { break };
        let name = tag[..end].split([' ', '\t', '\r', '\n', '/']).next().unwrap_or_default();
        rest = &tag[end + 1..];
        if tag.starts_with('/') {
            open.pop();
        } else if !tag.starts_with(['?', '!']) && !tag[..end].ends_with('/') {
            open.push(name);
            let value = rest[..rest.find('<').unwrap_or(rest.len())].trim();
            if open.len() <= DEEPEST && !value.is_empty() {
                found.push((open.clone(), value));
            }
        }
    }
    found
}

pub(super) fn gradle(package: &mut Package) {
    let text = doc_text(package);
    for line in text.lines().map(str::trim) {
        if let Some(id) = line.strip_prefix("id").or_else(|| line.strip_prefix("apply plugin:")) {
            package.dependencies.extend(quoted(id).map(plain));
        }
        let kinds = ["implementation", "api", "compile", "compileOnly", "runtimeOnly"];
        if kinds.iter().any(|kind| {
            line.strip_prefix(kind).is_some_and(|rest| rest.starts_with([' ', '(', '\'', '"']))
        }) && let Some(spec) = quoted(line)
        {
            let name: Vec<&str> = spec.split(':').take(2).collect();
            package.dependencies.insert(name.join(":"), String::new());
        }
        if let Some(value) = line.strip_prefix("description").and_then(quoted) {
            package.about.description = Some(value.to_owned());
        }
    }
}

pub(super) fn csproj(package: &mut Package) {
    let text = doc_text(package);
    let name = package.path.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    package.about.name = name.map(|(stem, _)| stem.to_owned());
    for (path, value) in elements(text) {
        match path.last() {
            Some(&"Version") => package.about.version = Some(value.to_owned()),
            Some(&"Description") => package.about.description = Some(value.to_owned()),
            Some(&"PackageLicenseExpression") => package.about.license = Some(value.to_owned()),
            _ => {}
        }
    }
    for line in text
        .lines()
        .filter(|line| line.contains("<PackageReference") || line.contains("<FrameworkReference"))
    {
        package.dependencies.extend(quoted(line).map(plain));
    }
    if text.contains("Microsoft.NET.Sdk.Web") {
        package.dependencies.insert("Microsoft.NET.Sdk.Web".to_owned(), String::new());
    }
}

pub(super) fn gems(package: &mut Package) {
    let text = doc_text(package);
    let stem = package.path.rsplit('/').next().and_then(|name| name.strip_suffix(".gemspec"));
    package.about.name = stem.map(str::to_owned);
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("gem ").or_else(|| line.strip_prefix("gem(")) {
            package.dependencies.extend(quoted(rest).map(plain));
        } else if let Some((_, rest)) =
            line.split_once("add_dependency").or_else(|| line.split_once("add_runtime_dependency"))
        {
            package.dependencies.extend(quoted(rest).map(plain));
        } else if let Some((key, value)) = line.split_once('=')
            && let Some((_, key)) = key.trim().split_once('.')
            && package.path.ends_with(".gemspec")
            && let Some(value) = quoted(value).filter(|value| !value.contains("#{"))
        {
            about(package, key.trim(), value);
        }
    }
}

pub(super) fn package_swift(package: &mut Package) {
    let text = doc_text(package);
    package.about.name =
        text.split_once("name:").and_then(|(_, rest)| quoted(rest)).map(str::to_owned);
    for line in text.lines().filter(|line| line.contains(".package(")) {
        let name = quoted(line).and_then(|url| url.trim_end_matches(".git").rsplit('/').next());
        package.dependencies.extend(name.map(plain));
    }
}

pub(super) fn mix(package: &mut Package) {
    let text = doc_text(package);
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("app: :") {
            package.about.name = Some(name.trim_end_matches(',').to_owned());
        } else if let Some(value) =
            line.strip_prefix("description:").or(line.strip_prefix("@description")).and_then(quoted)
        {
            package.about.description = Some(value.to_owned());
        } else if let Some(rest) = line.trim_start_matches('[').strip_prefix("{:")
            && let Some((name, _)) = rest.split_once(',')
        {
            package.dependencies.insert(name.to_owned(), String::new());
        }
    }
}

pub(super) fn pubspec(package: &mut Package) {
    let mut section = "";
    let text = doc_text(package);
    for line in text.lines() {
        let Some((key, value)) = line.split_once(':') else { continue };
        if !key.starts_with([' ', '#']) {
            section = key;
            about(package, key, value.trim().trim_matches(['"', '\'']));
        } else if section == "dependencies" && key.starts_with("  ") && !key.starts_with("   ") {
            package.dependencies.insert(key.trim().to_owned(), String::new());
        }
    }
}

/// The text of the document, free of the borrow of its package.
fn doc_text<'a>(package: &Package<'a>) -> &'a str {
    if let super::Doc::Text(text) = package.doc { text } else { "" }
}

fn plain(name: &str) -> (String, String) {
    (name.to_owned(), String::new())
}

/// The first thing in quotes.
pub(crate) fn quoted(text: &str) -> Option<&str> {
    all_quoted(text).next()
}

pub(crate) fn all_quoted(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(['"', '\''])?;
        let quote = rest[start..].chars().next()?;
        let inner = &rest[start + 1..];
        let end = inner.find(quote)?;
        rest = &inner[end + 1..];
        Some(&inner[..end])
    })
}

/// The items of a list in a YAML text, under a key at the start of a line.
pub(crate) fn yaml_list<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let mut items = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(item) = trimmed.strip_prefix("- ").filter(|_| is_inside) {
            items.push(item.trim().trim_matches(['"', '\'']));
        } else if !line.starts_with([' ', '\t', '#']) && !trimmed.is_empty() {
            is_inside = trimmed.strip_suffix(':') == Some(key);
        }
    }
    items
}

#[cfg(test)]
mod tests {

    use std::fmt::Write;

    use expect_test::{Expect, expect};

    use crate::fixture::tree;
    use crate::manifests::read;

    #[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
    #[track_caller]
    fn check(path: &str, text: &str, expected: Expect) {
        let tree = tree("", &[(path, text)]);
        let mut shown = String::new();
        for package in read(&tree, |_| true) {
            let needs: Vec<String> =
                package.dependencies.iter().map(|(name, range)| format!("{name}{range}")).collect();
            writeln!(shown, "{:?} {:?}", package.ecosystem, package.about).unwrap();
            writeln!(shown, "needs {}", needs.join(", ")).unwrap();
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn ix12_manifests_that_are_parsed() {
        check(
            "package.json",
            r#"{"name": "a", "license": {"type": "MIT"}, "dependencies": {"react": "^19.0.0"}, "devDependencies": {"x": "1"}}"#,
            expect![[r#"
                Node About { name: Some("a"), version: None, description: None, license: Some("MIT") }
                needs react^19.0.0
            "#]],
        );
        check(
            "Cargo.toml",
            "[package]\nname = \"a\"\nversion.workspace = true\n[dependencies]\nserde = { version = \"1\" }\nclap = \"4\"\n",
            expect![[r#"
                Cargo About { name: Some("a"), version: None, description: None, license: None }
                needs clap4, serde
            "#]],
        );
        check(
            "pyproject.toml",
            "[project]\nname = \"A\"\nlicense = {text = \"BSD\"}\ndependencies = [\"Django[argon2]>=4.2; x\", \"typing_extensions\"]\n",
            expect![[r#"
                Python About { name: Some("A"), version: None, description: None, license: Some("BSD") }
                needs django[argon2]>=4.2; x, typing-extensions
            "#]],
        );
    }

    #[test]
    fn ix12_manifests_of_which_lines_are_picked_out() {
        check(
            "setup.cfg",
            "[metadata]\nname = a\nversion = attr: a.v\n[options]\ninstall_requires =\n    click>=8\n    # none\n",
            expect![[r#"
                Python About { name: Some("a"), version: None, description: None, license: None }
                needs click>=8
            "#]],
        );
        check(
            "setup.py",
            "setup(\n    name='a',\n    install_requires=[\n        'click>=8',\n    ],\n    extras_require={'x': ['y']},\n)\n",
            expect![[r#"
                Python About { name: Some("a"), version: None, description: None, license: None }
                needs click>=8
            "#]],
        );
        check(
            "go.mod",
            "module github.com/a/b/v2\n\ngo 1.22\n\nrequire github.com/x/y v1.0.0\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n\tz v1 // indirect\n)\n",
            expect![[r#"
                Go About { name: Some("github.com/a/b/v2"), version: None, description: None, license: None }
                needs github.com/spf13/cobrav1.8.0, github.com/x/yv1.0.0
            "#]],
        );
        check(
            "pom.xml",
            "<?xml version=\"1.0\"?><project a=\"b\"><!-- <artifactId>no</artifactId> --><parent><groupId>org.springframework.boot</groupId>
             <artifactId>spring-boot-starter-parent</artifactId></parent><artifactId>clinic</artifactId><version>1</version>
             <dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId></dependency></dependencies></project>",
            expect![[r#"
                Jvm About { name: Some("clinic"), version: Some("1"), description: None, license: None }
                needs g:a, org.springframework.boot:spring-boot-starter-parent
            "#]],
        );
        check(
            "build.gradle.kts",
            "plugins {\n    id(\"org.springframework.boot\") version \"3\"\n}\ndependencies {\n    implementation(\"a:b:1.0\")\n    testImplementation(\"c:d:1\")\n}\n",
            expect![[r#"
                Jvm About { name: None, version: None, description: None, license: None }
                needs a:b, org.springframework.boot
            "#]],
        );
        check(
            "src/Shop.csproj",
            "<Project Sdk=\"Microsoft.NET.Sdk.Web\"><PropertyGroup><Version>2.0</Version></PropertyGroup>\n<PackageReference Include=\"Dapper\" Version=\"2\" />\n</Project>",
            expect![[r#"
                DotNet About { name: Some("Shop"), version: Some("2.0"), description: None, license: None }
                needs Dapper, Microsoft.NET.Sdk.Web
            "#]],
        );
        check(
            "a.gemspec",
            "Gem::Specification.new do |s|\n  s.name = 'a'\n  s.summary = \"An A\"\n  s.add_dependency 'rack', '~> 3'\nend\n",
            expect![[r#"
            Ruby About { name: Some("a"), version: None, description: Some("An A"), license: None }
            needs rack
        "#]],
        );
        check(
            "Gemfile",
            "gem 'rails', '~> 7'\ngem \"pg\"\n# gem 'no'\n",
            expect![[r#"
            Ruby About { name: None, version: None, description: None, license: None }
            needs pg, rails
        "#]],
        );
        check(
            "mix.exs",
            "def project do\n  [\n    app: :shop,\n    deps: deps()\n  ]\nend\ndefp deps do\n  [{:phoenix, \"~> 1.7\"},\n   {:ecto, \"~> 3\"}]\nend\n",
            expect![[r#"
            Elixir About { name: Some("shop"), version: None, description: None, license: None }
            needs ecto, phoenix
        "#]],
        );
        check(
            "Package.swift",
            "let package = Package(\n  name: \"Net\",\n  dependencies: [\n    .package(url: \"https://a/swift-log.git\", from: \"1.0\"),\n  ]\n)\n",
            expect![[r#"
                Swift About { name: Some("Net"), version: None, description: None, license: None }
                needs swift-log
            "#]],
        );
        check(
            "pubspec.yaml",
            "name: shop\ndependencies:\n  flutter:\n    sdk: flutter\n  http: ^1\ndev_dependencies:\n  lints: ^2\n",
            expect![[r#"
            Dart About { name: Some("shop"), version: None, description: None, license: None }
            needs flutter, http
        "#]],
        );
    }

    #[test]
    fn ix12_a_broken_manifest_is_passed_over() {
        let deep = "[".repeat(100_000);
        let open = "<a>".repeat(100_000);
        for (path, text) in [
            ("package.json", "{"),
            ("package.json", &*deep),
            ("Cargo.toml", "[package"),
            ("Cargo.toml", &*deep),
            ("pom.xml", &*open),
            ("pom.xml", "<"),
            ("pom.xml", "</a></b>"),
            ("setup.py", "name='"),
            ("go.mod", "require ("),
            ("mix.exs", "{:"),
        ] {
            let tree = tree("", &[(path, text)]);
            for package in read(&tree, |_| true) {
                assert!(package.dependencies.is_empty(), "{path}");
            }
        }
    }
}

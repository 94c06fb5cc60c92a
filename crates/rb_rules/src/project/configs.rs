//! What the configs of the tools around a package say: the React Compiler, Next.js's list of packages, the formatter.
//!
//! Configs are programs and are not run: words are looked for in them, comments left out. A value that is computed counts
//! as given.

use std::collections::BTreeSet;

use super::comments;

/// Is it a config that may turn the compiler on?
pub(super) fn may_turn_compiler_on(name: &str) -> bool {
    const TOOLS: &[&str] = &[
        "next.config.",
        "vite.config.",
        "babel.config.",
        "rsbuild.config.",
        "rspack.config.",
        "webpack.config.",
        "craco.config.",
        "astro.config.",
        "app.config.",
        "rollup.config.",
        "tsdown.config.",
        "tsup.config.",
        "electron.vite.config.",
        "config-overrides.",
        "farm.config.",
        "rolldown.config.",
        "modern.config.",
    ];
    name.starts_with(".babelrc")
        || name == "app.json"
        || TOOLS.iter().any(|tool| name.starts_with(tool))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Compiler {
    Silent,
    /// It is named, and told to be off, or to compile only what is marked.
    Off,
    On,
}

/// What a config says of the React Compiler.
pub(super) fn compiler(text: &str) -> Compiler {
    const NAMES: &[&str] = &[
        "babel-plugin-react-compiler",
        "react-compiler-webpack",
        "reactCompilerPreset",
        "\"react-compiler\"",
        "'react-compiler'",
    ];
    let bare = comments::without(text);
    let named = NAMES.iter().any(|name| bare.contains(name));
    let values = option_values(&bare, "reactCompiler").map(|value| !value.starts_with("false"));
    let switched = values.fold(Compiler::Silent, |so_far, on| {
        so_far.max(if on { Compiler::On } else { Compiler::Off })
    });
    let only_marked = option_values(&bare, "compilationMode")
        .any(|mode| mode.trim_start_matches(['"', '\'']).starts_with("annotation"));
    match switched {
        Compiler::Silent if !named => Compiler::Silent,
        Compiler::On | Compiler::Silent if only_marked => Compiler::Off,
        Compiler::Off => Compiler::Off,
        Compiler::On | Compiler::Silent => Compiler::On,
    }
}

/// The text after each `name:`, quoted or not.
fn option_values<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let rest = &text[at + name.len()..];
        if text[..at].ends_with(is_part) || rest.starts_with(is_part) {
            return None;
        }
        let rest = rest.strip_prefix(['"', '\'']).unwrap_or(rest).trim_start();
        Some(rest.strip_prefix(':')?.trim_start())
    })
}

/// The packages that a config of Next.js names in `optimizePackageImports`, as far as they are written there.
pub(super) fn named_for_optimizing(text: &str) -> Vec<String> {
    let bare = comments::without(text);
    let lists = option_values(&bare, "optimizePackageImports");
    let lists = lists.filter_map(|value| value.strip_prefix('[')?.split(']').next());
    let names = lists.flat_map(|list| list.split(',')).filter_map(|item| {
        let item = item.trim();
        let quote = item.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
        item[1..].strip_suffix(quote).map(str::to_owned)
    });
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formatter {
    Prettier,
    Biome,
    Dprint,
}

impl Formatter {
    /// The formatter that a file of this name is the config of.
    pub(super) fn of_config(name: &str) -> Option<Formatter> {
        match name {
            "biome.json" | "biome.jsonc" => Some(Formatter::Biome),
            "dprint.json" | ".dprint.json" | "dprint.jsonc" => Some(Formatter::Dprint),
            _ if name.starts_with(".prettierrc") || name.starts_with("prettier.config.") => {
                Some(Formatter::Prettier)
            }
            _ => None,
        }
    }

    pub(super) fn of_package(name: &str) -> Option<Formatter> {
        match name {
            "prettier" => Some(Formatter::Prettier),
            "@biomejs/biome" => Some(Formatter::Biome),
            "dprint" => Some(Formatter::Dprint),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Compiler, compiler, named_for_optimizing};

    #[test]
    fn ru1_configs_say_whether_the_compiler_is_on() {
        for (text, expected) in [
            ("export default { reactCompiler: true }", Compiler::On),
            ("module.exports = { experimental: { reactCompiler: {} } }", Compiler::On),
            ("x = { reactCompiler: process.env.FAST === '1' }", Compiler::On),
            ("x = { 'reactCompiler' : false }", Compiler::Off),
            ("x = { reactCompiler: { compilationMode: 'annotation' } }", Compiler::Off),
            ("// reactCompiler: true\nx = {}", Compiler::Silent),
            ("const myreactCompiler: X = 1, reactCompilers: Y = 2", Compiler::Silent),
            ("react({ babel: { plugins: [['babel-plugin-react-compiler', {}]] } })", Compiler::On),
            ("plugins: [\"react-compiler\"]", Compiler::On),
            ("import { reactCompilerPreset } from '@vitejs/plugin-react'", Compiler::On),
            ("/* babel-plugin-react-compiler */", Compiler::Silent),
            (r#"{"expo": {"experiments": {"reactCompiler": true}}}"#, Compiler::On),
            ("['babel-plugin-react-compiler', { compilationMode: \"annotation\" }]", Compiler::Off),
        ] {
            assert_eq!(compiler(text), expected, "{text}");
        }
    }

    #[test]
    fn ru1_packages_that_next_is_told_to_optimize() {
        let text = "x = { experimental: { optimizePackageImports: ['b', \"@a/c\", // 'd'\n ...more, name] } }";
        assert_eq!(named_for_optimizing(text), ["@a/c", "b"]);
        assert!(named_for_optimizing("x = { optimizePackageImports: list }").is_empty());
        assert!(named_for_optimizing("// optimizePackageImports: ['a']").is_empty());
    }
}

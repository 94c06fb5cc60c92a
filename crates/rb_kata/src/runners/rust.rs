//! Rust: a library crate without dependencies, its tests in `tests/`, run by `cargo test`.
//!
//! Documentation tests are switched off: only the Tester writes tests.

use rb_lang::Language;

use super::{is_word_of, name_below, readme, snake_case, stem};
use crate::runner::{NewProject, Sample, Spec};
use crate::text_file::TextFile;

pub(crate) static RUNNER: Spec = Spec {
    name: "rust",
    title: "Rust",
    aliases: &["rs"],
    language: Language::Rust,
    needs: &[("cargo", "install Rust with rustup")],
    skeleton,
    is_test,
    is_source,
    test_command: None,
    conventions,
    sample,
};

/// Names that a crate cannot have, or that mean another one in every program.
const RESERVED: &str = "\
    abstract alloc as async await become box break const continue core crate do dyn else enum \
    extern false final fn for gen if impl in let loop macro match mod move mut override priv \
    proc_macro pub ref return self static std struct super test trait true try type typeof union \
    unsafe unsized use virtual where while yield";

/// As in `use fizz_buzz::…`.
fn crate_name(slug: &str) -> String {
    let name = snake_case(slug);
    if is_word_of(RESERVED, &name) { format!("{name}_kata") } else { name }
}

fn skeleton(project: &NewProject<'_>) -> Vec<TextFile> {
    let slug = project.slug;
    let package = crate_name(slug).replace('_', "-");
    let manifest = format!(
        "\
[package]
name = \"{package}\"
version = \"0.1.0\"
edition = \"2021\"
publish = false

[lib]
doctest = false

# This crate is no member of a workspace in a folder above it.
[workspace]
"
    );
    vec![
        // Without dependencies there is nothing to lock.
        TextFile::new(".gitignore", "/target/\n/Cargo.lock\n"),
        TextFile::new("Cargo.toml", manifest),
        readme(project, "Rust", "Run the tests with `cargo test`."),
        TextFile::new("src/lib.rs", format!("//! The kata {slug}.\n")),
    ]
}

fn is_test(path: &str) -> bool {
    name_below(path, "tests").is_some_and(|name| stem(name, "rs").is_some())
}

fn is_source(path: &str) -> bool {
    name_below(path, "src").is_some_and(|name| stem(name, "rs").is_some())
}

fn conventions(slug: &str) -> String {
    let name = crate_name(slug);
    format!(
        "\
- Tests are in `tests/{name}.rs`; further test files are `tests/NAME.rs`.
- The implementation is in `src/lib.rs`, in modules below `src/` where that helps.
- A test imports the code with `use {name}::…;`, so what it uses must be `pub`.
- A test is a function with `#[test]`; it asserts with `assert_eq!`, `assert!` or `#[should_panic(expected = \"…\")]`.
- A test is named for the behaviour, in snake case: `multiples_of_three_are_fizz`.
- No tests in `src/`: no `#[cfg(test)]` module and no documentation test.
- Only the standard library is there; nothing can be installed. `Cargo.toml` is fixed, edition 2021.
"
    )
}

fn sample(slug: &str, sample: Sample) -> Vec<TextFile> {
    let name = crate_name(slug);
    let source = "pub fn double(number: i64) -> i64 {\n    2 * number\n}\n";
    let test = |result: i64| {
        let text = format!(
            "\
use {name}::double;

#[test]
fn doubles_a_number() {{
    assert_eq!(double(2), {result});
}}
"
        );
        TextFile::new(format!("tests/{name}.rs"), text)
    };
    let source = TextFile::new("src/lib.rs", source);
    match sample {
        Sample::Green => vec![source, test(4)],
        Sample::AssertionFails => vec![source, test(5)],
        Sample::MissingSymbol => vec![test(4)],
        Sample::SyntaxError => {
            let broken = "#[test]\nfn doubles_a_number( {\n    assert!(true);\n}\n";
            vec![source, TextFile::new(format!("tests/{name}.rs"), broken)]
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::runner::Runner;
    use crate::runners::checks;

    #[test]
    fn ka7_rust_paths() {
        checks::paths(
            Runner::Rust,
            &["tests/fizz_buzz.rs", "tests/common/mod.rs"],
            &["src/lib.rs", "src/roman/numeral.rs", "src/main.rs"],
            &[
                "build.rs",
                "Cargo.toml",
                "Cargo.lock",
                "rust-toolchain.toml",
                "lib.rs",
                "benches/fast.rs",
                "examples/show.rs",
                "src/data.json",
                "src/.rs",
                "tests/data.txt",
                "srcs/lib.rs",
                "SRC/lib.rs",
                "src",
                ".cargo/config.toml",
                "src/../build.rs",
                "src/a b.rs",
                "src/über.rs",
            ],
        );
    }

    #[test]
    fn ka7_rust_project() {
        checks::skeleton(
            Runner::Rust,
            "fizz-buzz",
            &["cargo"],
            None,
            &expect![[r#"
            === .gitignore
            /target/
            /Cargo.lock

            === Cargo.toml
            [package]
            name = "fizz-buzz"
            version = "0.1.0"
            edition = "2021"
            publish = false

            [lib]
            doctest = false

            # This crate is no member of a workspace in a folder above it.
            [workspace]

            === README.md
            # Fizz Buzz

            A code kata in Rust, developed test-first.

            Run the tests with `cargo test`.

            === src/lib.rs
            //! The kata fizz-buzz.

        "#]],
        );
        checks::skeleton(
            Runner::Rust,
            "type",
            &["cargo"],
            None,
            &expect![[r#"
            === .gitignore
            /target/
            /Cargo.lock

            === Cargo.toml
            [package]
            name = "type-kata"
            version = "0.1.0"
            edition = "2021"
            publish = false

            [lib]
            doctest = false

            # This crate is no member of a workspace in a folder above it.
            [workspace]

            === README.md
            # Fizz Buzz

            A code kata in Rust, developed test-first.

            Run the tests with `cargo test`.

            === src/lib.rs
            //! The kata type.

        "#]],
        );
    }
}

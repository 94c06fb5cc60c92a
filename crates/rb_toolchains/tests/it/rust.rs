//! Cargo workspaces.

use expect_test::expect;

use crate::check;

#[test]
fn ve1_a_workspace_is_one_package() {
    check(
        r#"
//- Cargo.toml
[workspace]
members = ["crates/*"]
exclude = ["tools/apart"]
[package]
name = "top"
//- Cargo.lock
//- crates/a/Cargo.toml
[package]
name = "a"
//- crates/a/benches/b.rs
//- tools/apart/Cargo.toml
[package]
name = "apart"
//- fuzz/Cargo.toml
[package]
name = "fuzz"
[workspace]
"#,
        &expect![[r#"
            .: top, rust, cargo
              build: cargo build --workspace  [Cargo.toml [workspace]]
              typecheck: cargo check --workspace --tests  [Cargo.toml [workspace]]
              lint: cargo clippy --workspace --tests  [Cargo.toml [workspace]]
              test: cargo test --workspace --no-fail-fast  [Cargo.toml [workspace]]
                report: LibtestText Printed: cargo test --workspace --no-fail-fast
                select packages: cargo test --no-fail-fast {files}
              benchmark: cargo bench --workspace  [Cargo.toml benches/]
            tools/apart: apart, rust, cargo
              build: cargo build  [tools/apart/Cargo.toml [package]]
              typecheck: cargo check --tests  [tools/apart/Cargo.toml [package]]
              lint: cargo clippy --tests  [tools/apart/Cargo.toml [package]]
              test: cargo test --no-fail-fast  [tools/apart/Cargo.toml [package]]
                report: LibtestText Printed: cargo test --no-fail-fast
                select packages: cargo test --no-fail-fast {files}
            note: `Cargo.toml` below `fuzz/` (1 file) was left out: no workspace lists it
        "#]],
    );
}

#[test]
fn ve1_nextest_where_it_is_set_up_or_the_server_uses_it() {
    check(
        "//- Cargo.toml\n[package]\nname = \"a\"\n//- .config/nextest.toml\n",
        &expect![[r#"
            .: a, rust, cargo
              build: cargo build  [Cargo.toml [package]]
              typecheck: cargo check --tests  [Cargo.toml [package]]
              lint: cargo clippy --tests  [Cargo.toml [package]]
              test: cargo nextest run --no-fail-fast  [.config/nextest.toml nextest settings]
                report: NextestJson Stdout: NEXTEST_EXPERIMENTAL_LIBTEST_JSON=1 cargo nextest run --message-format libtest-json-plus --no-fail-fast
                select packages: cargo nextest run --message-format libtest-json-plus --no-fail-fast {files}
        "#]],
    );
    check(
        r#"
//- Cargo.toml
[package]
name = "a"
//- .github/workflows/ci.yml
on: push
jobs:
  test:
    steps:
      - run: cargo nextest run --all-features
"#,
        &expect![[r#"
            .: a, rust, cargo
              build: cargo build  [Cargo.toml [package]]
              typecheck: cargo check --tests  [Cargo.toml [package]]
              lint: cargo clippy --tests  [Cargo.toml [package]]
              test: cargo nextest run --all-features --no-fail-fast  [.github/workflows/ci.yml jobs.test]
                report: NextestJson Stdout: NEXTEST_EXPERIMENTAL_LIBTEST_JSON=1 cargo nextest run --message-format libtest-json-plus --all-features --no-fail-fast
                select packages: cargo nextest run --message-format libtest-json-plus --all-features --no-fail-fast {files}
        "#]],
    );
    check(
        r#"
//- Cargo.toml
[package]
name = "a"
//- .github/workflows/ci.yml
on: push
jobs:
  test:
    steps:
      - run: cargo nextest run --all-features -E 'test(ui)'
      - run: cargo nextest run -p a
      - run: cargo nextest run some_test
"#,
        &expect![[r#"
            .: a, rust, cargo
              build: cargo build  [Cargo.toml [package]]
              typecheck: cargo check --tests  [Cargo.toml [package]]
              lint: cargo clippy --tests  [Cargo.toml [package]]
              test: cargo test --no-fail-fast  [Cargo.toml [package]]
                report: LibtestText Printed: cargo test --no-fail-fast
                select packages: cargo test --no-fail-fast {files}
        "#]],
    );
    check(
        r#"
//- Cargo.toml
[package]
name = "a"
//- .github/workflows/ci.yml
on: push
jobs:
  test:
    steps:
      - run: cargo nextest run --features x --profile=ci --locked
"#,
        &expect![[r#"
            .: a, rust, cargo
              build: cargo build  [Cargo.toml [package]]
              typecheck: cargo check --tests  [Cargo.toml [package]]
              lint: cargo clippy --tests  [Cargo.toml [package]]
              test: cargo nextest run --features x --profile=ci --locked --no-fail-fast  [.github/workflows/ci.yml jobs.test]
                report: NextestJson Stdout: NEXTEST_EXPERIMENTAL_LIBTEST_JSON=1 cargo nextest run --message-format libtest-json-plus --features x --profile=ci --locked --no-fail-fast
                select packages: cargo nextest run --message-format libtest-json-plus --features x --profile=ci --locked --no-fail-fast {files}
        "#]],
    );
}

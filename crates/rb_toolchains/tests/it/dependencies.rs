//! What has to be installed, and what a hidden home must still show.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_toolchains::{Reuse, Toolchain, caches};

use crate::detected;

fn check(fixture: &str, expect: &Expect) {
    let mut said = String::new();
    for package in detected(fixture).packages {
        let needs = &package.dependencies;
        let folders: Vec<String> =
            needs.folders.iter().map(|at| format!("{} {}", at.folder, at.there)).collect();
        let reuse = match needs.reuse {
            Reuse::Copy(_) => "copy",
            Reuse::CopyOnly(_) => "copy only",
            Reuse::InPlace(_) => "in place",
            Reuse::Home(_) => "home",
            Reuse::Never(_) => "never",
        };
        let install = needs
            .install
            .as_ref()
            .map(|install| format!("{} in {:?}", install.line, install.folder));
        let lock = package.lockfiles.join(" ");
        let _ = writeln!(
            said,
            "{:?} {folders:?} ready {} {reuse}; {install:?}; lock {lock}",
            package.folder,
            needs.ready()
        );
    }
    expect.assert_eq(&said);
}

#[test]
fn ve1_what_must_be_installed() {
    let json = "//- package.json\n{\"workspaces\": [\"p/*\"], \"scripts\": {\"test\": \"jest\"}, \"dependencies\": {\"a\": \"1\"}}\n//- p/a/package.json\n{\"scripts\": {\"bench\": \"node b.js\"}}\n";
    check(
        json,
        &expect![[r#"
        "" ["node_modules false"] ready false copy; Some("npm install --ignore-scripts --no-audit --no-fund --no-package-lock in \"\""); lock 
        "p/a" ["node_modules false"] ready false copy; Some("npm install --ignore-scripts --no-audit --no-fund --no-package-lock in \"\""); lock 
    "#]],
    );
    check(
        &format!("{json}//- package-lock.json\n{{}}\n//- node_modules/a/package.json\n{{}}\n"),
        &expect![[r#"
            "" ["node_modules true"] ready true copy; Some("npm ci --ignore-scripts --no-audit --no-fund in \"\""); lock package-lock.json
            "p/a" ["node_modules true"] ready true copy; Some("npm ci --ignore-scripts --no-audit --no-fund in \"\""); lock package-lock.json
        "#]],
    );
    check(
        &format!("{json}//- pnpm-lock.yaml\n"),
        &expect![[r#"
        "" ["node_modules false"] ready false copy; Some("pnpm install --frozen-lockfile --ignore-scripts in \"\""); lock pnpm-lock.yaml
        "p/a" ["node_modules false"] ready false copy; Some("pnpm install --frozen-lockfile --ignore-scripts in \"\""); lock pnpm-lock.yaml
    "#]],
    );
    check(
        &format!("{json}//- yarn.lock\n"),
        &expect![[r#"
        "" ["node_modules false"] ready false copy; Some("yarn install --frozen-lockfile --ignore-scripts --non-interactive in \"\""); lock yarn.lock
        "p/a" ["node_modules false"] ready false copy; Some("yarn install --frozen-lockfile --ignore-scripts --non-interactive in \"\""); lock yarn.lock
    "#]],
    );
    check(
        &format!("{json}//- yarn.lock\n//- .yarnrc.yml\n//- .pnp.cjs\n"),
        &expect![[r#"
        "" [] ready true home; Some("yarn install --immutable --mode=skip-build in \"\""); lock yarn.lock
        "p/a" [] ready true home; Some("yarn install --immutable --mode=skip-build in \"\""); lock yarn.lock
    "#]],
    );
    check(
        &format!("{json}//- bun.lock\n"),
        &expect![[r#"
        "" ["node_modules false"] ready false copy; Some("bun install --frozen-lockfile --ignore-scripts in \"\""); lock bun.lock
        "p/a" ["node_modules false"] ready false copy; Some("bun install --frozen-lockfile --ignore-scripts in \"\""); lock bun.lock
    "#]],
    );
    check(
        "//- package.json\n{\"scripts\": {\"test\": \"node --test\"}}\n",
        &expect![[r#"
        "" [] ready true copy; None; lock 
    "#]],
    );
    check(
        "//- pyproject.toml\n[project]\ndependencies = []\n[tool.pytest]\n//- a.py\n//- uv.lock\n",
        &expect![[r#"
            "" [".venv false"] ready false in place; Some("uv sync --frozen --no-build in \"\""); lock uv.lock
        "#]],
    );
    check(
        "//- setup.py\n//- requirements.txt\npytest\n//- .venv/bin/python\n",
        &expect![[r#"
            "" [".venv true"] ready true in place; Some("python3 -m venv .venv && .venv/bin/python -m pip install --only-binary :all: -r requirements.txt in \"\""); lock requirements.txt
        "#]],
    );
    check(
        "//- Cargo.toml\n[package]\nname = \"a\"\n//- Cargo.lock\n",
        &expect![[r#"
        "" [] ready true home; Some("cargo fetch --locked in \"\""); lock Cargo.lock
    "#]],
    );
    check(
        "//- go.mod\nmodule a\n//- vendor/modules.txt\n",
        &expect![[r#"
        "" [] ready true home; None; lock 
    "#]],
    );
    check(
        "//- composer.json\n{}\n",
        &expect![[r#"
            "" ["vendor false"] ready false copy only; Some("composer install --no-interaction --no-scripts --no-plugins --prefer-dist in \"\""); lock 
        "#]],
    );
}

#[test]
fn sa7_no_credentials_are_shown() {
    let secret = [
        ".npmrc",
        ".pypirc",
        ".netrc",
        "credentials",
        "auth.json",
        ".ssh",
        ".aws",
        ".gnupg",
        ".config/gh",
    ];
    for toolchain in Toolchain::ALL {
        let caches = toolchain.caches();
        for path in &caches.readable {
            assert!(!secret.iter().any(|secret| path.contains(secret)), "{path}");
            // A whole home, or the folder beside a secret, would show it too.
            assert!(
                ![".cargo", ".m2", ".gradle", ".config", ".local", ".cache", ".composer", ".nuget"]
                    .contains(path),
                "{path}"
            );
        }
        for (name, value) in &caches.env {
            let writes = ["CACHE", "PYCACHE"].iter().any(|word| name.contains(word))
                && !name.contains("_RO_")
                && !name.contains("MOD");
            assert!(!writes || value.starts_with("{scratch}"), "{name} {value}");
        }
    }
    assert!(caches::may_be_shown("[source.crates-io]\nreplace-with = \"mirror\"\n"));
    assert!(!caches::may_be_shown("<server><Password>x</Password></server>"));
}

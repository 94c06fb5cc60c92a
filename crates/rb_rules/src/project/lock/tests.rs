use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::{Ask, Kind, Lock};

/// Asks for the names in `wanted`, each as `folder:name` or `folder:name@range`.
#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check(name: &str, text: &str, wanted: &str, expected: Expect) {
    let lock = Lock::new(String::new(), Kind::of_name(name).unwrap(), text.to_owned());
    let mut shown = String::new();
    for word in wanted.split_whitespace() {
        let (dir, asked) = word.split_once(':').unwrap();
        let at = asked[1..].find('@').map_or(asked.len(), |at| at + 1);
        let from = dir.rsplit('/').next();
        let range = asked.get(at + 1..);
        let version = lock.version(&Ask { dir, from, name: &asked[..at], range });
        let version = version.map_or_else(|| "unknown".to_owned(), |it| it.to_string());
        writeln!(shown, "{word} {version}").unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn ru1_versions_of_npm() {
    let one = r#"{"lockfileVersion": 1, "dependencies": {"react": {"version": "17.0.2", "dependencies": {"next": {"version": "1.0.0"}}}}}"#;
    check(
        "package-lock.json",
        one,
        ":react apps/web:react :next",
        expect![[r#"
            :react 17.0.2
            apps/web:react 17.0.2
            :next unknown
        "#]],
    );
    let three = r#"{"lockfileVersion": 3, "packages": {
        "": {"name": "root"},
        "apps/old": {"version": "1.0.0"},
        "apps/old/node_modules/react": {"version": "17.0.2"},
        "node_modules/react": {"version": "18.3.1"},
        "node_modules/old": {"resolved": "apps/old", "link": true}
    }}"#;
    check(
        "package-lock.json",
        three,
        ":react apps/old:react apps/old/src:react apps/web:react :old :vue",
        expect![[r#"
            :react 18.3.1
            apps/old:react 17.0.2
            apps/old/src:react 17.0.2
            apps/web:react 18.3.1
            :old unknown
            :vue unknown
        "#]],
    );
}

#[test]
fn ru1_versions_of_yarn() {
    let one = r#"# yarn lockfile v1


"@scope/a@^1.0.0":
  version "1.4.0"
  resolved "x"

react@^17.0.0:
  version "17.0.2"
  dependencies:
    version "9.9.9"

react@^18.0.0, react@^18.2.0:
  version "18.3.1"

next@15.0.0:
  version "15.0.0"
"#;
    check(
        "yarn.lock",
        one,
        ":react@^18.2.0 :react@^17.0.0 :react@^16 :react :@scope/a@^1.0.0 :@scope/a :next",
        expect![[r#"
            :react@^18.2.0 18.3.1
            :react@^17.0.0 17.0.2
            :react@^16 unknown
            :react unknown
            :@scope/a@^1.0.0 1.4.0
            :@scope/a 1.4.0
            :next 15.0.0
        "#]],
    );
    let four = r#"__metadata:
  version: 8

"react@npm:^18.2.0, react@npm:^18.3.0":
  version: 18.3.1
  resolution: "react@npm:18.3.1"

"react@npm:^19.0.0":
  version: 19.1.0

"web@workspace:apps/web":
  version: 0.0.0-use.local
"#;
    check(
        "yarn.lock",
        four,
        ":react@^18.2.0 :react@npm:^18.3.0 :react@^19.0.0 :react :web",
        expect![[r#"
            :react@^18.2.0 18.3.1
            :react@npm:^18.3.0 18.3.1
            :react@^19.0.0 19.1.0
            :react unknown
            :web unknown
        "#]],
    );
}

#[test]
fn ru1_versions_of_pnpm() {
    let nine = "lockfileVersion: '9.0'

catalogs:
  default:
    react:
      specifier: ^19.0.0
      version: 19.0.0

importers:

  .:
    devDependencies:
      typescript:
        specifier: 5.8.2
        version: 5.8.2

  apps/web:
    dependencies:
      '@repo/ui':
        specifier: workspace:*
        version: link:../../packages/ui
      next:
        specifier: 15.1.0
        version: 15.1.0(react-dom@19.0.0(react@19.0.0))(react@19.0.0)
      react:
        specifier: 'catalog:'
        version: 19.0.0

packages:

  '@types/react@19.0.1':
    resolution: {integrity: x}

  react@18.3.1:
    resolution: {integrity: x}

  react@19.0.0:
    resolution: {integrity: x}
";
    check(
        "pnpm-lock.yaml",
        nine,
        ":typescript apps/web:next apps/web:react apps/web:@repo/ui packages/ui:react packages/ui:@types/react",
        expect![[r#"
            :typescript 5.8.2
            apps/web:next 15.1.0
            apps/web:react 19.0.0
            apps/web:@repo/ui unknown
            packages/ui:react unknown
            packages/ui:@types/react 19.0.1
        "#]],
    );
    let six = "lockfileVersion: '6.0'\n\ndependencies:\n  react:\n    specifier: ^18\n    version: 18.2.0\n\npackages:\n\n  /next@14.0.0(react@18.2.0):\n    dev: false\n";
    check(
        "pnpm-lock.yaml",
        six,
        ":react :next",
        expect![[r#"
        :react 18.2.0
        :next 14.0.0
    "#]],
    );
    let five = "lockfileVersion: 5.4\n\nspecifiers:\n  react: ^17\n\ndependencies:\n  react: 17.0.2\n  react-dom: 17.0.2_react@17.0.2\n\npackages:\n\n  /next/12.0.0_react@17.0.2:\n    dev: false\n";
    check(
        "pnpm-lock.yaml",
        five,
        ":react :react-dom :next",
        expect![[r#"
        :react 17.0.2
        :react-dom 17.0.2
        :next 12.0.0
    "#]],
    );
}

#[test]
fn ru1_versions_of_bun() {
    let text = r#"{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "root", },
    "apps/web": { "name": "web", "dependencies": { "react": "^18.0.0", }, },
  },
  "packages": {
    "@scope/a": ["@scope/a@1.2.3", "", {}, "sha512-x=="],
    "react": ["react@19.0.0", "", {}, "sha512-a//b=="],
    "web": ["web@workspace:apps/web"],

    "web/react": ["react@18.3.1", "", {}, "sha512-x=="],
  }
}
"#;
    check(
        "bun.lock",
        text,
        ":react apps/web:react :@scope/a :web :vue",
        expect![[r#"
        :react 19.0.0
        apps/web:react 18.3.1
        :@scope/a 1.2.3
        :web unknown
        :vue unknown
    "#]],
    );
}

#[test]
fn ru1_a_lock_file_that_is_broken_pins_nothing() {
    for (name, text) in [
        ("package-lock.json", "{\"packages\": [1]}"),
        ("package-lock.json", "<<<<<<< HEAD"),
        ("yarn.lock", "  version \"1\"\n:\n  version\n"),
        ("pnpm-lock.yaml", "importers:\n  .:\n    dependencies:\n      react:\n        version:\n"),
        ("pnpm-lock.yaml", "packages:\n  /:\n  '':\n  @:\n"),
        ("bun.lock", "{\"packages\": {\"react\": [[]]}}"),
        ("bun.lock", "\u{0}"),
    ] {
        let lock = Lock::new(String::new(), Kind::of_name(name).unwrap(), text.to_owned());
        let ask = Ask { dir: "", from: None, name: "react", range: Some("*") };
        assert_eq!(lock.version(&ask), None, "{text}");
    }
}

use expect_test::expect;

use super::check_packages;

#[test]
fn ru1_the_installed_version_comes_first() {
    check_packages(
        r#"
//- package.json
{"name": "a", "dependencies": {"react": "^18.0.0", "next": "^14.0.0"}}
//- package-lock.json
{"packages": {"node_modules/react": {"version": "18.2.0"}, "node_modules/next": {"version": "14.1.0"}}}
//- node_modules/react/package.json
{"name": "react", "version": "18.3.1"}
"#,
        expect![[r#"
            package ""
              react: 18.3.1 Installed
              next: 14.1.0 Lockfile
              is: ssr, styled-jsx
              es: 2018
        "#]],
    );
}

#[test]
fn ru1_without_an_install_the_lock_file_and_then_the_range() {
    check_packages(
        r#"
//- package.json
{"name": "root", "private": true}
//- yarn.lock
react@^18.0.0:
  version "18.3.1"
//- apps/a/package.json
{"name": "a", "dependencies": {"react": "^18.0.0"}}
//- apps/b/package.json
{"name": "b", "dependencies": {"react": ">=17 <20"}}
//- apps/c/package.json
{"name": "c", "dependencies": {"react": "canary", "next": "latest"}}
//- apps/d/package.json
{"name": "d", "dependencies": {"react": "npm:@preact/compat@^17.0.0"}}
//- apps/e/package.json
{"name": "e", "dependencies": {"vue": "3"}}
//- apps/f/package.json
not json
"#,
        expect![[r#"
            package ""
            package "apps/a"
              react: 18.3.1 Lockfile
            package "apps/b"
              react: 18.3.1 Lockfile
            package "apps/c"
              react: 18.3.1 Lockfile
              next: unknown
              is: ssr, styled-jsx
              es: 2018
            package "apps/d"
              react: unknown
            package "apps/e"
        "#]],
    );
}

#[test]
fn ru1_catalogs_of_pnpm() {
    check_packages(
        r#"
//- package.json
{"name": "root", "private": true}
//- pnpm-workspace.yaml
packages:
  - apps/*
catalog:
  react: ^18.2.0
  # next: 1
  'next': "14.2.3"
catalogs:
  react19:
    react: ^19.1.0
//- apps/a/package.json
{"name": "a", "dependencies": {"react": "catalog:", "next": "catalog:default"}}
//- apps/b/package.json
{"name": "b", "dependencies": {"react": "catalog:react19", "next": "catalog:gone"}}
"#,
        expect![[r#"
            package ""
            package "apps/a"
              react: 18.2.0 Manifest
              next: 14.2.3 Manifest
              is: ssr, styled-jsx
              es: 2018
            package "apps/b"
              react: 19.1.0 Manifest
              next: unknown
              is: ssr, styled-jsx
              es: 2018
        "#]],
    );
}

#[test]
fn ru1_catalogs_of_bun_and_yarn() {
    check_packages(
        r#"
//- bun/package.json
{"name": "root", "workspaces": {"packages": ["*"], "catalog": {"react": "^19.0.0"}, "catalogs": {"old": {"react": "17.0.2"}}}}
//- bun/a/package.json
{"name": "a", "dependencies": {"react": "catalog:"}}
//- bun/b/package.json
{"name": "b", "dependencies": {"react": "catalog:old"}}
//- yarn/package.json
{"name": "yarn"}
//- yarn/.yarnrc.yml
nodeLinker: node-modules
catalog:
  react: ^18.3.0
//- yarn/c/package.json
{"name": "c", "dependencies": {"react": "catalog:"}}
//- yarn/yarn.lock
"react@npm:^18.3.0":
  version: 18.3.1
"#,
        expect![[r#"
            package "bun"
            package "bun/a"
              react: 19.0.0 Manifest
            package "bun/b"
              react: 17.0.2 Manifest
            package "yarn"
            package "yarn/c"
              react: 18.3.1 Lockfile
        "#]],
    );
}

#[test]
fn ru1_what_is_published_runs_with_the_oldest_peer() {
    check_packages(
        r#"
//- package.json
{"name": "root", "private": true}
//- lib/package.json
{"name": "lib", "peerDependencies": {"react": "^16.8.0 || ^17 || ^18"}, "devDependencies": {"react": "18.2.0"}}
//- internal/package.json
{"name": "internal", "private": true, "peerDependencies": {"react": "^16.8.0 || ^17 || ^18"}, "devDependencies": {"react": "18.2.0"}}
//- open/package.json
{"name": "open", "peerDependencies": {"react": "*"}, "devDependencies": {"react": "18.2.0"}}
"#,
        expect![[r#"
            package ""
            package "internal"
              react: 18.2.0 Manifest
            package "lib"
              react: 18.2.0 Manifest
              react floor: 16.8.0
            package "open"
              react: 18.2.0 Manifest
              react floor: unknown
        "#]],
    );
}

#[test]
fn ru1_a_workspace_member_has_the_version_that_it_says() {
    check_packages(
        r#"
//- react/package.json
{"name": "react", "version": "19.2.0"}
//- app/package.json
{"name": "app", "dependencies": {"react": "workspace:*"}}
//- web/package.json
{"name": "web", "dependencies": {"react": "workspace:^19.1.0"}}
"#,
        expect![[r#"
            package "app"
              react: 19.2.0 Manifest
            package "react"
            package "web"
              react: 19.1.0 Manifest
        "#]],
    );
}

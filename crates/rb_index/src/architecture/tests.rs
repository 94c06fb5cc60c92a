//! Whole results over small trees. What a rule must not say is as much part of a result as what it says.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;
use crate::fixture::{edges, externals, tree};

/// A repository in a few words.
#[derive(Default)]
struct Case<'a> {
    files: &'a str,
    texts: &'a [(&'a str, &'a str)],
    imports: &'a str,
    externals: &'a str,
}

#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check(case: Case, expected: Expect) {
    let tree = tree(case.files, case.texts);
    let edges = edges(&tree, case.imports);
    let externals = externals(&tree, case.externals);
    let found = detect(&Input { tree: &tree, edges: &edges, externals: &externals });
    expected.assert_eq(&shown(&found));
    let stored = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Architecture>(&stored).unwrap(), found);
}

fn shown(found: &Architecture) -> String {
    let What { name, description, kinds, version, license, main_language } = &found.what;
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    let language = main_language.map(rb_lang::Language::name);
    let mut shown =
        format!("{name:?} {version:?} {license:?} {language:?} {kinds:?}\n{description:?}\n");
    for Finding { pattern, confidence, evidence } in &found.patterns {
        writeln!(shown, "{confidence:?} {}", pattern.name()).unwrap();
        for Clue { kind, path: _, text } in evidence {
            writeln!(shown, "    {kind:?}: {text}").unwrap();
        }
    }
    for Layering { pattern, layers, against } in &found.layers {
        writeln!(shown, "layers of {}", pattern.map_or("the folders", Pattern::name)).unwrap();
        for Layer { name, folders } in layers {
            let folders: Vec<String> =
                folders.iter().map(|folder| format!("{} {}", folder.path, folder.files)).collect();
            writeln!(shown, "    {name}: {}", folders.join(", ")).unwrap();
        }
        for Against { from, to, imports, example: (importing, imported) } in against {
            writeln!(shown, "    against: {from} > {to} {imports} times: {importing} > {imported}")
                .unwrap();
        }
    }
    for EntryPoint { path, kind, reasons, secondary } in &found.entry_points {
        let mark = if *secondary { " (secondary)" } else { "" };
        writeln!(shown, "entry {path}: {}{mark}: {}", kind.name(), reasons.join("; ")).unwrap();
    }
    shown
}

#[test]
fn ix12_smart003_1_and_3_mvc_with_its_boundaries() {
    check(
        Case {
            files: "app/models/user.rb app/models/order.rb app/controllers/users_controller.rb app/views/users/index.erb
                    config/routes.rb config.ru bin/rails:main spec/models/user_spec.rb",
            texts: &[("Gemfile", "gem 'rails'\n"), ("README.md", "# Shop\n\nSells things to people.\n")],
            imports: "app/controllers/users_controller.rb>app/models/user.rb app/controllers/users_controller.rb>app/models/order.rb
                      app/controllers/users_controller.rb>app/models/user.rb app/models/order.rb>app/controllers/users_controller.rb",
            ..Case::default()
        },
        expect![[r#"
            Some("Shop") None None Some("Ruby") ["web service"]
            Some("Sells things to people.")
            Sure web service
                Dependency: Gemfile depends on rails
                Folders: app/controllers/
                File: config/routes.rb
            Sure Ruby on Rails
                Dependency: Gemfile depends on rails
                File: config/routes.rb
                Folders: app/controllers/
            Sure MVC
                Folders: app/controllers, app/views, app/models lie side by side
                Import: imports lead from app/controllers to app/models: 3 there, 1 back
                File: app/controllers/users_controller.rb
            layers of MVC
                controllers: app/controllers 1
                views: app/views 1
                models: app/models 2
                against: app/models > app/controllers 1 times: app/models/order.rb > app/controllers/users_controller.rb
            entry config.ru: server: is what a Ruby web server loads
            entry config/routes.rb: app: maps requests to Rails controllers
        "#]],
    );
}

#[test]
fn ix12_smart003_1_folders_alone_are_not_sure() {
    check(
        Case { files: "src/models/a.js src/views/b.js src/controllers/c.js", ..Case::default() },
        expect![[r#"
            None None None Some("JavaScript") []
            None
            Likely MVC
                Folders: src/controllers, src/views, src/models lie side by side
            layers of MVC
                controllers: src/controllers 1
                views: src/views 1
                models: src/models 1
        "#]],
    );
}

#[test]
fn ix12_smart003_1_monorepo() {
    check(
        Case {
            files: "packages/core/src/index.ts:500 packages/cli/src/cli.ts packages/core/src/index.test.ts examples/a/main.ts
                    scripts/release.ts:main",
            texts: &[
                ("package.json", r#"{"name": "kit-monorepo", "private": true, "workspaces": ["packages/*"]}"#),
                ("packages/core/package.json", r#"{"name": "kit", "version": "2.1.0", "license": "MIT", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.mjs"}}}"#),
                ("packages/cli/package.json", r#"{"name": "kit-cli", "version": "2.1.0", "bin": {"kit": "dist/cli.js"}, "dependencies": {"commander": "1", "kit": "2"}}"#),
                ("examples/a/package.json", r#"{"name": "a", "dependencies": {"express": "5", "next": "15"}}"#),
            ],
            imports: "packages/cli/src/cli.ts>packages/core/src/index.ts packages/core/src/index.test.ts>packages/core/src/index.ts",
            externals: "packages/cli/src/cli.ts>commander examples/a/main.ts>express",
        },
        expect![[r#"
            Some("kit") Some("2.1.0") Some("MIT") Some("TypeScript") ["command-line tool", "library"]
            None
            Sure command-line tool
                Manifest: packages/cli/package.json installs kit
                Dependency: packages/cli/package.json depends on commander
            Sure library
                Manifest: packages/core/package.json is published with an entry for others
                File: packages/core/src/index.ts
            Sure monorepo
                Manifest: package.json names workspaces
                File: packages/cli/package.json, packages/core/package.json
            layers of the folders
                cli: packages/cli 1
                core: packages/core 1
            entry packages/core/src/index.ts: library: packages/core/package.json exports it as .
            entry packages/cli/src/cli.ts: program: packages/cli/package.json installs it as kit
            entry scripts/release.ts: script (secondary): can be started by itself
        "#]],
    );
}

#[test]
fn ix12_smart003_1_and_3_clean_architecture_and_what_breaks_it() {
    check(
        Case {
            files: "src/domain/order.ts src/domain/money.ts src/application/place.ts src/infrastructure/db.ts src/presentation/http.ts src/main.ts",
            texts: &[("package.json", r#"{"name": "orders", "private": true, "scripts": {"start": "node dist/main.js"}, "dependencies": {"fastify": "5"}}"#)],
            imports: "src/application/place.ts>src/domain/order.ts src/infrastructure/db.ts>src/domain/order.ts
                      src/infrastructure/db.ts>src/domain/money.ts src/presentation/http.ts>src/application/place.ts
                      src/domain/money.ts>src/infrastructure/db.ts src/main.ts>src/presentation/http.ts",
            externals: "src/main.ts>fastify src/presentation/http.ts>fastify",
        },
        expect![[r#"
            Some("orders") None None Some("TypeScript") ["web service"]
            None
            Sure web service
                Dependency: package.json depends on fastify
                Import: src/main.ts imports fastify
            Sure clean/hexagonal
                Folders: src/presentation, src/infrastructure, src/application, src/domain lie side by side
                Import: imports lead from src/application to src/domain: 1 there, 0 back
            layers of clean/hexagonal
                interfaces: src/presentation 1
                infrastructure: src/infrastructure 1
                application: src/application 1
                domain: src/domain 2
                against: src/domain > src/infrastructure 1 times: src/domain/money.ts > src/infrastructure/db.ts
            layers of the folders
                src, infrastructure: src 1, src/infrastructure 1
                presentation: src/presentation 1
                application: src/application 1
                domain: src/domain 2
                against: src/domain > src/infrastructure 1 times: src/domain/money.ts > src/infrastructure/db.ts
            entry src/main.ts: server: package.json runs it on start; imports fastify
        "#]],
    );
}

#[test]
fn ix12_smart003_1_single_page_app() {
    check(
        Case {
            files: "index.html src/main.tsx src/components/Button.tsx src/pages/Home.tsx src/router.tsx vite.config.ts",
            texts: &[(
                "package.json",
                r#"{"name": "web", "private": true, "dependencies": {"react": "19", "react-router-dom": "7"}, "devDependencies": {"vite": "7"}}"#,
            )],
            imports: "src/main.tsx>src/router.tsx src/router.tsx>src/pages/Home.tsx src/pages/Home.tsx>src/components/Button.tsx",
            ..Case::default()
        },
        expect![[r#"
            Some("web") None None Some("TypeScript") ["frontend SPA"]
            None
            Sure frontend SPA
                File: index.html
                Dependency: package.json depends on react and react-router-dom
                Folders: src/components, src/pages lie side by side
            layers of the folders
                src: src 2
                pages: src/pages 1
                components: src/components 1
            entry src/main.tsx: app: is where the bundle starts
        "#]],
    );
}

#[test]
fn ix12_smart003_1_and_4_serverless() {
    check(
        Case {
            files: "functions/orders.ts functions/users.ts",
            texts: &[
                (
                    "serverless.yml",
                    "functions:\n  create:\n    handler: functions/orders.create\n  get:\n    handler: functions/users.get\n",
                ),
                ("package.json", r#"{"private": true, "devDependencies": {"serverless": "4"}}"#),
            ],
            ..Case::default()
        },
        expect![[r#"
            None None None Some("TypeScript") ["serverless"]
            None
            Sure serverless
                File: serverless.yml
                Dependency: package.json depends on serverless
                Folders: functions/
            entry functions/orders.ts: function: serverless.yml names it as a handler
            entry functions/users.ts: function: serverless.yml names it as a handler
        "#]],
    );
}

#[test]
fn ix12_smart003_1_tests_examples_and_foreign_code_prove_nothing() {
    check(
        Case {
            files: "lib/index.js lib/view.js tests/site/manage.py tests/site/settings.py tests/site/urls.py tests/app/models/a.py
                    tests/app/views/a.py tests/app/controllers/a.py examples/next/app/layout.tsx vendor/rails/config/routes.rb
                    docs/serverless.yml test/fixtures/mono/lerna.json",
            texts: &[
                ("package.json", r#"{"name": "tiny", "version": "1.0.0", "main": "lib/index.js"}"#),
                ("examples/next/package.json", r#"{"dependencies": {"next": "15"}}"#),
                ("test/fixtures/mono/package.json", r#"{"workspaces": ["*"]}"#),
                ("vendor/rails/Gemfile", "gem 'rails'\n"),
            ],
            ..Case::default()
        },
        expect![[r#"
            Some("tiny") Some("1.0.0") None Some("JavaScript") ["library"]
            None
            Sure library
                Manifest: package.json is published with an entry for others
                File: lib/index.js
            entry lib/index.js: library: package.json names it as main
        "#]],
    );
}

#[test]
fn ix12_smart003_4_entry_points_of_python() {
    check(
        Case {
            files: "manage.py:main shop/settings.py shop/urls.py shop/wsgi.py shop/celery.py shop/orders/models.py shop/orders/views.py
                    shop/orders/apps.py shop/orders/tests.py tools/seed.py:main shop/util.py:main",
            texts: &[
                ("pyproject.toml", "[project]\nname = \"shop\"\nscripts = { shop-admin = \"shop.admin:main\" }\ndependencies = [\"Django>=5\", \"celery\"]\n"),
                ("shop/admin.py", ""),
                ("Procfile", "web: gunicorn shop.wsgi:application\nworker: celery -A shop.celery worker\n"),
            ],
            imports: "shop/urls.py>shop/orders/views.py shop/orders/views.py>shop/orders/models.py",
            externals: "shop/settings.py>django shop/celery.py>celery",
        },
        expect![[r#"
            Some("shop") None None Some("Python") ["web service", "command-line tool"]
            None
            Sure web service
                Dependency: pyproject.toml depends on django
                Import: shop/settings.py imports django
                File: shop/wsgi.py
            Sure Django project (MTV)
                File: manage.py
                File: shop/settings.py
                Dependency: pyproject.toml depends on django
                Folders: apps with models of their own, 1 in all: shop/orders
            Sure event-driven, queue workers
                Dependency: pyproject.toml depends on celery
                Import: shop/celery.py imports celery
                File: shop/celery.py
            Likely command-line tool
                Manifest: pyproject.toml installs shop-admin
            layers of the folders
                shop: shop 6
                orders: shop/orders 3
            entry manage.py: program: manages a Django project
            entry shop/admin.py: program: pyproject.toml installs it as shop-admin
            entry shop/wsgi.py: server: Procfile starts it as web; is what a Python web server loads
            entry shop/celery.py: worker: Procfile starts it as worker; sets up Celery
            entry shop/util.py: script (secondary): can be started by itself
            entry tools/seed.py: script (secondary): can be started by itself
        "#]],
    );
}

#[test]
fn ix12_smart003_4_entry_points_of_cargo_and_go() {
    check(
        Case {
            files: "crates/core/main.rs:main,900 crates/grep/src/lib.rs crates/grep/src/bin/probe.rs:main crates/grep/examples/simple.rs:main build.rs:main",
            texts: &[
                (
                    "Cargo.toml",
                    "[package]\nname = \"find\"\nversion = \"1.2.3\"\ndescription = \"Finds.\\nThings.\"\ncategories = [\"command-line-utilities\"]\n[[bin]]\nname = \"f\"\npath = \"crates/core/main.rs\"\n[workspace]\nmembers = [\"crates/grep\"]\n[dependencies]\nlexopt = \"0.3\"\n",
                ),
                ("crates/grep/Cargo.toml", "[package]\nname = \"grep\"\ndescription = \"x\"\n"),
                ("crates/other/Cargo.toml", "[package]\nname = \"other\"\n"),
            ],
            imports: "crates/core/main.rs>crates/grep/src/lib.rs",
            ..Case::default()
        },
        expect![[r#"
            Some("find") Some("1.2.3") None Some("Rust") ["command-line tool", "library"]
            Some("Finds. Things.")
            Sure command-line tool
                Manifest: Cargo.toml is in the category command-line-utilities
                Dependency: Cargo.toml depends on lexopt
            Sure library
                Manifest: crates/grep/Cargo.toml is published with a library
                File: crates/grep/src/lib.rs
            Sure Cargo workspace
                Manifest: Cargo.toml holds [workspace]
                File: crates/grep/Cargo.toml, crates/other/Cargo.toml
            layers of the folders
                core: crates/core 1
                grep: crates/grep 2
            entry crates/core/main.rs: program: Cargo.toml builds it as f
            entry crates/grep/src/bin/probe.rs: program: crates/grep/Cargo.toml builds it as a program
            entry crates/grep/src/lib.rs: library: is the root of the crate grep
            entry build.rs: script (secondary): can be started by itself
            entry crates/grep/examples/simple.rs: script (secondary): can be started by itself
        "#]],
    );
    check(
        Case {
            files: "cmd/gh/main.go:main cmd/gen-docs/main.go:main internal/config/config.go pkg/cmd/pr/pr.go pkg/cmd/issue/issue.go pkg/cmd/repo/repo.go
                    pkg/cmd/auth/auth.go pkg/cmd/pr/pr_test.go",
            texts: &[("go.mod", "module github.com/acme/gh/v2\n\nrequire github.com/spf13/cobra v1.8.0\n"), ("README.md", "# gh\n\n`gh` is a forge on the command line. It does more.\n")],
            imports: "cmd/gh/main.go>pkg/cmd/pr/pr.go pkg/cmd/pr/pr.go>internal/config/config.go",
            ..Case::default()
        },
        expect![[r#"
            Some("gh") None None Some("Go") ["command-line tool"]
            Some("gh is a forge on the command line.")
            Sure command-line tool
                Dependency: go.mod depends on github.com/spf13/cobra
                File: cmd/gh/main.go can be started
            Sure Go standard layout
                Folders: cmd, internal, pkg lie side by side
                Manifest: go.mod is a Go module
            Sure commands folder
                Folders: pkg/cmd/ holds 4 entries
                Dependency: go.mod depends on github.com/spf13/cobra
            layers of the folders
                cmd: cmd 2
                pr: pkg/cmd/pr 1
                internal: internal 1
            entry cmd/gh/main.go: program: can be started by itself
            entry cmd/gen-docs/main.go: program (secondary): can be started by itself
        "#]],
    );
}

#[test]
fn ix12_smart003_4_entry_points_of_next() {
    check(
        Case {
            files: "app/layout.tsx app/page.tsx app/cart/page.tsx middleware.ts components/Cart.tsx lib/api.ts next.config.ts",
            texts: &[(
                "package.json",
                r#"{"private": true, "scripts": {"dev": "next dev", "start": "next start"}, "dependencies": {"next": "15", "react": "19"}}"#,
            )],
            imports: "app/page.tsx>components/Cart.tsx components/Cart.tsx>lib/api.ts app/cart/page.tsx>components/Cart.tsx",
            ..Case::default()
        },
        expect![[r#"
            None None None Some("TypeScript") ["web app"]
            None
            Sure web app
                Dependency: package.json depends on next
                File: app/layout.tsx
            Sure Next.js app router
                Dependency: package.json depends on next
                File: app/layout.tsx
            layers of the folders
                app: app 3
                components: components 1
                lib: lib 1
            entry middleware.ts: app: runs before every request
            entry app/layout.tsx: app: is the root layout of the app router
            entry app/page.tsx: app: is the first page of the app router
        "#]],
    );
}

#[test]
fn ix12_smart003_3_layers_follow_the_imports() {
    // `ui` and `state` import each other about as much; one import from `util` leads up.
    check(
        Case {
            files: "src/ui/a.ts src/ui/b.ts src/state/a.ts src/state/b.ts src/util/a.ts src/util/b.ts src/alone/a.ts src/main.ts",
            imports: "src/main.ts>src/ui/a.ts src/ui/a.ts>src/state/a.ts src/state/b.ts>src/ui/b.ts src/ui/a.ts>src/util/a.ts
                      src/ui/b.ts>src/util/a.ts src/ui/a.ts>src/util/b.ts src/ui/b.ts>src/util/b.ts src/state/a.ts>src/util/a.ts src/util/b.ts>src/ui/a.ts",
            ..Case::default()
        },
        expect![[r#"
            None None None Some("TypeScript") []
            None
            layers of the folders
                src: src 1
                state, ui: src/state 2, src/ui 2
                util: src/util 2
                against: src/util > src/ui 1 times: src/util/b.ts > src/ui/a.ts
        "#]],
    );
}

#[test]
fn ix12_what_it_is_falls_back_to_the_readme() {
    check(
        Case {
            files: "main.c:main,400 util.c",
            texts: &[
                ("README.md", "# jq\n\n[![ci](a)](b)\n\njq is like `sed` for JSON. And more.\n"),
                ("LICENSE", "Permission is hereby granted, free of charge"),
            ],
            ..Case::default()
        },
        expect![[r#"
            Some("jq") None Some("MIT") Some("C") ["command-line tool"]
            Some("jq is like sed for JSON.")
            Likely command-line tool
                Import: main.c holds main
            entry main.c: program: can be started by itself
        "#]],
    );
}

#[test]
fn ix12_every_pattern_has_its_own_name() {
    let mut names: Vec<&str> = Pattern::ALL.iter().map(|pattern| pattern.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Pattern::ALL.len());
}

#[test]
fn ix12_odd_trees_do_no_harm() {
    check(
        Case::default(),
        expect![[r#"
        None None None None []
        None
    "#]],
    );
    let odd = r#"{"name": "\u0000\u202e", "bin": {"x": "../../../etc/passwd"}, "exports": {"./a": [null, {"b": ["./é.js"]}]}, "main": "", "scripts": {"start": "é ./ .. "}}"#;
    check(
        Case {
            files: "é.ts a:main",
            texts: &[("package.json", odd), ("Dockerfile", "CMD [\"/../..\", \"é\"]\n")],
            ..Case::default()
        },
        expect![[r#"
            None None None Some("TypeScript") ["command-line tool"]
            None
            Likely command-line tool
                Manifest: package.json installs x
            entry é.ts: library part: package.json exports it as ./a
        "#]],
    );
}

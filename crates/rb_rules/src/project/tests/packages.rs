use expect_test::expect;
use rb_index::OnDisk;

use super::{Project, check, check_packages, index, write_files};

#[test]
fn ix5_the_compiler_is_on_where_a_config_says_so() {
    check_packages(
        r#"
//- next/package.json
{"name": "next-app", "dependencies": {"react": "19.0.0", "next": "15.3.0", "babel-plugin-react-compiler": "1"}}
//- next/next.config.ts
export default { experimental: { reactCompiler: true } };
//- off/package.json
{"name": "off", "dependencies": {"react": "19.0.0", "next": "16.0.0", "babel-plugin-react-compiler": "1"}}
//- off/next.config.mjs
export default { reactCompiler: false };
//- vite/package.json
{"name": "vite-app", "dependencies": {"react": "19.0.0"}}
//- vite/vite.config.ts
export default { plugins: [react({ babel: { plugins: ['babel-plugin-react-compiler'] } })] };
//- babel/package.json
{"name": "babel-app", "dependencies": {"react": "19.0.0"}}
//- babel/.babelrc
{ "plugins": [["react-compiler", {}]] }
//- expo/package.json
{"name": "expo-app", "dependencies": {"react": "19.0.0", "expo": "52"}}
//- expo/app.json
{"expo": {"experiments": {"reactCompiler": true}}}
//- plain/package.json
{"name": "plain", "dependencies": {"react": "19.0.0"}}
//- plain/vite.config.ts
// 'babel-plugin-react-compiler' is not ready for us
export default {};
//- lint/package.json
{"name": "lint", "dependencies": {"react": "19.0.0"}, "devDependencies": {"eslint-plugin-react-compiler": "1"}}
//- lint/eslint.config.js
export default [{ plugins: { 'react-compiler': x } }];
"#,
        expect![[r#"
            package "babel"
              react: 19.0.0 Manifest
              is: compiler
            package "expo"
              react: 19.0.0 Manifest
              is: compiler, react native
            package "lint"
              react: 19.0.0 Manifest
            package "next"
              react: 19.0.0 Manifest
              next: 15.3.0 Manifest
              is: compiler, ssr, styled-jsx
              es: 2018
            package "off"
              react: 19.0.0 Manifest
              next: 16.0.0 Manifest
              is: ssr, styled-jsx
              es: 2022
            package "plain"
              react: 19.0.0 Manifest
            package "vite"
              react: 19.0.0 Manifest
              is: compiler
        "#]],
    );
}

#[test]
fn ru1_what_a_package_is_made_with() {
    check_packages(
        r#"
//- package.json
{"name": "root", "private": true, "engines": {"node": ">=20.10"}, "devDependencies": {"prettier": "3", "eslint-plugin-react-hooks": "^7.0.0"}}
//- .browserslistrc
# browsers
chrome >= 100
safari >= 15.4 # old
//- web/package.json
{"name": "web", "dependencies": {"react": "18.0.0", "styled-components": "6", "@emotion/react": "11", "@trpc/react-query": "1", "swr": "2", "@web/ui": "workspace:*"}, "browserslist": {"production": [">0.2%", "not dead"], "development": ["last 1 chrome version"]}}
//- web/biome.jsonc
{}
//- web/src/server.tsx
import { renderToPipeableStream } from 'react-dom/server';
export const go = () => renderToPipeableStream(<a />);
//- ui/package.json
{"name": "@web/ui", "private": true, "peerDependencies": {"react": "*"}}
//- mobile/package.json
{"name": "mobile", "dependencies": {"react": "18.0.0", "react-native": "0.76"}}
//- mobile/src/marker/package.json
{"type": "module"}
"#,
        expect![[r#"
            package ""
              node: 20.10.0
              browsers: chrome >= 100, safari >= 15.4
              es: 2023
              hooks lint: 7.0.0 Manifest
              formatter: Prettier
            package "mobile"
              react: 18.0.0 Manifest
              is: react native
              node: 20.10.0
              browsers: chrome >= 100, safari >= 15.4
              es: 2022
              hooks lint: 7.0.0 Manifest
              formatter: Prettier
            package "ui"
              react: unknown
              is: ssr
              node: 20.10.0
              browsers: chrome >= 100, safari >= 15.4
              es: 2022
              hooks lint: 7.0.0 Manifest
              formatter: Prettier
            package "web"
              react: 18.0.0 Manifest
              is: ssr
              node: 20.10.0
              browsers: >0.2%, not dead
              styles: @emotion/react, styled-components
              queries: swr
              hooks lint: 7.0.0 Manifest
              formatter: Biome
        "#]],
    );
}

#[test]
fn ru1_barrels_that_next_sees_through() {
    #[track_caller]
    fn check(next: &str, config: &str, optimized: &[&str], not: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        let fixture = format!(
            "//- package.json\n{{\"name\": \"a\", \"dependencies\": {{{next}}}}}\n//- next.config.js\n{config}\n//- a.tsx\n"
        );
        write_files(&root, &fixture);
        let indexed = index(&root, &folder.path().join("store"));
        let project = Project::of(&indexed.view().unwrap(), None, &OnDisk { root: &root });
        let package = &project.packages()[0];
        for name in optimized {
            assert!(package.is_optimized(name), "{name} of {next}");
        }
        for name in not {
            assert!(!package.is_optimized(name), "{name} of {next}");
        }
    }
    let told = "x = { experimental: { optimizePackageImports: ['@acme/ui'] } }";
    check(
        r#""next": "15.0.0""#,
        told,
        &["lucide-react", "@acme/ui", "react-icons/fa", "effect", "@effect/sql"],
        &["react-icons", "react-icons/", "@mantine/core", "@acme/ui/x"],
    );
    check(r#""next": "14.2.0""#, "", &["date-fns"], &["effect", "@acme/ui"]);
    check(r#""next": "13.4.0""#, told, &["@acme/ui"], &["date-fns"]);
    check(r#""next": "canary""#, "", &["date-fns", "effect"], &[]);
    check(r#""react": "19.0.0""#, told, &[], &["date-fns", "@acme/ui"]);
}

#[test]
fn ru1_modules_that_tests_replace() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("project");
    write_files(
        &root,
        "
//- package.json
{\"name\": \"a\"}
//- src/a.test.ts
vi.mock('lodash'); vi.mock('./b');
//- src/b.ts
mock('not-a-test');
//- vitest.setup.ts
vi.mock('next/navigation', () => ({}));
//- __mocks__/date-fns.ts
export {};
",
    );
    let indexed = index(&root, &folder.path().join("store"));
    let texts = OnDisk { root: &root };
    let project = Project::of(&indexed.view().unwrap(), None, &texts);
    let names: Vec<_> = project.mocked(&texts).names().collect();
    assert_eq!(names, ["./b", "date-fns", "lodash", "next/navigation"]);
    assert!(project.mocked(&texts).has_file("src/b.ts"));
}

#[test]
fn ix5_files_by_what_they_are_there_for() {
    check(
        r#"
//- package.json
{"name": "a", "dependencies": {"react": "19.0.0"}}
//- src/main.tsx
import { createRoot } from 'react-dom/client';
createRoot(document.body).render(<a />);
//- src/old.tsx
import ReactDOM from 'react-dom';
ReactDOM.render(<a />, document.body);
//- src/button.tsx
export const Button = () => <a />;
//- src/button.test.tsx
test('x', () => {});
//- src/button.stories.tsx
export default {};
//- src/testing/utils.tsx
export const x = 1;
//- src/types.d.ts
declare const x: number;
//- src/api.gen.ts
// @generated by x. DO NOT EDIT.
export const y = 1;
//- vite.config.ts
export default {};
//- scripts/seed.ts
console.log(1);
//- vendor/x.js
console.log(1);
"#,
        expect![[r#"
            package ""
              react: 19.0.0 Manifest
            package.json: -> Client
            scripts/seed.ts: Script
            src/api.gen.ts: Generated
            src/button.stories.tsx: Story -> Client
            src/button.test.tsx: Test -> Client
            src/button.tsx: -> Client
            src/main.tsx: -> Client root
            src/old.tsx: -> Client root
            src/testing/utils.tsx: Test -> Client
            src/types.d.ts: Declaration
            vendor/x.js: Vendored
        "#]],
    );
}

#[test]
fn ru1_a_project_is_shared_between_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Project>();
}

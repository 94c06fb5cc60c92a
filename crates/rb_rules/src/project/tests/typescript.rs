use expect_test::expect;

use super::check_packages;

#[test]
fn ru1_options_of_all_configs_that_are_extended() {
    check_packages(
        r#"
//- package.json
{"name": "root", "private": true}
//- tsconfig.base.json
{ // the base
  "compilerOptions": {"strict": true, "target": "ES2020", "lib": ["ES2020"], "baseUrl": ".", "paths": {"@r/*": ["packages/*/src"]},},
}
//- apps/web/package.json
{"name": "web", "dependencies": {"react": "19.0.0"}}
//- apps/web/tsconfig.json
{"extends": ["../../tsconfig.base", "@r/tsconfig/next.json", "@tsconfig/strictest/tsconfig.json"], "compilerOptions": {"lib": ["DOM", "ES2023.Array"], "strictNullChecks": false}}
//- packages/tsconfig/package.json
{"name": "@r/tsconfig"}
//- packages/tsconfig/next.json
{"extends": "./react.json", "compilerOptions": {"module": "ESNext", "moduleResolution": "Bundler"}}
//- packages/tsconfig/react.json
{"compilerOptions": {"jsx": "preserve", "esModuleInterop": true}}
//- node_modules/@tsconfig/strictest/package.json
{"name": "@tsconfig/strictest", "version": "2.0.0"}
//- node_modules/@tsconfig/strictest/tsconfig.json
{"extends": "./more.json", "compilerOptions": {"noUncheckedIndexedAccess": true}}
//- node_modules/@tsconfig/strictest/more.json
{"extends": "../../../package.json", "compilerOptions": {"isolatedModules": true}}
//- packages/inherits/package.json
{"name": "inherits"}
//- packages/tsconfig.json
{"compilerOptions": {"target": "ES2023", "module": "NodeNext", "paths": {"x": ["${configDir}/x", "./y"]}}}
"#,
        expect![[r#"
            package ""
            package "apps/web"
              react: 19.0.0 Manifest
              es: 2009
              ts: apps/web/tsconfig.json in-part strict indexed-access interop isolated es2023.array target=es2020 lib=dom+es2023.array module=esnext resolution=bundler jsx=preserve base=
                @r/* > packages/*/src
            package "packages/inherits"
              es: 2023
              ts: packages/tsconfig.json interop extensions es2023.array target=es2023 module=nodenext
                x > packages/x packages/y
            package "packages/tsconfig"
              es: 2023
              ts: packages/tsconfig.json interop extensions es2023.array target=es2023 module=nodenext
                x > packages/x packages/y
        "#]],
    );
}

#[test]
fn ru1_a_config_that_only_refers_to_others() {
    check_packages(
        r#"
//- package.json
{"name": "a", "dependencies": {"react": "19.0.0"}}
//- tsconfig.json
{"files": [], "references": [{"path": "./tsconfig.node.json"}, {"path": "./tsconfig.app.json"}]}
//- tsconfig.app.json
{"compilerOptions": {"strict": true, "target": "ES2022", "verbatimModuleSyntax": true}}
//- tsconfig.node.json
{"compilerOptions": {"target": "ES2023"}}
"#,
        expect![[r#"
            package ""
              react: 19.0.0 Manifest
              es: 2022
              ts: tsconfig.app.json strict null-checks verbatim target=es2022
        "#]],
    );
}

#[test]
fn ru1_defaults_go_with_the_version_of_typescript() {
    check_packages(
        r#"
//- old/package.json
{"name": "old", "devDependencies": {"typescript": "5.9.2"}}
//- old/tsconfig.json
{"compilerOptions": {}}
//- new/package.json
{"name": "new", "devDependencies": {"typescript": "6.0.1"}}
//- new/tsconfig.json
{}
//- js/package.json
{"name": "js"}
//- js/jsconfig.json
{"compilerOptions": {"checkJs": true, "baseUrl": "src"}}
//- circle/package.json
{"name": "circle"}
//- circle/tsconfig.json
{"extends": ["./tsconfig.json", "./tsconfig.json", "../../outside.json"], "compilerOptions": {"strict": "yes", "lib": 5, "paths": []}}
"#,
        expect![[r#"
            package "circle"
              es: 2009
              ts: circle/tsconfig.json in-part lib=
            package "js"
              ts: js/jsconfig.json check-js base=js/src
            package "new"
              es: 2025
              ts: new/tsconfig.json strict null-checks interop es2023.array target=es2025
            package "old"
              ts: old/tsconfig.json
        "#]],
    );
}

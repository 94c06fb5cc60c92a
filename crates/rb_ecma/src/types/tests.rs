use expect_test::{Expect, expect};
use oxc_ast::ast::Expression;
use rb_lang::Language;

use super::Types;
use crate::with_module;

/// The types of all arguments of calls of `t`.
#[expect(clippy::needless_pass_by_value, reason = "snapshots are written in place")]
fn check(text: &str, expected: Expect) {
    let shown = with_module(Language::Tsx, text, |module| {
        let calls = module.calls().iter().filter(
            |call| matches!(&call.callee, Expression::Identifier(name) if name.name == "t"),
        );
        let mut lines = Vec::new();
        for call in calls {
            for argument in call.arguments.iter().filter_map(|it| it.as_expression()) {
                let types = module.types(argument);
                let code = module.code(argument);
                lines.push(format!("{code}: {}", words(types)));
            }
        }
        lines.join("\n")
    });
    expected.assert_eq(&shown.expect("it parses"));
}

fn words(types: Types) -> String {
    const NAMES: &[(Types, &str)] = &[
        (Types::NUMBER, "number"),
        (Types::STRING, "string"),
        (Types::BOOLEAN, "boolean"),
        (Types::BIGINT, "bigint"),
        (Types::NULL, "null"),
        (Types::UNDEFINED, "undefined"),
        (Types::ARRAY, "array"),
        (Types::FUNCTION, "function"),
        (Types::ELEMENT, "element"),
        (Types::PROMISE, "promise"),
        (Types::OBJECT, "object"),
        (Types::UNKNOWN, "unknown"),
    ];
    let named = NAMES.iter().filter(|(it, _)| types.includes(*it)).map(|(_, name)| *name);
    named.collect::<Vec<_>>().join(" | ")
}

#[test]
fn ru1_types_of_expressions() {
    check(
        "declare const a: any; t(1, 'x', `y`, !a, a < 2, a - 1, a + 1, a + '', [], {}, () => 1, <b/>, null);
         t(a.trim(), a.length, Number(a), Object.keys(a), a ?? 1, a ? 1 : 'x', new Map(), localStorage.getItem('x'));",
        expect![[r#"
            1: number
            'x': string
            `y`: string
            !a: boolean
            a < 2: boolean
            a - 1: number
            a + 1: unknown
            a + '': string
            []: array
            {}: object
            () => 1: function
            <b/>: element
            null: null
            a.trim(): string
            a.length: number
            Number(a): number
            Object.keys(a): array
            a ?? 1: number | unknown
            a ? 1 : 'x': number | string
            new Map(): object
            localStorage.getItem('x'): string | null"#]],
    );
}

#[test]
fn ru1_types_as_they_are_written() {
    check(
        "import { useState } from 'react';
         type Id = string; interface User { id: Id; age: number; nick?: string; tags: string[] }
         type Props = { count: number; user: User | null; on: boolean; list: readonly User[] };
         function A({ count, user, on, list }: Props, other: number | undefined) {
           t(count, user, on, list, other);
           const [n, setN] = useState(0); const [s] = useState<string | null>(null); const [l] = useState([]);
           t(n, setN, s, l);
           for (const u of list) t(u.age, u.nick, u.id, u.tags.length);
           list.map((u) => t(u.id, u));
         }
         const B: React.FC<Props> = ({ count: c }) => t(c);
         function f(): Promise<number> { return x } async function g() { t(await f()) }",
        expect![[r#"
            count: number
            user: null | object
            on: boolean
            list: array
            other: number | undefined
            n: number
            setN: unknown
            s: string | null
            l: array
            u.age: number
            u.nick: unknown
            u.id: string
            u.tags.length: number
            u.id: string
            u: object
            c: number
            await f(): number"#]],
    );
}

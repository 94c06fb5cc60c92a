//! Calls that were left as they were when the function changed: another order, another key, a coroutine.

use expect_test::expect;

use crate::support::{check, silent};

const DIGEST: &str = "
//- src/digest.ts
export const digest = (stream: Stream | null, generator: (body: Body) => Hash, size = 1) => generator(stream.read(size));
//- src/etag.ts
import { digest } from './digest';
export const one = (body: Stream) => digest(body);
export const tag = (body: Stream) =>
  digest(
    body,
    hash
  );
";

#[test]
fn ve6_parameters_change_places_and_a_call_does_not() {
    check(
        DIGEST,
        "
//- src/digest.ts
export const digest = (generator: (body: Body) => Hash, stream: Stream | null, size = 1) => generator(stream.read(size));
",
        &expect![[r#"
            Warning signature_mismatch src/etag.ts:2 `digest` now takes `generator` as argument 1, but is called as before <- src/digest.ts:1
            Warning signature_mismatch src/etag.ts:4 `digest` now takes `generator` as argument 1, but is called as before <- src/digest.ts:1
        "#]],
    );
    silent(
        DIGEST,
        "
//- src/digest.ts
export const digest = (generator: (body: Body) => Hash, stream: Stream | null, size = 1) => generator(stream.read(size));
//- src/etag.ts
import { digest } from './digest';
export const tag = (body: Stream) =>
  digest(
    hash,
    body
  );
",
    );
}

const OPTIONS: &str = "
//- src/jwt/jwt.ts
import type { Key } from '../key';
export const jwt = (options: {
  secret: Key
  cookie?:
    | string
    | { key: string; secret?: string }
  alg: Algorithm
  headerName?: string
}): Handler => {
  const name = options.headerName || 'Authorization'
  return async function jwt(ctx, next) { return name + ctx + next }
}
//- src/jwt/index.ts
export { jwt } from './jwt'
declare module '../..' {
  interface Variables {}
}
//- src/jwt/index.test.ts
import { jwt } from '.'
app.use('/auth/*', jwt({ secret: 'a', alg: 'HS256', headerName: 'x-auth' }))
//- src/key.ts
export type Key = string
";

#[test]
fn ve6_an_option_goes_that_somebody_passes() {
    check(
        OPTIONS,
        "
//- src/jwt/jwt.ts
import type { Key } from '../key';
export const jwt = (options: {
  secret: Key
  cookie?:
    | string
    | { key: string; secret?: string }
  alg: Algorithm
}): Handler => {
  const name = 'Authorization'
  return async function jwt(ctx, next) { return name + ctx + next }
}
",
        &expect![[r#"
            Error signature_mismatch src/jwt/index.test.ts:2 the object parameter of `jwt` has no `headerName` <- src/jwt/jwt.ts:7
        "#]],
    );
}

const RENDER: &str = "
//- app/__init__.py
//- app/views.py
def _render(
    template,
    context,
):
    return template.format(context)

def page(
    name: str,
    **context,
) -> str:
    return _render(name, context)

async def later(name) -> str:
    return await _render(name, {})

def any_of(name):
    return _render(name, {})

def endpoint(view):
    return _render(view, 1)  # type: ignore
";

#[test]
fn ve6_a_function_says_what_it_returns_and_gives_a_coroutine() {
    check(
        RENDER,
        "
//- app/views.py
async def _render(
    template,
    context,
):
    return template.format(context)

def page(
    name: str,
    **context,
) -> str:
    return _render(name, context)

async def later(name) -> str:
    return await _render(name, {})

def any_of(name):
    return _render(name, {})

def endpoint(view):
    return _render(view, 1)  # type: ignore
",
        &expect![[r#"
            Error signature_mismatch app/views.py:11 `_render` became async, and its result is returned without `await` <- app/views.py:1
        "#]],
    );
}

#[test]
fn ve6_what_a_checker_overlooks_fails_when_it_runs() {
    check(
        RENDER,
        "
//- app/views.py
def _render(template):
    return template.format()

def page(
    name: str,
    **context,
) -> str:
    return _render(name)

async def later(name) -> str:
    return await _render(name)

def any_of(name):
    return _render(name)

def endpoint(view):
    return _render(view, 1)  # type: ignore
",
        &expect![[r#"
            Error signature_mismatch app/views.py:17 `_render` takes at most 1 argument, but is called with 2 <- app/views.py:1
        "#]],
    );
}

use expect_test::expect;

use super::check;

#[test]
fn ix5_the_client_boundary_is_passed_on_over_imports() {
    check(
        r#"
//- package.json
{"name": "a", "dependencies": {"react": "19.0.0", "next": "15.1.0"}}
//- app/layout.tsx
import { Header } from '../ui/header';
export default () => <Header />;
//- app/page.tsx
import { Form } from '../ui/form';
import { save } from '../lib/actions';
import type { T } from '../ui/only-type';
export default () => <Form />;
//- ui/header.tsx
import { both } from '../lib/both';
import { secret } from '../lib/secret';
export const Header = () => <a />;
//- ui/form.tsx
'use client';
import { Field } from './field';
import { both } from '../lib/both';
import { save } from '../lib/actions';
const Chart = lazy(() => import('./chart'));
export const Form = () => <Field />;
//- ui/field.tsx
export const Field = () => <a />;
//- ui/chart.tsx
export default () => <a />;
//- ui/only-type.tsx
export type T = 1;
//- ui/unused.tsx
export const U = () => <a />;
//- lib/both.ts
export const both = 1;
//- lib/secret.ts
import 'server-only';
export const secret = 1;
//- lib/actions.ts
'use server';
import { db } from './db';
export async function save() {}
//- lib/db.ts
export const db = 1;
//- ui/form.test.tsx
import { U } from './unused';
test('x', () => {});
"#,
        expect![[r#"
            package ""
              react: 19.0.0 Manifest
              next: 15.1.0 Manifest
              is: ssr, styled-jsx
              app router: app
              es: 2018
            app/layout.tsx: App Route(Layout) -> Server root
            app/page.tsx: App Route(Page) -> Server
            lib/actions.ts: UseServer -> Server
            lib/both.ts: -> Both
            lib/db.ts: -> Server
            lib/secret.ts: -> Server
            ui/chart.tsx: -> Client
            ui/field.tsx: -> Client
            ui/form.test.tsx: Test
            ui/form.tsx: UseClient -> Client
            ui/header.tsx: -> Server
        "#]],
    );
}

#[test]
fn ix5_routes_of_the_app_router() {
    check(
        r#"
//- package.json
{"name": "a", "dependencies": {"react": "19.0.0", "next": "15.1.0"}}
//- src/app/layout.tsx
export default () => <a />;
//- src/app/page.tsx
export default () => <a />;
//- src/app/sitemap.ts
export default () => [];
//- src/app/opengraph-image.tsx
export default () => <a />;
//- src/app/global-error.tsx
'use client';
export default () => <a />;
//- src/app/(shop)/stories/loading.tsx
export default () => <a />;
//- src/app/(shop)/stories/layout.tsx
export default () => <a />;
//- src/app/(shop)/stories/page.tsx
export default () => <a />;
//- src/app/(shop)/stories/[id]/page.tsx
export default () => <a />;
//- src/app/(shop)/stories/@side/default.tsx
export default () => <a />;
//- src/app/(shop)/stories/page.test.tsx
test('x', () => {});
//- src/app/api/route.ts
export const GET = () => 1;
//- src/middleware.ts
export const middleware = 1;
//- src/instrumentation.ts
export const register = 1;
//- src/instrumentation-client.ts
export const x = 1;
//- src/lib/middleware.ts
export const x = 1;
"#,
        expect![[r#"
            package ""
              react: 19.0.0 Manifest
              next: 15.1.0 Manifest
              is: ssr, styled-jsx
              app router: src/app
              es: 2018
            src/app/(shop)/stories/@side/default.tsx: App Default -> Server loading
            src/app/(shop)/stories/[id]/page.tsx: App Route(Page) -> Server loading
            src/app/(shop)/stories/layout.tsx: App Route(Layout) -> Server
            src/app/(shop)/stories/loading.tsx: App Route(Loading) -> Server
            src/app/(shop)/stories/page.test.tsx: Test App loading
            src/app/(shop)/stories/page.tsx: App Route(Page) -> Server loading
            src/app/api/route.ts: App Route(Handler) -> Server
            src/app/global-error.tsx: UseClient App Route(Error) -> Client
            src/app/layout.tsx: App Route(Layout) -> Server root
            src/app/opengraph-image.tsx: App Metadata -> Server
            src/app/page.tsx: App Route(Page) -> Server
            src/app/sitemap.ts: App Metadata -> Server
            src/instrumentation-client.ts: ClientStart -> Client
            src/instrumentation.ts: Route(Instrumentation) -> Server
            src/middleware.ts: Route(Middleware) -> Server
        "#]],
    );
}

#[test]
fn ix5_routes_of_the_pages_router() {
    check(
        r#"
//- package.json
{"name": "a", "dependencies": {"react": "18.2.0", "next": "13.0.0"}}
//- pages/_app.tsx
import '../lib/theme';
export default () => <a />;
//- pages/_document.tsx
export default () => <a />;
//- pages/index.tsx
import { query } from '../lib/query';
export default () => <a />;
//- pages/blog/[slug].tsx
export default () => <a />;
//- pages/404.tsx
export default () => <a />;
//- pages/api/hello.ts
import { query } from '../../lib/query';
import { db } from '../../lib/db';
export default () => {};
//- lib/theme.ts
export const theme = 1;
//- lib/query.ts
export const query = 1;
//- lib/db.ts
export const db = 1;
"#,
        expect![[r#"
            package ""
              react: 18.2.0 Manifest
              next: 13.0.0 Manifest
              is: ssr, styled-jsx
              pages router: pages
              es: 2018
            lib/db.ts: -> Server
            lib/query.ts: -> Both
            lib/theme.ts: -> Both
            pages/404.tsx: Pages Route(Error) -> Both
            pages/_app.tsx: Pages Route(App) -> Both root
            pages/_document.tsx: Pages Route(Document) -> Server root
            pages/api/hello.ts: Pages Route(Api) -> Server
            pages/blog/[slug].tsx: Pages Route(Page) -> Both
            pages/index.tsx: Pages Route(Page) -> Both
        "#]],
    );
}

#[test]
fn ix5_both_routers_and_packages_beside_them() {
    check(
        r#"
//- package.json
{"name": "root", "private": true, "workspaces": ["apps/*", "packages/*"]}
//- apps/web/package.json
{"name": "web", "dependencies": {"react": "19.0.0", "next": "15.1.0", "@r/ui": "workspace:*"}}
//- apps/web/app/new/page.tsx
import { Button, Card } from '@r/ui';
export default () => <Button />;
//- apps/web/pages/old.tsx
export default () => <a />;
//- apps/spa/package.json
{"name": "spa", "dependencies": {"react": "19.0.0", "@r/shared": "workspace:*"}}
//- apps/spa/src/main.tsx
import { createRoot } from 'react-dom/client';
import { shared } from '@r/shared';
createRoot(document.body).render(<a />);
//- packages/ui/package.json
{"name": "@r/ui", "private": true, "main": "index.ts", "peerDependencies": {"react": "*"}}
//- packages/ui/index.ts
export * from './button';
export * from './card';
//- packages/ui/button.tsx
'use client';
import { cx } from './cx';
export const Button = () => <a />;
//- packages/ui/card.tsx
import { shared } from '@r/shared';
export const Card = () => <a />;
//- packages/ui/cx.ts
export const cx = 1;
//- packages/ui/lost.tsx
export const Lost = () => <a />;
//- packages/shared/package.json
{"name": "@r/shared", "main": "index.ts"}
//- packages/shared/index.ts
export const shared = 1;
//- tools/package.json
{"name": "tools"}
//- tools/run.ts
export const run = 1;
"#,
        expect![[r#"
            package ""
            package "apps/spa"
              react: 19.0.0 Manifest
            package "apps/web"
              react: 19.0.0 Manifest
              next: 15.1.0 Manifest
              is: ssr, styled-jsx
              app router: apps/web/app
              pages router: apps/web/pages
              es: 2018
            package "packages/shared"
            package "packages/ui"
              react: unknown
              is: ssr
            package "tools"
            apps/spa/package.json: -> Client
            apps/spa/src/main.tsx: -> Client root
            apps/web/app/new/page.tsx: App Route(Page) -> Server
            apps/web/pages/old.tsx: Pages Route(Page) -> Both
            packages/shared/index.ts: -> Both
            packages/ui/button.tsx: UseClient -> Client
            packages/ui/card.tsx: -> Server
            packages/ui/cx.ts: -> Client
            packages/ui/index.ts: -> Server
            tools/package.json: Script
            tools/run.ts: Script
        "#]],
    );
}

#[test]
fn ix5_without_server_components_all_is_client_code() {
    check(
        r#"
//- package.json
{"name": "a", "dependencies": {"react": "19.0.0", "@react-router/dev": "7"}}
//- app/root.tsx
import { db } from './db.server';
export default () => <a />;
//- app/db.server.ts
export const db = 1;
//- app/map.client.tsx
export const Map = () => <a />;
//- app/routes/home.tsx
export default () => <a />;
"#,
        expect![[r#"
            package ""
              react: 19.0.0 Manifest
              is: ssr
            app/db.server.ts: -> Server
            app/map.client.tsx: -> Client
            app/root.tsx: -> Both root
            app/routes/home.tsx: -> Both
            package.json: -> Both
        "#]],
    );
}

use expect_test::expect;

use crate::support::{check, check_change};

#[test]
fn ve7_routes_of_express_fastify_and_hono_are_read_with_their_prefixes() {
    check(
        r#"
//- app.js
const express = require('express');
const users = require('./routes/users');
const { admin } = require('./routes/admin');
const app = express();
const inline = express.Router();
inline.get('/ping', (req, res) => {});
app.use('/api', auth, users);
app.use('/admin', admin);
app.use('/in', inline);
app.use('/here', require('./routes/here'));
app.get('/', home);
app.get('setting');
app.all('/any/*', any);
cache.get('/not-a-route', 1);
//- routes/users.js
const router = require('express').Router();
const r = express.Router();
r.get('/users/:id', show);
r.route('/users').get(list).post(create);
module.exports = r;
//- routes/admin.js
const admin = new Router();
const other = new Router();
admin.delete('/users/:id(\\d+)', remove);
other.get('/other', x);
module.exports = { admin, other };
//- routes/here.js
const router = express.Router();
router.put('/', put);
module.exports = router;
//- plugin.js
module.exports = async function (fastify, opts) {
  fastify.get('/health', async () => 1);
  fastify.route({ method: ['GET', 'POST'], url: '/both/:id', handler: h });
  fastify.register(nested, { prefix: '/v1' });
};
//- hono.ts
const api = new Hono();
api.on(['PUT', 'DELETE'], '/post', handler);
const main = new Hono().basePath('/x');
main.route('/api', api);
export default main;
//- app.test.js
const app = express();
app.get('/only-in-a-test', x);
"#,
        &expect![[r#"
            ANY /any/{*} (express any) [app.js:13]
            DELETE /admin/users/{} (express remove) [routes/admin.js:3]
            DELETE /api/post (hono handler) [hono.ts:2]
            GET / (express home) [app.js:11]
            GET /api/users (express list) [routes/users.js:4]
            GET /api/users/{} (express show) [routes/users.js:3]
            GET /both/{} (fastify ) [plugin.js:3]
            GET /health (fastify ) [plugin.js:2]
            GET /in/ping (express ) [app.js:6]
            GET /other (express x) [routes/admin.js:4]
            POST /api/users (express create) [routes/users.js:4]
            POST /both/{} (fastify ) [plugin.js:3]
            PUT /api/post (hono handler) [hono.ts:2]
            PUT /here (express put) [routes/here.js:2]
        "#]],
    );
}

#[test]
fn ve7_routes_of_next_are_files_and_their_methods() {
    check(
        r#"
//- package.json
{ "name": "site", "private": true, "dependencies": { "next": "15", "react": "19" } }
//- pages/index.tsx
export default function Home() { return null; }
//- pages/_app.tsx
export default function App() { return null; }
//- pages/api/users/[id].ts
export default function handler() {}
//- src/app/(shop)/cart/[...slug]/page.tsx
export default function Page() { return null; }
//- src/app/api/items/route.ts
export async function GET() {}
export const POST = async () => {};
export const dynamic = 'force-dynamic';
"#,
        &expect![[r#"
            ANY /api/users/{} (next ANY) [pages/api/users/[id].ts:1]
            GET / (next GET) [pages/index.tsx:1]
            GET /api/items (next GET) [src/app/api/items/route.ts:1]
            GET /cart/{*} (next GET) [src/app/(shop)/cart/[...slug]/page.tsx:1]
            POST /api/items (next POST) [src/app/api/items/route.ts:1]
        "#]],
    );
}

#[test]
fn ve7_routes_of_python_frameworks_are_read_with_their_prefixes() {
    check(
        r#"
//- app.py
from flask import Flask
from views.users import bp
app = Flask(__name__)
app.register_blueprint(bp, url_prefix="/api")

@app.route("/", methods=["GET", "POST"])
def home(): ...
//- views/__init__.py
//- views/users.py
from flask import Blueprint
bp = Blueprint("users", __name__, url_prefix="/users")

@bp.route("/<int:id>")
def show(id): ...

@bp.delete("/<path:rest>")
def remove(rest): ...
//- api/__init__.py
//- api/main.py
from fastapi import FastAPI
from .items import router
from . import orders
app = FastAPI()
app.include_router(router, prefix="/v1")
app.include_router(orders.router)
//- api/items.py
from fastapi import APIRouter
router = APIRouter(prefix="/items")

@router.get("/{item_id}", response_model=int)
async def read(item_id): ...
//- api/orders.py
from fastapi import APIRouter
router = APIRouter()

@router.post("/orders")
async def order(): ...
//- site/urls.py
from django.urls import include, path, re_path
urlpatterns = [
    path("", views.home),
    path("blog/", include("blog.urls")),
    re_path(r"^old/(?P<id>\d+)/$", views.old),
]
//- blog/__init__.py
//- blog/urls.py
from django.urls import path
urlpatterns = [path("<slug:name>/", views.post, name="post")]
"#,
        &expect![[r#"
            ANY / (django views.home) [site/urls.py:3]
            ANY /blog/{} (django views.post) [blog/urls.py:2]
            ANY /old/{} (django views.old) [site/urls.py:5]
            DELETE /api/{*} (flask remove) [views/users.py:7]
            GET / (flask home) [app.py:6]
            GET /api/{} (flask show) [views/users.py:4]
            GET /v1/items/{} (fastapi read) [api/items.py:4]
            POST / (flask home) [app.py:6]
            POST /orders (fastapi order) [api/orders.py:4]
        "#]],
    );
}

#[test]
fn ve7_routes_of_rust_go_and_java_are_read() {
    check(
        r#"
//- Cargo.toml
[package]
name = "web"
//- src/main.rs
mod users;
fn app() -> Router {
    let api = Router::new().route("/things", get(list).post(create));
    Router::new().route("/", get(root)).nest("/api", api).nest("/users", users::routes())
}
//- src/users.rs
pub fn routes() -> Router { Router::new().route("/{id}", axum::routing::get(show).delete(remove)) }
#[get("/rocket/<name>?<age>")]
fn hello() {}
//- go.mod
module web
//- server.go
package main
func routes() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items/{id}", show)
	mux.Handle("/static/", files)
	r := gin.Default()
	api := r.Group("/api")
	v1 := api.Group("/v1")
	v1.POST("/login", login)
	r.GET("/users/:id", user)
	client.Get("/asked", opts)
}
//- src/main/java/web/Api.java
package web;
@RestController
@RequestMapping("/api")
public class Api {
    @GetMapping({"/a", "/b/{id}"})
    public String a() { return ""; }
    @RequestMapping(value = "/c", method = RequestMethod.POST)
    public String c() { return ""; }
    @PostMapping
    public String d() { return ""; }
}
"#,
        &expect![[r#"
            web web class Api [src/main/java/web/Api.java:2]
            web web method Api.a() -> String [src/main/java/web/Api.java:5]
            web web method Api.c() -> String [src/main/java/web/Api.java:7]
            web web method Api.d() -> String [src/main/java/web/Api.java:9]
            ANY /static (net/http files) [server.go:5]
            DELETE /users/{} (axum remove) [src/users.rs:1]
            GET / (axum root) [src/main.rs:4]
            GET /api/a (spring a) [src/main/java/web/Api.java:5]
            GET /api/b/{} (spring a) [src/main/java/web/Api.java:5]
            GET /api/things (axum list) [src/main.rs:3]
            GET /items/{} (net/http show) [server.go:4]
            GET /rocket/{} (attributes ) [src/users.rs:2]
            GET /users/{} (axum show) [src/users.rs:1]
            GET /users/{} (router user) [server.go:10]
            POST /api (spring d) [src/main/java/web/Api.java:9]
            POST /api/c (spring c) [src/main/java/web/Api.java:7]
            POST /api/things (axum create) [src/main.rs:3]
            POST /api/v1/login (router login) [server.go:9]
            web of `` [Cargo.toml:1]
        "#]],
    );
}

#[test]
fn ve7_a_route_that_moves_is_the_same_and_one_that_goes_is_told() {
    let before = "
//- app.js
const app = express();
app.get('/users/:id', show);
app.post('/users', (req, res) => {});
app.delete('/users/:id', remove);
";
    let after = "
//- app.js
const app = express();
const users = require('./users');
app.use('/users', users);
//- users.js
const router = express.Router();
router.post('/', create);
router.get('/:userId', show);
router.patch('/:userId', change);
module.exports = router;
";
    check_change(
        before,
        after,
        &expect![[r#"
            ! removed: the route `DELETE /users/{}` was removed (app.js:4)
            ~ added: the route `PATCH /users/{}` was added (users.js:4)
        "#]],
    );
}

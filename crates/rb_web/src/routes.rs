//! Which address is answered by what. Every page is a plain function of the site and the request, on a thread of its own.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Form, Query, RawPathParams, State};
use axum::http::{Response, StatusCode};
use axum::middleware;
use axum::routing::{MethodRouter, get, post};

use crate::guard::guard;
use crate::reply::{self, Problem, Reply};
use crate::request::Request;
use crate::site::Site;
use crate::{assets, layout, live, pages};

type Work = fn(&Site, &Request) -> Result<Reply, Problem>;
type Pairs = Vec<(String, String)>;

pub(crate) fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", shown(|_, _| Ok(Reply::SeeOther("/runs".to_owned()))))
        .route("/assets/{version}/{name}", shown(|_, request| assets::asset(request)))
        .route("/runs", shown(pages::runs::page))
        .route("/runs/{run}", shown(pages::run::page))
        .route("/runs/{run}/events", get(live::events))
        .route("/runs/{run}/files/{*path}", shown(pages::run_files::file))
        .route("/runs/{run}/review", shown(pages::review::page))
        .route("/runs/{run}/review/{task}", shown(pages::review::task))
        .route("/runs/{run}/decision", sent(pages::decision::decide))
        .route("/runs/{run}/begin", sent(pages::decision::begin))
        .route("/new", shown(pages::start::page))
        .route("/new/run", sent(pages::start::run))
        .route("/new/ask", sent(pages::start::ask))
        .route("/map", shown(pages::map::page))
        .route("/map/graph", shown(pages::graph::page))
        .route("/map/layers", shown(pages::layers::page))
        .route("/code/{*path}", shown(pages::file::page))
        .route("/search", shown(pages::search::page))
        .route("/rules", shown(pages::rules::page))
        .route("/rules/{rule}", shown(pages::rules::rule))
        .fallback(|State(site): State<Arc<Site>>| async move {
            reply::html(
                StatusCode::NOT_FOUND,
                layout::problem(&site, &Problem::not_found("This page")),
            )
        })
        .layer(middleware::from_fn_with_state(Arc::clone(&site), guard))
        .with_state(site)
}

fn shown(work: Work) -> MethodRouter<Arc<Site>> {
    get(move |State(site): State<Arc<Site>>, params: RawPathParams, Query(query): Query<Pairs>| {
        answer(site, Request { params: pairs(&params), query, form: Pairs::new() }, work)
    })
}

/// A form of ours. The guard has seen where it comes from; its key shows that it is of this session.
fn sent(work: Work) -> MethodRouter<Arc<Site>> {
    post(move |State(site): State<Arc<Site>>, params: RawPathParams, Form(form): Form<Pairs>| {
        let request = Request { params: pairs(&params), query: Pairs::new(), form };
        answer(site, request, move |site, request| {
            if site.read_only {
                return Err(Problem::Refused("The server is read-only.".to_owned()));
            }
            if !site.keys.knows_form(request.field("key").unwrap_or_default()) {
                return Err(Problem::Refused("The form is not of this session.".to_owned()));
            }
            work(site, request)
        })
    })
}

async fn answer(
    site: Arc<Site>,
    request: Request,
    work: impl Fn(&Site, &Request) -> Result<Reply, Problem> + Send + 'static,
) -> Response<Body> {
    let made = tokio::task::spawn_blocking(move || match work(&site, &request) {
        Ok(reply) => reply.into_response(),
        Err(problem) => reply::html(problem.status(), layout::problem(&site, &problem)),
    });
    made.await.unwrap_or_else(|_| {
        let mut response = Response::new(Body::from("The page could not be made."));
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response
    })
}

fn pairs(params: &RawPathParams) -> Pairs {
    params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

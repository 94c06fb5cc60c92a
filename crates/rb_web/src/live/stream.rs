//! What a browser is sent while a run goes on.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use rb_core::RunId;
use serde_json::json;
use tokio::sync::mpsc;

use super::{Following, follow};
use crate::jobs::JobState;
use crate::layout;
use crate::reply::{self, Problem};
use crate::site::Site;

/// Between two looks at a journal.
const LOOK: Duration = Duration::from_millis(250);

/// What the number of the last message ends with once there is nothing to follow any more.
const OVER: &str = " over";

/// Follows the run until it is over or the browser goes away. The log is sent from the event after `?after`, or when the browser
/// connects again, from where it was cut off.
pub(crate) async fn events(
    State(site): State<Arc<Site>>,
    Path(run): Path<String>,
    Query(query): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Response {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    if last.is_some_and(|last| last.ends_with(OVER)) {
        // Browsers do not connect again after this.
        return StatusCode::NO_CONTENT.into_response();
    }
    let id = run.parse::<RunId>().ok().filter(|id| site.host.home.run(id).is_dir());
    let Some(id) = id else {
        let problem = Problem::not_found(format_args!("Run {run}"));
        return reply::html(problem.status(), layout::problem(&site, &problem));
    };
    let after = query.iter().find(|(name, _)| name == "after").map(|(_, value)| value.as_str());
    let log = last.or(after).and_then(|seq| seq.parse().ok()).unwrap_or(0);
    let sent = Sent { run: None, job: None, parts: BTreeMap::new(), log, is_over: false };
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(send(site, id, sent, sender));
    Sse::new(Messages(receiver)).keep_alive(KeepAlive::default()).into_response()
}

struct Messages(mpsc::Receiver<Event>);

impl Stream for Messages {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx).map(|event| event.map(Ok))
    }
}

/// What a browser has been sent.
struct Sent {
    /// None until its journal can be read.
    run: Option<Box<dyn Following>>,
    job: Option<JobState>,
    parts: BTreeMap<&'static str, String>,
    log: u64,
    is_over: bool,
}

async fn send(site: Arc<Site>, id: RunId, mut sent: Sent, sender: mpsc::Sender<Event>) {
    loop {
        let (site, id) = (Arc::clone(&site), id.clone());
        let looked = tokio::task::spawn_blocking(move || look(&site, &id, sent)).await;
        // Otherwise the page shows what it has; the browser tries again by itself.
        let Ok(Ok((now, message))) = looked else { return };
        sent = now;
        if let Some(message) = message
            && sender.send(message).await.is_err()
        {
            return;
        }
        if sent.is_over {
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = sender.closed() => return,
        }
    }
}

fn look(site: &Site, id: &RunId, mut sent: Sent) -> Result<(Sent, Option<Event>), Problem> {
    let job = site.jobs.of_run(id);
    let mut run = match sent.run.take() {
        Some(run) => run,
        None => match follow(site, id) {
            Ok(run) => run,
            // To refuse would end it for the browser: its journal may come, or come back.
            Err(Problem::NotFound(_)) if site.host.home.run(id).is_dir() => {
                return Ok((sent, None));
            }
            Err(problem) => return Err(problem),
        },
    };
    let is_first = sent.parts.is_empty();
    let has_changed = run.advance()?;
    if !has_changed && sent.job == job && !is_first {
        sent.run = Some(run);
        return Ok((sent, None));
    }
    sent.is_over = run.is_over() && job != Some(JobState::Running);
    sent.job = job;
    let mut changed = serde_json::Map::new();
    for part in run.parts(site)? {
        let html = part.html.done();
        if sent.parts.get(part.id) != Some(&html) {
            changed.insert(part.id.to_owned(), html.clone().into());
            sent.parts.insert(part.id, html);
        }
    }
    let log = run.log_after(sent.log).done();
    sent.log = run.facts().events;
    let message =
        json!({ "parts": changed, "log": log, "title": run.title(), "over": sent.is_over });
    let seen = format!("{}{}", sent.log, if sent.is_over { OVER } else { "" });
    let event = Event::default().id(seen).data(message.to_string());
    sent.run = Some(run);
    Ok((sent, Some(event)))
}

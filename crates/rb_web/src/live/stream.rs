//! What a browser is sent while a run goes on.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
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

/// Follows the run until the browser goes away.
pub(crate) async fn events(
    State(site): State<Arc<Site>>,
    Path(run): Path<String>,
    headers: HeaderMap,
) -> Response {
    let unknown = || Problem::not_found(format_args!("Run {run}"));
    let found = match run.parse::<RunId>() {
        Ok(id) => {
            let (site, id) = (Arc::clone(&site), id);
            let followed = tokio::task::spawn_blocking(move || Ok((follow(&site, &id)?, id)));
            followed.await.unwrap_or_else(|_| Err(unknown()))
        }
        Err(_) => Err(unknown()),
    };
    let (run, id) = match found {
        Ok(found) => found,
        Err(problem) => return reply::html(problem.status(), layout::problem(&site, &problem)),
    };
    let seen = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    // Without a word on what it has, a browser has the page as it was made a moment ago.
    let log = seen.unwrap_or(run.facts().events);
    let sent = Sent { run, job: None, parts: BTreeMap::new(), log };
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
    run: Box<dyn Following>,
    job: Option<JobState>,
    parts: BTreeMap<&'static str, String>,
    log: u64,
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
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = sender.closed() => return,
        }
    }
}

fn look(site: &Site, id: &RunId, mut sent: Sent) -> Result<(Sent, Option<Event>), Problem> {
    let job = site.jobs.state(id.as_str());
    let is_first = sent.parts.is_empty();
    if !sent.run.advance()? && sent.job == job && !is_first {
        return Ok((sent, None));
    }
    sent.job = job;
    let mut changed = serde_json::Map::new();
    for part in sent.run.parts(site)? {
        let html = part.html.done();
        if sent.parts.get(part.id) != Some(&html) {
            changed.insert(part.id.to_owned(), html.clone().into());
            sent.parts.insert(part.id, html);
        }
    }
    let log = sent.run.log_after(sent.log).done();
    sent.log = sent.run.facts().events;
    let message = json!({ "parts": changed, "log": log, "title": sent.run.title() });
    let event = Event::default().id(sent.log.to_string()).data(message.to_string());
    Ok((sent, Some(event)))
}

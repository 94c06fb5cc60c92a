//! `ChromaDB`, as the place of vectors that several machines share (HTTP API, version 2).
//!
//! One `ChromaServer` is one collection: of one repository and one model, made when it is first needed and
//! made again when somebody deleted it. A server that restarts is waited for. It never deletes a collection.

mod name;
mod wire;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rb_index::search::embed::EmbedError;
use rb_index::search::remote::{Filter, Near, Record, Standing, VectorServer};
use serde_json::{Value, json};

use rb_http::{Auth, BadSetting, Http, HttpContext, HttpError, HttpOptions, Patience};
use wire::{Collection, Got, PreFlight, QueryResponse, Upsert};

/// Which collection on which server.
#[derive(Debug, Clone)]
pub struct ChromaOptions {
    pub url: String,
    pub tenant: String,
    pub database: String,
    /// `Auth::bearer` or the header that the server was told to look at, such as `x-chroma-token`.
    pub auth: Option<Auth>,
    /// Names the repository on every machine that shares it.
    pub repository: String,
    /// Names the model that made the vectors, as `Embedder::model` does.
    pub model: String,
    pub dimensions: usize,
}

impl ChromaOptions {
    /// Where `chroma run` listens if it is told nothing.
    pub fn local(repository: &str, model: &str, dimensions: usize) -> Self {
        ChromaOptions {
            url: "http://localhost:8000".to_owned(),
            tenant: "default_tenant".to_owned(),
            database: "default_database".to_owned(),
            auth: None,
            repository: repository.to_owned(),
            model: model.to_owned(),
            dimensions,
        }
    }
}

/// Long enough for a server to restart and to load what it holds.
pub const RESTART: Patience = Patience {
    tries: 9,
    first_wait: Duration::from_millis(250),
    longest_wait: Duration::from_secs(8),
};

/// Far below the 40 MiB that the server takes, for proxies on the way.
const MOST_BYTES: usize = 8 << 20;

/// Where the server does not say how many records it takes.
const USUAL_BATCH: usize = 1000;

/// How many ids are asked for at a time.
const PAGE: usize = 10_000;

/// How often a collection may be deleted under one call.
const TIMES_MADE: usize = 3;

pub struct ChromaServer {
    http: Http,
    options: ChromaOptions,
    name: String,
    open: Mutex<Option<Open>>,
}

/// What is known once the server was asked.
#[derive(Debug, Clone)]
struct Open {
    id: String,
    most_records: usize,
}

impl ChromaServer {
    /// Asks nothing yet.
    pub fn new(
        options: ChromaOptions,
        http: &HttpOptions,
        context: &HttpContext,
    ) -> Result<Self, BadSetting> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        for name in [&options.tenant, &options.database] {
            if name.is_empty() || !name.chars().all(plain) {
                return Err(BadSetting::Name);
            }
        }
        if options.dimensions == 0 || options.model.is_empty() {
            return Err(BadSetting::Model);
        }
        let http = Http::new(&options.url, options.auth.clone(), http, context)?;
        let name = name::collection(&options.repository, &options.model);
        Ok(ChromaServer { http, options, name, open: Mutex::default() })
    }

    /// The name of the collection on the server.
    pub fn collection(&self) -> &str {
        &self.name
    }

    fn collections(&self) -> String {
        let ChromaOptions { tenant, database, .. } = &self.options;
        format!("/api/v2/tenants/{tenant}/databases/{database}/collections")
    }

    fn path(&self, open: &Open, verb: &str) -> String {
        format!("{}/{}/{verb}", self.collections(), open.id)
    }

    /// Runs the work in the collection, from its start again when the collection is found to be gone.
    fn within<T>(&self, work: impl Fn(&Open) -> Result<T, HttpError>) -> Result<T, EmbedError> {
        for _ in 0..TIMES_MADE {
            match work(&self.open()?) {
                Err(HttpError::Refused { status: 404, .. }) => self.forget(),
                result => return result.map_err(|error| self.advise(error)),
            }
        }
        let message = format!(
            "the collection `{}` at {} disappears again and again",
            self.name,
            self.http.base()
        );
        Err(EmbedError { message, hint: Some("see what else deletes it".to_owned()), source: None })
    }

    fn open(&self) -> Result<Open, EmbedError> {
        let mut known = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = &*known {
            return Ok(open.clone());
        }
        let open = self.make()?;
        *known = Some(open.clone());
        Ok(open)
    }

    fn forget(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn make(&self) -> Result<Open, EmbedError> {
        let wanted = json!({
            "name": self.name,
            "get_or_create": true,
            "configuration": wire::configuration(),
            "metadata": { "repository": self.options.repository, "model": self.options.model },
        });
        let made: Result<Collection, HttpError> = self.http.post(&self.collections(), &wanted);
        let made = made.map_err(|error| self.advise(error))?;
        self.check(&made)?;
        let limits: Result<PreFlight, HttpError> = self.http.get("/api/v2/pre-flight-checks");
        let most_records = match limits {
            Ok(limits) => limits.max_batch_size.max(1),
            Err(HttpError::Refused { status: 404, .. }) => USUAL_BATCH,
            Err(error) => return Err(self.advise(error)),
        };
        Ok(Open { id: made.id, most_records })
    }

    /// Whether the vectors in the collection can be compared with ours.
    fn check(&self, made: &Collection) -> Result<(), EmbedError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let wrong = match (made.dimension, made.space()) {
            _ if made.id.is_empty() || !made.id.chars().all(plain) => {
                "has an id that is none".to_owned()
            }
            (Some(found), _) if found != self.options.dimensions => {
                format!(
                    "holds vectors of {found} dimensions, and the model has {}",
                    self.options.dimensions
                )
            }
            (_, Some(space)) if space != "cosine" => {
                format!("compares by `{space}`, not by cosine")
            }
            _ => return Ok(()),
        };
        Err(EmbedError {
            message: format!("the collection `{}` at {} {wrong}", self.name, self.http.base()),
            hint: Some("delete the collection, and it is made anew".to_owned()),
            source: None,
        })
    }

    /// A vector of another size is our own mistake or a changed model; the server is not asked.
    fn check_vector(&self, vector: &[f32]) -> Result<(), EmbedError> {
        let (found, wanted) = (vector.len(), self.options.dimensions);
        let message = if found != wanted {
            format!("a vector has {found} dimensions; the collection `{}` has {wanted}", self.name)
        } else if !vector.iter().all(|number| number.is_finite()) {
            "a vector holds something other than numbers".to_owned()
        } else {
            return Ok(());
        };
        Err(EmbedError { message, hint: None, source: None })
    }

    fn advise(&self, error: HttpError) -> EmbedError {
        let hint = match &error {
            HttpError::Unreachable { .. } => Some(format!(
                "start it with `chroma run --path FOLDER --port {}`, or keep the vectors in the local store",
                port(self.http.base())
            )),
            HttpError::Refused { status: 401 | 403, .. } => {
                Some("give the token that the server was started with".to_owned())
            }
            HttpError::Refused { status: 404 | 405 | 410, .. } | HttpError::NotJson { .. } => {
                Some("check the address: a ChromaDB server of version 1 is wanted there".to_owned())
            }
            HttpError::Refused { words, .. } if words.contains("Database [") => Some(format!(
                "make the database `{}` of the tenant `{}`, or name another",
                self.options.database, self.options.tenant
            )),
            HttpError::Refused { .. }
            | HttpError::RateLimited { .. }
            | HttpError::Tls { .. }
            | HttpError::Stalled { .. }
            | HttpError::TooSlow { .. }
            | HttpError::TooLarge { .. }
            | HttpError::Interrupted => None,
        };
        let message = "the ChromaDB server cannot be used".to_owned();
        EmbedError { message, hint, source: Some(Box::new(error)) }
    }

    fn unsound(&self, why: &str) -> HttpError {
        HttpError::NotJson { at: self.http.base().to_owned(), why: why.to_owned() }
    }
}

impl VectorServer for ChromaServer {
    fn place(&self) -> String {
        format!("collection `{}` at {}", self.name, self.http.base())
    }

    fn standing(&self) -> Result<Standing, EmbedError> {
        self.within(|open| {
            let records = self.http.get(&self.path(open, "count"))?;
            Ok(Standing { identity: open.id.clone(), records })
        })
    }

    fn ids(&self) -> Result<Vec<String>, EmbedError> {
        self.within(|open| {
            let mut ids = Vec::new();
            loop {
                let page = json!({ "include": [], "limit": PAGE, "offset": ids.len() });
                let got: Got = self.http.post(&self.path(open, "get"), &page)?;
                let is_last = got.ids.len() < PAGE;
                ids.extend(got.ids);
                if is_last {
                    break;
                }
            }
            ids.sort_unstable();
            // Records that others write meanwhile may come on two pages.
            ids.dedup();
            Ok(ids)
        })
    }

    fn upsert(&self, records: &[Record]) -> Result<(), EmbedError> {
        records.iter().try_for_each(|record| self.check_vector(&record.embedding_vector))?;
        self.within(|open| {
            for batch in batches(records, open.most_records, MOST_BYTES, wire::size) {
                let _: Value = self.http.post(&self.path(open, "upsert"), &Upsert::of(batch))?;
            }
            Ok(())
        })
    }

    fn delete(&self, ids: &[String]) -> Result<(), EmbedError> {
        self.within(|open| {
            for batch in batches(ids, open.most_records, MOST_BYTES, |id| id.len() * 6 + 3) {
                let _: Value =
                    self.http.post(&self.path(open, "delete"), &json!({ "ids": batch }))?;
            }
            Ok(())
        })
    }

    fn nearest(
        &self,
        vector: &[f32],
        count: usize,
        filter: &Filter,
    ) -> Result<Vec<Near>, EmbedError> {
        self.check_vector(vector)?;
        let mut question = json!({
            "query_embeddings": [vector], "n_results": count, "include": ["distances"],
        });
        if let Some(condition) = wire::condition(filter) {
            question["where"] = condition;
        }
        self.within(|open| {
            let found: QueryResponse = self.http.post(&self.path(open, "query"), &question)?;
            let (Some(ids), Some(distances)) = (found.ids.first(), found.distances.first()) else {
                return Err(self.unsound("a question without an answer"));
            };
            if ids.len() != distances.len() {
                return Err(self.unsound("not one distance for each record"));
            }
            let near =
                |(id, distance): (&String, &f32)| Near { id: id.clone(), cosine: 1.0 - distance };
            let mut nearest: Vec<Near> = ids.iter().zip(distances).map(near).collect();
            nearest.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then_with(|| a.id.cmp(&b.id)));
            Ok(nearest)
        })
    }

    fn vectors(&self, ids: &[String]) -> Result<Vec<(String, Vec<f32>)>, EmbedError> {
        let bytes = self.options.dimensions * 24;
        self.within(|open| {
            let mut vectors = Vec::with_capacity(ids.len());
            for batch in batches(ids, open.most_records, MOST_BYTES, |id| id.len() * 12 + bytes) {
                let wanted = json!({ "ids": batch, "include": ["embeddings"] });
                let got: Got = self.http.post(&self.path(open, "get"), &wanted)?;
                let embeddings = got.embeddings.unwrap_or_default();
                if embeddings.len() != got.ids.len() {
                    return Err(self.unsound("not one vector for each record"));
                }
                vectors.extend(got.ids.into_iter().zip(embeddings));
            }
            vectors.sort_by(|(a, _), (b, _)| a.cmp(b));
            Ok(vectors)
        })
    }
}

/// Stretches of at most so many items and bytes; a larger item goes alone.
fn batches<T>(
    items: &[T],
    most: usize,
    most_bytes: usize,
    size: impl Fn(&T) -> usize,
) -> Vec<&[T]> {
    let mut batches = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, item) in items.iter().enumerate() {
        let more = size(item);
        if at > start && (at - start == most || bytes + more > most_bytes) {
            batches.push(&items[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += more;
    }
    if start < items.len() {
        batches.push(&items[start..]);
    }
    batches
}

fn port(base: &str) -> &str {
    let authority = base.rsplit('/').next().unwrap_or_default();
    match authority.rsplit_once(':') {
        Some((_, port)) if port.parse::<u16>().is_ok() => port,
        _ => "8000",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix7_batches_hold_to_count_and_bytes() {
        let check = |sizes: &[usize], most: usize, bytes: usize, expected: &[usize]| {
            let batches = batches(sizes, most, bytes, |size| *size);
            assert_eq!(batches.iter().map(|batch| batch.len()).collect::<Vec<_>>(), expected);
            assert_eq!(batches.concat(), sizes);
        };
        check(&[], 2, 10, &[]);
        check(&[1; 5], 2, 10, &[2, 2, 1]);
        check(&[4, 6, 1, 11, 1], 9, 10, &[2, 1, 1, 1]);
    }
}

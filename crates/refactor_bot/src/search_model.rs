//! The embedding model and the vector server that the configuration chooses.

use std::path::Path;
use std::sync::Arc;

use rb_core::Usd;
use rb_embed::{ChromaOptions, ChromaServer, Model2Vec, OpenAiEmbedder, OpenAiOptions, chroma};
use rb_http::{Auth, BadSetting, HttpContext, HttpError, HttpOptions, Proxy, Secret, SystemClock};
use rb_index::search::embed::{EmbedError, Embedder};
use rb_index::search::remote::VectorServer;
use rb_index::search::table::Local;
use rb_repo::{Repo, SearchModel};

use crate::app::App;
use crate::config::settings::Search;
use crate::error::{CliError, ErrorKind};

/// `search.max_cents` where nobody set it.
const DEFAULT_CENTS: u32 = 100;

/// The search model that the configuration of a repository chooses.
pub(crate) fn of(app: &App, repo: &Repo) -> Result<SearchModel, CliError> {
    let config = app.config(Some(repo.root()), Vec::new())?;
    let settings = config.settings.search;
    let embedder = embedder(app, &settings)?;
    let server: Option<Box<dyn VectorServer>> = match settings.chroma.as_str() {
        "" => None,
        url => Some(Box::new(server(app, url, &repo.name(), &*embedder)?)),
    };
    Ok(SearchModel::new(embedder, server))
}

fn embedder(app: &App, settings: &Search) -> Result<Arc<dyn Embedder>, CliError> {
    match settings.model.as_str() {
        "local" => Ok(Arc::new(Local)),
        model => match model.strip_prefix("openai:") {
            Some(model) => openai(app, settings, model),
            None => folder(Path::new(model)),
        },
    }
}

fn folder(path: &Path) -> Result<Arc<dyn Embedder>, CliError> {
    const CHOICES: &str =
        "set it to local, to openai:text-embedding-3-small, or to the folder of a model2vec model";
    if !path.is_dir() {
        let problem = format!("search.model is `{}`, which is not a model", path.display());
        return Err(CliError::new(ErrorKind::Usage, problem).hint(CHOICES));
    }
    match Model2Vec::open(path) {
        Ok(model) => Ok(Arc::new(model)),
        Err(error) => {
            let hint = error.hint();
            Err(CliError::new(ErrorKind::Environment, error).hint(hint))
        }
    }
}

fn openai(app: &App, settings: &Search, model: &str) -> Result<Arc<dyn Embedder>, CliError> {
    let defaults = OpenAiOptions::default();
    let options = OpenAiOptions {
        base_url: settings.openai_url.clone(),
        model: if model.is_empty() { defaults.model.clone() } else { model.to_owned() },
        key: app.environment.text("OPENAI_API_KEY").map(Secret::new),
        cap: Usd::new(f64::from(settings.max_cents) / 100.0),
        ..defaults
    };
    let http = HttpOptions { proxy: proxy(app, &settings.openai_url), ..HttpOptions::default() };
    let embedder = OpenAiEmbedder::new(options, &http, &context(app)).map_err(bad)?;
    // A limit that nobody set does not keep anyone from using a server of their own.
    if embedder.price().is_none() && settings.max_cents == DEFAULT_CENTS {
        let name = embedder.model();
        app.ui.warn(&format!("the price of {name} is not known: what is spent is not limited"));
        return Ok(Arc::new(embedder.without_cap()));
    }
    Ok(Arc::new(embedder))
}

fn server(
    app: &App,
    url: &str,
    repository: &str,
    embedder: &dyn Embedder,
) -> Result<ChromaServer, CliError> {
    let options = ChromaOptions {
        url: url.to_owned(),
        auth: app.environment.text("CHROMA_TOKEN").map(|token| Auth::bearer(Secret::new(token))),
        ..ChromaOptions::local(repository, embedder.model(), embedder.dimensions())
    };
    let http =
        HttpOptions { proxy: proxy(app, url), patience: chroma::RESTART, ..HttpOptions::default() };
    ChromaServer::new(options, &http, &context(app)).map_err(bad)
}

pub(crate) fn context(app: &App) -> HttpContext {
    HttpContext { clock: Arc::new(SystemClock), cancel: app.cancel.clone() }
}

/// The proxy that the environment names for such addresses, as other programs read it.
pub(crate) fn proxy(app: &App, url: &str) -> Option<Proxy> {
    let names = if url.starts_with("https:") {
        ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
    } else {
        ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"]
    };
    let url = names.iter().find_map(|name| app.environment.text(name))?;
    let except = ["NO_PROXY", "no_proxy"].iter().find_map(|name| app.environment.text(name));
    let except = except.unwrap_or_default().split(',').map(|host| host.trim().to_owned());
    Some(Proxy { url: Secret::new(url), except: except.filter(|host| !host.is_empty()).collect() })
}

/// A model or a server that did not do what it was asked for.
pub(crate) fn failed(error: EmbedError) -> CliError {
    let source = error.source.as_ref().and_then(|source| source.downcast_ref::<HttpError>());
    if matches!(source, Some(HttpError::Interrupted)) {
        return CliError::new(ErrorKind::Interrupted, "interrupted");
    }
    let hint = error.hint.clone();
    hint.into_iter().fold(CliError::new(ErrorKind::Environment, error), CliError::hint)
}

fn bad(error: BadSetting) -> CliError {
    CliError::new(ErrorKind::Usage, error)
}

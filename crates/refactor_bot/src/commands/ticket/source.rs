//! Where a ticket is read from, with the addresses of the configuration and the tokens of the environment.

use std::io::{self, Read as _};
use std::path::Path;

use rb_http::{HttpOptions, Secret};
use rb_ticket::Ticket;
use rb_ticket::{Github, Jira, JiraAuth};
use rb_ticket::{Inputs, Order, OrderContext};
use rb_workspace::git::Git;

use crate::app::App;
use crate::config::settings::Ticket as TicketSettings;
use crate::error::{CliError, ErrorKind};
use crate::search_model;

/// More is read of no ticket.
const LONGEST: u64 = 8 << 20;

/// Reads the ticket that is called `name`, for the repository at `root`.
pub(super) fn read(
    app: &App,
    name: &str,
    root: &Path,
    settings: &TicketSettings,
) -> Result<Ticket, CliError> {
    let origin = origin(app, root);
    let jira_site = Some(settings.jira_url.as_str()).filter(|url| !url.is_empty());
    let host = github_host(&settings.github_url);
    let context = OrderContext { github_host: &host, origin: origin.as_deref(), jira_site };
    let order = Order::parse(name, &context)?;
    let stdin = match order {
        Order::Stdin => Some(stdin()?),
        Order::File(_) | Order::Github { .. } | Order::Jira { .. } => None,
    };
    let github = match order {
        Order::Github { .. } => Some(github(app, settings)?),
        Order::File(_) | Order::Stdin | Order::Jira { .. } => None,
    };
    let jira = match &order {
        Order::Jira { site, .. } => Some(jira(app, settings, site)?),
        Order::File(_) | Order::Stdin | Order::Github { .. } => None,
    };
    let inputs = Inputs {
        folder: Path::new(""),
        stdin: stdin.as_deref(),
        github: github.as_ref(),
        jira: jira.as_ref(),
    };
    Ok(rb_ticket::read(&order, &inputs)?)
}

fn stdin() -> Result<String, CliError> {
    let mut bytes = Vec::new();
    io::stdin()
        .take(LONGEST)
        .read_to_end(&mut bytes)
        .map_err(|error| CliError::new(ErrorKind::Environment, error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The URL of the remote `origin`, as the repository's own settings have it.
pub(super) fn origin(app: &App, root: &Path) -> Option<String> {
    setting(app, root, "remote.origin.url")
}

/// Where git pushes, if that is another URL.
pub(super) fn origin_for_pushes(app: &App, root: &Path) -> Option<String> {
    setting(app, root, "remote.origin.pushurl")
}

fn setting(app: &App, root: &Path, key: &str) -> Option<String> {
    let git = Git::new(root, &app.env, &app.cancel);
    git.optional_line(["config", "--get", key]).ok().flatten()
}

pub(super) fn github_token(app: &App) -> Option<Secret> {
    let names = ["GITHUB_TOKEN", "GH_TOKEN"];
    names.iter().find_map(|name| app.environment.text(name)).map(Secret::new)
}

pub(super) fn github(app: &App, settings: &TicketSettings) -> Result<Github, CliError> {
    let url = &settings.github_url;
    Ok(Github::new(url, github_token(app), &http(app, url), &search_model::context(app))?)
}

fn jira(app: &App, settings: &TicketSettings, site: &str) -> Result<Jira, CliError> {
    let configured = settings.jira_url.trim_end_matches('/');
    let is_configured = configured.split_once("://").map_or(configured, |(_, site)| site) == site;
    let base = match configured {
        url if is_configured && url.contains("://") => url.to_owned(),
        _ => format!("https://{site}"),
    };
    let names = ["JIRA_API_TOKEN", "JIRA_TOKEN"];
    let token = names.iter().find_map(|name| app.environment.text(name)).map(Secret::new);
    let auth = token.map(|token| match app.environment.text("JIRA_EMAIL") {
        Some(email) => JiraAuth::Basic { email: email.to_owned(), token },
        None => JiraAuth::Bearer(token),
    });
    Ok(Jira::new(&base, auth, &http(app, &base), &search_model::context(app))?)
}

fn http(app: &App, url: &str) -> HttpOptions {
    HttpOptions { proxy: search_model::proxy(app, url), ..HttpOptions::default() }
}

/// The host of the pages and repositories that belong to an API: `github.com` for `https://api.github.com`.
pub(super) fn github_host(api: &str) -> String {
    let address = api.split_once("://").map_or(api, |(_, address)| address);
    let host = address.split('/').next().unwrap_or(address);
    host.strip_prefix("api.").unwrap_or(host).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk1_the_host_follows_from_the_api() {
        assert_eq!(github_host("https://api.github.com"), "github.com");
        assert_eq!(github_host("https://git.Example.com/api/v3/"), "git.example.com");
        assert_eq!(github_host("http://127.0.0.1:8080"), "127.0.0.1:8080");
    }
}

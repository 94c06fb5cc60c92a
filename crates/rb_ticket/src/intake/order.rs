//! Which ticket is meant by what somebody typed. Pure: no file is looked for.

use std::path::PathBuf;

use super::IntakeError;
use super::draft::is_key;
use crate::forge::Repository;

/// A ticket to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    File(PathBuf),
    Stdin,
    Github { repository: Repository, number: u64 },
    Jira { site: String, key: String },
}

/// What short forms refer to.
#[derive(Debug, Clone, Copy)]
pub struct OrderContext<'a> {
    /// The web address of GitHub without its scheme: `github.com`, or the host of a GitHub Enterprise server.
    pub github_host: &'a str,
    /// The URL of the remote `origin`.
    pub origin: Option<&'a str>,
    /// `example.atlassian.net`.
    pub jira_site: Option<&'a str>,
}

impl Order {
    /// `-`, `https://github.com/OWNER/REPO/issues/N`, `OWNER/REPO#N`, `#N`, `https://SITE/browse/KEY`, `ABC-123`; anything else
    /// is a path. Write `./ABC-123` for a file of such a name.
    pub fn parse(text: &str, context: &OrderContext) -> Result<Order, IntakeError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(IntakeError::NoOrder);
        }
        if text == "-" {
            return Ok(Order::Stdin);
        }
        if let Some(address) =
            text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))
        {
            return of_address(address, context);
        }
        if let Some((repository, number)) = text.split_once('#')
            && let Some(number) = issue_number(number)
        {
            return of_number(repository, number, context);
        }
        if is_key(text) {
            let site = context.jira_site.ok_or(IntakeError::NoJiraSite)?;
            return Ok(Order::Jira { site: site_name(site).to_owned(), key: text.to_owned() });
        }
        Ok(Order::File(PathBuf::from(text)))
    }
}

fn of_address(address: &str, context: &OrderContext) -> Result<Order, IntakeError> {
    let unknown = || IntakeError::UnknownAddress {
        address: rb_http::printable(address),
        github_host: context.github_host.to_owned(),
    };
    let plain = address.split(['?', '#']).next().unwrap_or(address).trim_end_matches('/');
    let parts: Vec<&str> = plain.split('/').collect();
    let is_jira = |site: &str| {
        let known = context.jira_site.is_some_and(|known| site_name(known) == site);
        known || site.strip_suffix(".atlassian.net").is_some_and(is_label)
    };
    match parts[..] {
        [host, owner, repo, "issues", number] if host.eq_ignore_ascii_case(context.github_host) => {
            let repository = Repository::new(owner, repo).ok_or_else(unknown)?;
            let number = issue_number(number).ok_or_else(unknown)?;
            Ok(Order::Github { repository, number })
        }
        [site, "browse", key] if is_key(key) && is_jira(&site.to_ascii_lowercase()) => {
            Ok(Order::Jira { site: site.to_ascii_lowercase(), key: key.to_owned() })
        }
        _ => Err(unknown()),
    }
}

fn of_number(repository: &str, number: u64, context: &OrderContext) -> Result<Order, IntakeError> {
    let repository = if repository.is_empty() {
        let origin = context.origin.ok_or(IntakeError::NoOrigin)?;
        Repository::of_remote(origin, context.github_host).ok_or_else(|| {
            let host = context.github_host.to_owned();
            IntakeError::OtherOrigin { host }
        })?
    } else {
        let named =
            repository.split_once('/').and_then(|(owner, name)| Repository::new(owner, name));
        named.ok_or_else(|| IntakeError::BadRepository { name: rb_http::printable(repository) })?
    };
    Ok(Order::Github { repository, number })
}

fn issue_number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number| *number > 0 && !text.starts_with('+'))
}

fn is_label(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn site_name(site: &str) -> &str {
    let site = site.trim_end_matches('/');
    site.strip_prefix("https://").or_else(|| site.strip_prefix("http://")).unwrap_or(site)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: OrderContext = OrderContext {
        github_host: "github.com",
        origin: Some("git@github.com:acme/shop.git"),
        jira_site: Some("https://acme.atlassian.net/"),
    };

    #[test]
    fn tk1_every_form_of_an_order_is_read() {
        let github = |owner: &str, repo: &str, number| Order::Github {
            repository: Repository::new(owner, repo).unwrap(),
            number,
        };
        let jira =
            |site: &str, key: &str| Order::Jira { site: site.to_owned(), key: key.to_owned() };
        let check = |text: &str, expected: Order| {
            assert_eq!(Order::parse(text, &CONTEXT).unwrap(), expected, "{text}");
        };
        check("-", Order::Stdin);
        check("https://github.com/a/b.c/issues/7#issuecomment-1", github("a", "b.c", 7));
        check("a/b#12", github("a", "b", 12));
        check("#3", github("acme", "shop", 3));
        check(
            "https://x.atlassian.net/browse/SSI-1883?focus=1",
            jira("x.atlassian.net", "SSI-1883"),
        );
        check("SSI-1883", jira("acme.atlassian.net", "SSI-1883"));
        for path in ["./SSI-1883", "tickets/a.md", "notes#1a.md", "ssi-1", "A-1"] {
            check(path, Order::File(PathBuf::from(path)));
        }
    }

    #[test]
    fn tk1_an_order_that_cannot_be_read_says_what_to_do() {
        let check = |text: &str, context: &OrderContext, expected: &str| {
            assert_eq!(Order::parse(text, context).unwrap_err().to_string(), expected, "{text}");
        };
        let bare = OrderContext { origin: None, jira_site: None, ..CONTEXT };
        let other = OrderContext { origin: Some("https://gitlab.com/a/b"), ..CONTEXT };
        check(
            "",
            &CONTEXT,
            "no ticket was given: name a file, `-` for standard input, a GitHub issue or a Jira key",
        );
        check("#3", &bare, "this repository has no remote `origin`: write OWNER/REPO#N");
        check("#3", &other, "the remote `origin` is not on github.com: write OWNER/REPO#N");
        check("A/B/C#3", &CONTEXT, "`A/B/C` is not OWNER/REPO");
        check(
            "SSI-1",
            &bare,
            "no Jira site is configured: write https://SITE.atlassian.net/browse/KEY, or `./KEY` for a file",
        );
        let unknown = "`https://evil.example/a/b/issues/1` is neither https://github.com/OWNER/REPO/issues/N nor https://SITE.atlassian.net/browse/KEY";
        check("https://evil.example/a/b/issues/1", &CONTEXT, unknown);
        for odd in [
            "https://github.com/a/b/issues/0",
            "https://github.com/../b/issues/1",
            "https://github.com/a/b/pull/1",
            "https://evil.net/browse/A-1",
            "https://a.b.atlassian.net/browse/AB-1",
            "https://x@y.atlassian.net/browse/AB-1",
        ] {
            assert!(Order::parse(odd, &CONTEXT).is_err(), "{odd}");
        }
    }
}

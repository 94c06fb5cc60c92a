//! GitHub: an issue with its comments, and pull requests. It uploads nothing and pushes nothing.

use rb_http::{Auth, HttpContext, HttpOptions, Method, Secret};
use serde_json::{Value, json};

use super::client::Client;
use super::error::{ForgeError, Service};
use super::repository::Repository;

const HEADERS: [(&str, &str); 2] =
    [("accept", "application/vnd.github+json"), ("x-github-api-version", "2022-11-28")];
const PER_PAGE: usize = 100;
/// Issues with more comments are not tickets.
const MOST_PAGES: usize = 30;

pub struct Github {
    client: Client,
}

/// A pull request to open.
#[derive(Debug, Clone, Copy)]
pub struct PullRequest<'a> {
    pub title: &'a str,
    /// The branch with the change, in the same repository.
    pub head: &'a str,
    /// The branch to merge into.
    pub base: &'a str,
    pub body: &'a str,
    pub draft: bool,
}

/// A pull request as it is on GitHub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPullRequest {
    pub number: u64,
    pub url: String,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Created,
    /// The branch had one already; its title and body were replaced.
    Updated,
}

impl Github {
    /// For GitHub Enterprise it is `https://HOST/api/v3`.
    pub const API: &'static str = "https://api.github.com";

    /// Without a token only public repositories can be read, and few times an hour.
    pub fn new(
        base: &str,
        token: Option<Secret>,
        options: &HttpOptions,
        context: &HttpContext,
    ) -> Result<Self, ForgeError> {
        let auth = token.clone().map(Auth::bearer);
        let client = Client::new(Service::Github, base, auth, token, options, context)?;
        Ok(Github { client: client.with_headers(&HEADERS) })
    }

    /// The issue as GitHub returns it, with `comments` replaced by the comments of all pages, for `parse_json`.
    pub fn issue(&self, repository: &Repository, number: u64) -> Result<Value, ForgeError> {
        let what = format!("issue {repository}#{number}");
        let path = format!("{}/issues/{number}", path(repository));
        let mut issue = self.client.get(&path, &what)?;
        let comments = match issue.get("comments").and_then(Value::as_u64) {
            Some(0) => Vec::new(),
            _ => {
                let path = format!("{path}/comments?per_page={PER_PAGE}");
                self.client.all_pages(&path, &what, MOST_PAGES)?
            }
        };
        match issue.as_object_mut() {
            Some(fields) => fields.insert("comments".to_owned(), Value::Array(comments)),
            None => return Err(self.client.not_json("it is not an issue")),
        };
        Ok(issue)
    }

    /// Opens a pull request. If the branch has an open one, its title and body are replaced instead.
    pub fn open_pull_request(
        &self,
        repository: &Repository,
        request: &PullRequest,
    ) -> Result<OpenPullRequest, ForgeError> {
        if let Some(open) = self.find(repository, request.head)? {
            return self.update(repository, open, request);
        }
        let path = format!("{}/pulls", path(repository));
        let body = json!({
            "title": request.title,
            "head": request.head,
            "base": request.base,
            "body": request.body,
            "draft": request.draft,
        });
        let what = format!("the pull request for {} in {repository}", request.head);
        match self.client.send(Method::Post, &path, &body, &what) {
            Err(ForgeError::NotFound { service, .. }) => {
                Err(ForgeError::NotFound { service, what: format!("repository {repository}") })
            }
            Ok(created) => self.opened(&created, Outcome::Created),
            // An earlier try may have reached GitHub although its answer did not reach us.
            Err(ForgeError::Invalid { service, what, problems })
                if problems.iter().any(|it| it.contains("pull request already exists")) =>
            {
                match self.find(repository, request.head)? {
                    Some(open) => self.update(repository, open, request),
                    None => Err(ForgeError::Invalid { service, what, problems }),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// The number of the open pull request of a branch.
    fn find(&self, repository: &Repository, head: &str) -> Result<Option<u64>, ForgeError> {
        let owner = repository.owner();
        let path = format!("{}/pulls?state=open&head={owner}:{}", path(repository), encoded(head));
        let found = self.client.get(&path, &format!("repository {repository}"))?;
        // An answer for other branches would come from a server that does not know the filter.
        let open = found.as_array().into_iter().flatten().find(|pull| {
            let name = pull.pointer("/head/ref").and_then(Value::as_str);
            name == Some(head)
        });
        Ok(open.and_then(|pull| pull.get("number")).and_then(Value::as_u64))
    }

    fn update(
        &self,
        repository: &Repository,
        number: u64,
        request: &PullRequest,
    ) -> Result<OpenPullRequest, ForgeError> {
        let path = format!("{}/pulls/{number}", path(repository));
        let body = json!({ "title": request.title, "body": request.body });
        let what = format!("pull request {repository}#{number}");
        let updated = self.client.send(Method::Patch, &path, &body, &what)?;
        self.opened(&updated, Outcome::Updated)
    }

    fn opened(&self, answer: &Value, outcome: Outcome) -> Result<OpenPullRequest, ForgeError> {
        let number = answer.get("number").and_then(Value::as_u64);
        let url = answer.get("html_url").and_then(Value::as_str);
        match (number, url) {
            (Some(number), Some(url)) => {
                Ok(OpenPullRequest { number, url: rb_http::printable(url), outcome })
            }
            _ => Err(self.client.not_json("it is not a pull request")),
        }
    }
}

fn path(repository: &Repository) -> String {
    format!("/repos/{}/{}", repository.owner(), repository.name())
}

/// For the value of a query.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

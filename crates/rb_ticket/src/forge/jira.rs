//! Jira: one issue with its comments. Nothing is written there.

use rb_http::{Auth, HttpContext, HttpOptions, Secret};
use serde_json::Value;

use super::client::Client;
use super::error::{ForgeError, Service};

const FIELDS: &str = "summary,description,attachment,comment";
const PER_PAGE: usize = 100;
/// Comments beyond these pages are left out; `total` of the issue still counts them.
const MOST_PAGES: usize = 30;

pub struct Jira {
    client: Client,
}

/// How Jira knows you.
#[derive(Debug, Clone)]
pub enum JiraAuth {
    /// Jira Cloud: the address of the account and an API token.
    Basic { email: String, token: Secret },
    /// Jira Data Center: a personal access token.
    Bearer(Secret),
}

impl Jira {
    /// `base` is `https://SITE.atlassian.net`.
    pub fn new(
        base: &str,
        auth: Option<JiraAuth>,
        options: &HttpOptions,
        context: &HttpContext,
    ) -> Result<Self, ForgeError> {
        let (auth, token) = match auth {
            Some(JiraAuth::Basic { email, token }) => {
                let pair = base64(format!("{}:{}", email.trim(), token.expose()).as_bytes());
                let header = "authorization".to_owned();
                (Some(Auth { header, prefix: "Basic ", key: Secret::new(pair) }), Some(token))
            }
            Some(JiraAuth::Bearer(token)) => (Some(Auth::bearer(token.clone())), Some(token)),
            None => (None, None),
        };
        let client = Client::new(Service::Jira, base, auth, token, options, context)?;
        Ok(Jira { client })
    }

    /// The issue as Jira returns it, with the comments of all pages, for `parse_json`.
    pub fn issue(&self, key: &str) -> Result<Value, ForgeError> {
        let what = format!("issue {}", rb_http::printable(key));
        // A key from a URL or the command line was checked; others must not lead elsewhere.
        if !key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
            return Err(ForgeError::NotFound { service: Service::Jira, what });
        }
        let path = format!("/rest/api/3/issue/{key}");
        let mut issue = self.client.get(&format!("{path}?fields={FIELDS}"), &what)?;
        if let Some(first) = issue.pointer_mut("/fields/comment") {
            self.add_comments(first, &path, &what)?;
        }
        Ok(issue)
    }

    /// The issue itself holds the first page of its comments.
    fn add_comments(&self, first: &mut Value, path: &str, what: &str) -> Result<(), ForgeError> {
        let total = first.get("total").and_then(Value::as_u64).unwrap_or_default();
        let Some(Value::Array(comments)) = first.get_mut("comments") else { return Ok(()) };
        for _ in 0..MOST_PAGES {
            let start = comments.len();
            if start as u64 >= total {
                break;
            }
            let query = format!("startAt={start}&maxResults={PER_PAGE}");
            let mut page = self.client.get(&format!("{path}/comment?{query}"), what)?;
            match page.get_mut("comments").map(Value::take) {
                Some(Value::Array(more)) if more.is_empty() => break,
                Some(Value::Array(more)) => comments.extend(more),
                _ => return Err(self.client.not_json("it is not a page of comments")),
            }
        }
        Ok(())
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at) & 63) as usize];
            out.push(if at > chunk.len() { '=' } else { char::from(letter) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk1_credentials_are_encoded_as_rfc_4648_does() {
        let check = |text: &str, expected: &str| assert_eq!(base64(text.as_bytes()), expected);
        check("", "");
        check("f", "Zg==");
        check("fo", "Zm8=");
        check("foo", "Zm9v");
        check("foobar", "Zm9vYmFy");
        check("a:ÿ?~", "YTrDvz9+");
    }
}

//! The name of a repository on GitHub.

use std::fmt;

/// `OWNER/REPO`, of characters that GitHub allows, so that it is safe in an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    owner: String,
    name: String,
}

impl Repository {
    pub fn new(owner: &str, name: &str) -> Option<Repository> {
        let is_allowed = |text: &str| {
            (1..=100).contains(&text.len())
                && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
                && text.bytes().any(|b| b != b'.')
        };
        let is_valid = is_allowed(owner) && is_allowed(name);
        is_valid.then(|| Repository { owner: owner.to_owned(), name: name.to_owned() })
    }

    /// From the URL of a remote on `host`, in any form that git takes.
    pub fn of_remote(url: &str, host: &str) -> Option<Repository> {
        let url = url.trim().trim_end_matches('/');
        let (authority, path) = match url.split_once("://") {
            Some((_, rest)) => rest.split_once('/')?,
            None => url.split_once(':')?,
        };
        let found = authority.rsplit('@').next()?.split(':').next()?;
        // GitHub serves SSH over the port of HTTPS under this name.
        let found = found.strip_prefix("ssh.").unwrap_or(found);
        let (owner, name) = path.trim_start_matches('/').split_once('/')?;
        let name = name.strip_suffix(".git").unwrap_or(name);
        // The API of a server may have another port than its repositories.
        let host = host.split(':').next()?;
        if found.eq_ignore_ascii_case(host) { Repository::new(owner, name) } else { None }
    }

    pub fn owner(&self) -> &str {
        &self.owner
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk4_remotes_name_their_repository() {
        let check = |url: &str, expected: Option<&str>| {
            let found = Repository::of_remote(url, "github.com").map(|it| it.to_string());
            assert_eq!(found.as_deref(), expected, "{url}");
        };
        check("https://github.com/acme/shop.git", Some("acme/shop"));
        check("https://me:token@GitHub.com/acme/shop/", Some("acme/shop"));
        check("git@github.com:acme/shop.js.git", Some("acme/shop.js"));
        check("ssh://git@ssh.github.com:443/acme/shop.git", Some("acme/shop"));
        for other in
            ["https://gitlab.com/a/b", "/srv/git/a/b", "github.com", "git@github.com:a", ""]
        {
            check(other, None);
        }
        let found =
            Repository::of_remote("https://git.example.com:8443/a/b", "git.example.com:8443");
        assert_eq!(found, Repository::new("a", "b"));
        check("https://github.com/a/..", None);
        check("https://github.com/a/b/c", None);
        check("https://github.com.evil.example/a/b", None);
    }
}

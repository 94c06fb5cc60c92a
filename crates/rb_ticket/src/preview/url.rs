//! The parts of a preview URL that matter: scheme, host, port and the path that checks are relative to.

use std::net::IpAddr;

use super::PreviewError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Url {
    scheme: &'static str,
    host: String,
    port: u16,
    /// Without a slash at the end.
    path: String,
}

impl Url {
    pub(crate) fn parse(text: &str) -> Result<Url, PreviewError> {
        let fail = |why| PreviewError::Url { url: rb_http::printable(text), why };
        let text = text.trim();
        if text.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err(fail("it has characters that no address has"));
        }
        let (scheme, usual, rest) = if let Some(rest) = text.strip_prefix("http://") {
            ("http", 80, rest)
        } else if let Some(rest) = text.strip_prefix("https://") {
            ("https", 443, rest)
        } else {
            return Err(fail("it does not begin with http:// or https://"));
        };
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let (authority, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
        if authority.contains('@') {
            return Err(fail("it has a user name in it"));
        }
        let after_host = authority.rfind(']').map_or(0, |end| end + 1);
        let (host, port) = match authority[after_host..].rfind(':') {
            Some(colon) => {
                let (host, port) = authority.split_at(after_host + colon);
                (host, port[1..].parse().map_err(|_| fail("its port is not a number up to 65535"))?)
            }
            None => (authority, usual),
        };
        if host.is_empty() {
            return Err(fail("it names no host"));
        }
        let path = path.trim_end_matches('/').to_owned();
        Ok(Url { scheme, host: host.to_ascii_lowercase(), port, path })
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Without a slash at the end, and without the port that the scheme has anyway.
    pub(crate) fn base(&self) -> String {
        let Url { scheme, host, port, path } = self;
        match (*scheme, *port) {
            ("http", 80) | ("https", 443) => format!("{scheme}://{host}{path}"),
            _ => format!("{scheme}://{host}:{port}{path}"),
        }
    }

    /// Without a slash at the end.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// All names of this machine are one server.
    pub(crate) fn is_same_server(&self, other: &Url) -> bool {
        let is_same_host = self.host == other.host || (self.is_loopback() && other.is_loopback());
        self.scheme == other.scheme && self.port == other.port && is_same_host
    }

    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk3_a_preview_url_is_read_into_its_parts() {
        let read = |text: &str| match Url::parse(text) {
            Ok(url) => format!("{} {} {}", url.base(), url.port(), url.is_loopback()),
            Err(error) => error.to_string().split(". Give").next().unwrap_or_default().to_owned(),
        };
        let rows = [
            "http://localhost:3000/",
            "http://127.0.0.1",
            "https://[::1]:8443/app/?x=1",
            "https://Shop.example/",
            "http://localhost.evil.example:3000",
            "ftp://x",
            "localhost:3000",
            "http://:80",
            "http://h:99999",
            "http://user@localhost:3000",
            "http://a\u{7}b",
            "http://[::1",
        ]
        .map(read);
        expect_test::expect![[r#"
            http://localhost:3000 3000 true
            http://127.0.0.1 80 true
            https://[::1]:8443/app 8443 true
            https://shop.example 443 false
            http://localhost.evil.example:3000 3000 false
            `ftp://x` is not an address of a preview: it does not begin with http:// or https://
            `localhost:3000` is not an address of a preview: it does not begin with http:// or https://
            `http://:80` is not an address of a preview: it names no host
            `http://h:99999` is not an address of a preview: its port is not a number up to 65535
            `http://user@localhost:3000` is not an address of a preview: it has a user name in it
            `http://a b` is not an address of a preview: it has characters that no address has
            http://[::1 1 false"#]]
        .assert_eq(&rows.join("\n"));
    }
}

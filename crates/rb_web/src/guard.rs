//! Who may ask: only the person who started the server, from its own pages.
//!
//! The address is checked before anything else (`Host` and `Origin`), so that a name which another site rebinds to this machine gets
//! nothing. Then the session: the start address carries a random token once, which is exchanged for a cookie. What changes something
//! needs the form key of the session as well.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use axum::middleware::Next;
use rb_core::random;
use rb_html::Page;

use crate::reply::{self, Reply};
use crate::site::Site;

/// Browsers leave this port out.
const HTTP: u16 = 80;

/// Nothing from anywhere else, no script or style within a page, no frame around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // With `no-referrer`, browsers would send `Origin: null` with our own forms.
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The secrets of one server, drawn when it starts.
#[derive(Debug, Clone)]
pub(crate) struct Keys {
    /// In the start address.
    pub(crate) token: String,
    /// In the cookie.
    session: String,
    /// In every form that changes something.
    pub(crate) form: String,
    cookie: String,
    /// As a browser may name this server, such as `127.0.0.1:4747`.
    hosts: Vec<String>,
}

impl Keys {
    pub(crate) fn draw(address: SocketAddr, name: Option<&str>) -> Keys {
        let port = address.port();
        let mut names = vec![host_of(&address.ip().to_string())];
        // `localhost` leads to no other loopback address.
        if [IpAddr::V4(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()].contains(&address.ip()) {
            names.push("localhost".to_owned());
        }
        names.extend(name.map(host_of));
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == HTTP {
            hosts.extend(names);
        }
        // Cookies do not tell ports apart, so that two servers at one address do not replace each other's.
        let cookie = format!("refactor_bot_{port}");
        Keys { token: key(), session: key(), form: key(), cookie, hosts }
    }

    fn knows_host(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
        host.to_str().is_ok_and(|host| self.hosts.contains(&host.to_ascii_lowercase()))
    }

    /// Whether the page that asks, if it says which, is one of ours.
    fn knows_origin(&self, method: &Method, headers: &HeaderMap) -> bool {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or(""));
        let is_ours = |origin: &str| {
            origin
                .strip_prefix("http://")
                .is_some_and(|host| self.hosts.iter().any(|it| it == host))
        };
        match text(header::ORIGIN) {
            Some(origin) => is_ours(origin),
            None if is_read(method) => true,
            // Every browser that can run the pages says where a form comes from.
            None => text(HeaderName::from_static("sec-fetch-site")) == Some("same-origin"),
        }
    }

    fn knows_session(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter();
        let cookies =
            cookies.filter_map(|value| value.to_str().ok()).flat_map(|all| all.split(';'));
        let mut pairs = cookies.filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == self.cookie && is_same(value, &self.session))
    }

    pub(crate) fn knows_form(&self, key: &str) -> bool {
        is_same(key, &self.form)
    }
}

/// A name or an address as it stands in URLs.
pub(crate) fn host_of(name: &str) -> String {
    match name.parse::<Ipv6Addr>() {
        Ok(address) => format!("[{address}]"),
        Err(_) => name.to_ascii_lowercase(),
    }
}

fn key() -> String {
    let bytes: [u8; 24] = random::bytes();
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Takes the same time wherever the two differ.
fn is_same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && differ == 0
}

fn is_read(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

/// Stands before every route.
pub(crate) async fn guard(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let mut response = match admit(&site.keys, &request) {
        Ok(Admitted::In) => next.run(request).await,
        Ok(Admitted::WithToken) => welcome(&site.keys, &request),
        Err((status, words)) => reply::html(status, refusal(words)),
    };
    for (name, value) in HEADERS {
        // A reply with a policy of its own has a stricter one.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

enum Admitted {
    In,
    /// The first visit, by the start address.
    WithToken,
}

fn admit(keys: &Keys, request: &Request) -> Result<Admitted, (StatusCode, &'static str)> {
    let (method, headers) = (request.method(), request.headers());
    if !keys.knows_host(headers) {
        return Err((StatusCode::MISDIRECTED_REQUEST, "This server does not go by that name."));
    }
    if !keys.knows_origin(method, headers) {
        return Err((StatusCode::FORBIDDEN, "The request comes from another site."));
    }
    if is_read(method) && token(request).is_some_and(|token| is_same(token, &keys.token)) {
        return Ok(Admitted::WithToken);
    }
    if !keys.knows_session(headers) {
        let words = "Open the address that `refactor-bot serve` printed: it contains the token of this session.";
        return Err((StatusCode::UNAUTHORIZED, words));
    }
    Ok(Admitted::In)
}

fn token(request: &Request) -> Option<&str> {
    let pairs = request.uri().query()?.split('&');
    pairs
        .filter_map(|pair| pair.split_once('='))
        .find(|(name, _)| *name == "token")
        .map(|(_, it)| it)
}

/// The token leaves the address bar, and the cookie takes its place.
fn welcome(keys: &Keys, request: &Request) -> Response<Body> {
    let path = request.uri().path();
    // Browsers read a backslash as a slash, and two slashes as the name of another server.
    let place = if path[1..].starts_with(['/', '\\']) { "/" } else { path };
    let mut response = Reply::SeeOther(place.to_owned()).into_response();
    let cookie = format!("{}={}; HttpOnly; SameSite=Strict; Path=/", keys.cookie, keys.session);
    let cookie = HeaderValue::from_str(&cookie).expect("hexadecimal digits");
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    response
}

fn refusal(words: &'static str) -> Page {
    let mut page = Page::new();
    page.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>refactor-bot</title></head><body><p>");
    page.raw(words);
    page.raw("</p></body></html>\n");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(name: Option<&str>) -> Keys {
        let drawn = Keys::draw(SocketAddr::from(([127, 0, 0, 1], 4747)), name);
        Keys { token: "t0".to_owned(), session: "s0".to_owned(), form: "f0".to_owned(), ..drawn }
    }

    /// A request as `METHOD PATH`, with a line for each header. `C` stands for the cookie of the session.
    fn admission(keys: &Keys, request: &str) -> u16 {
        let mut lines = request.lines();
        let (method, path) = lines.next().unwrap().split_once(' ').unwrap();
        let mut built = Request::builder().method(method).uri(path);
        for line in lines {
            let line = if line == "C" { "cookie: refactor_bot_4747=s0" } else { line };
            let (name, value) = line.split_once(": ").unwrap();
            built = built.header(name, value);
        }
        match admit(keys, &built.body(Body::empty()).unwrap()) {
            Ok(Admitted::In) => 200,
            Ok(Admitted::WithToken) => 303,
            Err((status, _)) => status.as_u16(),
        }
    }

    #[test]
    fn ux4_only_pages_of_this_server_in_the_browser_of_its_person_are_admitted() {
        let keys = keys(None);
        for (request, status) in [
            ("GET /\nhost: 127.0.0.1:4747\nC", 200),
            ("GET /\nhost: localhost:4747\nC", 200),
            ("GET /\nhost: LocalHost:4747\nC", 200),
            ("GET /\nC", 421),
            ("GET /\nhost: 127.0.0.1:4747\nhost: 127.0.0.1:4747\nC", 421),
            ("GET /\nhost: 127.0.0.1:4748\nC", 421),
            ("GET /\nhost: evil.example\nC", 421),
            ("GET /?token=t0\nhost: evil.example", 421),
            ("GET /?token=t0\nhost: localhost:4747", 303),
            ("HEAD /?a=b&token=t0\nhost: localhost:4747", 303),
            ("GET /?token=t0\nhost: localhost:4747\norigin: http://evil.example", 403),
            ("POST /?token=t0\nhost: localhost:4747\norigin: http://localhost:4747", 401),
            ("GET /?token=t\nhost: localhost:4747", 401),
            ("GET /?token=t00\nhost: localhost:4747", 401),
            ("GET /?tokens=t0\nhost: localhost:4747", 401),
            ("GET /\nhost: localhost:4747\ncookie: refactor_bot_4748=s0", 401),
            ("GET /\nhost: localhost:4747\ncookie: a=b; refactor_bot_4747=s0", 200),
            ("GET /\nhost: localhost:4747\ncookie: a=b\nC", 200),
            ("POST /\nhost: localhost:4747\nC", 403),
            ("POST /\nhost: localhost:4747\nC\nsec-fetch-site: same-site", 403),
            ("POST /\nhost: localhost:4747\nC\nsec-fetch-site: same-origin", 200),
            ("POST /\nhost: localhost:4747\nC\norigin: null\nsec-fetch-site: same-origin", 403),
            ("POST /\nhost: localhost:4747\nC\norigin: http://localhost:4747", 200),
            ("POST /\nhost: localhost:4747\nC\norigin: http://localhost:4747.evil.example", 403),
            ("DELETE /\nhost: localhost:4747\nC", 403),
        ] {
            assert_eq!(admission(&keys, request), status, "{request}");
        }
    }

    #[test]
    fn ux4_a_host_name_is_known_once_it_was_given() {
        let request = "GET /\nhost: desk.example:4747\nC";
        assert_eq!(admission(&keys(Some("Desk.example")), request), 200);
        assert_eq!(admission(&keys(None), request), 421);
    }

    #[test]
    fn ux4_a_server_goes_by_its_address_with_and_without_the_port_that_browsers_leave_out() {
        let known = |address: &str, name: Option<&str>, host: &str| {
            let keys = Keys::draw(address.parse().unwrap(), name);
            let request = Request::builder().header("host", host).body(Body::empty()).unwrap();
            let origin = Request::builder().header("origin", format!("http://{host}"));
            let origin = origin.body(Body::empty()).unwrap();
            let is_known = keys.knows_host(request.headers());
            assert_eq!(keys.knows_origin(&Method::POST, origin.headers()), is_known, "{host}");
            is_known
        };
        assert!(known("127.0.0.1:80", None, "127.0.0.1"));
        assert!(known("127.0.0.1:80", None, "localhost"));
        assert!(known("127.0.0.1:80", None, "localhost:80"));
        assert!(known("[::1]:80", None, "[::1]"));
        assert!(!known("127.0.0.1:8080", None, "127.0.0.1"));
        assert!(known("127.9.8.7:4747", None, "127.9.8.7:4747"));
        assert!(!known("127.9.8.7:4747", None, "localhost:4747"), "it leads elsewhere");
        assert!(known("0.0.0.0:4747", Some("192.0.2.7"), "192.0.2.7:4747"));
        assert!(known("[::]:4747", Some("2001:db8::7"), "[2001:db8::7]:4747"));
        assert!(known("0.0.0.0:80", Some("Desk.example"), "desk.example"));
    }

    #[test]
    fn ux4_no_two_servers_share_a_secret() {
        let draw = || Keys::draw(SocketAddr::from(([127, 0, 0, 1], 4747)), None);
        let (one, other) = (draw(), draw());
        let secrets = [one.token, one.session, one.form, other.token, other.session, other.form];
        let different: std::collections::BTreeSet<&String> = secrets.iter().collect();
        assert_eq!(different.len(), secrets.len());
        assert!(secrets.iter().all(|secret| secret.len() == 48), "{secrets:?}");
    }

    proptest::proptest! {
        #[test]
        fn ux4_secrets_are_the_same_only_if_they_are_equal(one in "[ab]{0,4}", other in "[ab]{0,4}") {
            proptest::prop_assert_eq!(is_same(&one, &other), one == other);
        }
    }
}

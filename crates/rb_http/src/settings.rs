//! What a user sets, made fit for requests, without ever repeating a password.

use ureq::ProxyBuilder;
use ureq::http::{HeaderName, HeaderValue, Uri};

use crate::error::BadSetting;
use crate::http::{Auth, Proxy};

pub(crate) fn header(auth: &Auth) -> Result<(HeaderName, HeaderValue), BadSetting> {
    let name = HeaderName::try_from(auth.header.as_str()).map_err(|_| BadSetting::Header)?;
    let value = format!("{}{}", auth.prefix, auth.key.expose());
    let mut value = HeaderValue::try_from(value).map_err(|_| BadSetting::Key)?;
    value.set_sensitive(true);
    Ok((name, value))
}

pub(crate) fn host_of(base: &str) -> Result<String, BadSetting> {
    // The address may hold a password, so it is not repeated.
    let uri: Uri = base.parse().map_err(|_| BadSetting::Address)?;
    let authority = uri.authority().ok_or(BadSetting::Address)?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    match authority.as_str() {
        text if text.contains('@') => Err(BadSetting::Credentials),
        _ if !is_web || authority.host().is_empty() || uri.query().is_some() => {
            Err(BadSetting::Address)
        }
        text => Ok(text.to_ascii_lowercase()),
    }
}

pub(crate) fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name == "localhost" || name == "[::1]" || name.starts_with("127.")
}

pub(crate) fn proxy_of(proxy: &Proxy) -> Result<ureq::Proxy, BadSetting> {
    let plain = ureq::Proxy::new(proxy.url.expose()).map_err(|_| BadSetting::Proxy)?;
    let mut builder: ProxyBuilder =
        ureq::Proxy::builder(plain.protocol()).host(plain.host()).port(plain.port());
    if let Some(name) = plain.username() {
        builder = builder.username(name);
    }
    if let Some(password) = plain.password() {
        builder = builder.password(password);
    }
    for host in &proxy.except {
        builder = builder.no_proxy(host);
    }
    builder.build().map_err(|_| BadSetting::Proxy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Secret;

    #[test]
    fn ix6_addresses_are_checked_and_passwords_not_repeated() {
        let check = |address: &str, expected: Result<&str, BadSetting>| {
            assert_eq!(host_of(address), expected.map(str::to_owned), "{address}");
        };
        check("https://API.openai.com/v1", Ok("api.openai.com"));
        check("http://[::1]:8000", Ok("[::1]:8000"));
        for odd in
            ["", "localhost:8000", "ftp://host", "http://", "/v1", "http://a b", "http://h?x=1"]
        {
            check(odd, Err(BadSetting::Address));
        }
        check("http://me:swordfish@host", Err(BadSetting::Credentials));
        for error in [BadSetting::Credentials, BadSetting::Address, BadSetting::Proxy] {
            assert!(!error.to_string().contains("swordfish"));
        }
    }

    #[test]
    fn ix6_servers_on_this_machine_are_told_apart() {
        let here = ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]", "[::1]:80"];
        let away = ["localhost.example", "example:127", "[2001::1]:80", "128.0.0.1"];
        assert!(here.into_iter().all(is_this_machine));
        assert!(!away.into_iter().any(is_this_machine));
    }

    #[test]
    fn ix6_a_proxy_has_exceptions() {
        let except = vec!["direct.example".to_owned()];
        let proxy = Proxy { url: Secret::new("http://me:pass@proxy.example:3128"), except };
        let proxy = proxy_of(&proxy).unwrap();
        let goes_round = |url: &str| proxy.is_no_proxy(&url.parse().unwrap());
        assert!(goes_round("https://direct.example/v1"));
        assert!(!goes_round("https://far.example/v1"));
        let whole = (proxy.host(), proxy.port(), proxy.username(), proxy.password());
        assert_eq!(whole, ("proxy.example", 3128, Some("me"), Some("pass")));
    }
}

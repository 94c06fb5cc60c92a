//! Files that hold keys and passwords, told by their name and by their text.
//!
//! They are indexed like others; whoever shows text of a repository, to a model or in an answer, leaves these out.

use rb_lang::Language;

/// Endings of files that hold keys.
const KEY_FILES: &[&str] = &[
    "asc", "jks", "kdbx", "key", "keystore", "keytab", "ovpn", "p12", "p8", "pem", "pfx", "ppk",
    "tfstate", "tfvars",
];

/// Files in which programs keep what lets them in.
const SECRET_FILES: &[&str] = &[
    ".dockercfg",
    ".git-credentials",
    ".htpasswd",
    ".my.cnf",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".s3cfg",
    "_netrc",
    "authorized_keys",
    "kubeconfig",
];

/// Does a file of this name hold secrets?
pub fn is_secret_file(path: &str, language: Option<Language>) -> bool {
    let lower = path.to_ascii_lowercase();
    let (folder, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_env = ending == "env" || name == ".envrc" || name.starts_with(".env.");
    // A module that is called `secrets` is code, which is to be read; a table of that name is not.
    let is_code = language.is_some_and(Language::is_read);
    let named = ["secret", "credential", "service-account", "service_account"];
    is_env
        || KEY_FILES.contains(&ending)
        || SECRET_FILES.contains(&name)
        || ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"].iter().any(|key| name.starts_with(key))
        || !is_code && named.iter().any(|word| stem.contains(word))
        || name == "config.json" && folder.ends_with(".docker")
        || folder.split('/').any(|part| matches!(part, ".aws" | ".ssh" | ".gnupg" | ".kube"))
}

/// Does the text hold a private key, wherever it stands?
pub fn holds_private_key(text: &str) -> bool {
    text.match_indices("-----BEGIN ").any(|(at, begin)| {
        let rest = &text[at + begin.len()..];
        rest.find("-----").is_some_and(|end| end < 40 && rest[..end].ends_with("PRIVATE KEY"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf4_keys_and_passwords_are_known_by_their_names() {
        let is_secret = |path: &str| is_secret_file(path, Language::of_path(path.as_bytes()));
        for path in [
            ".env",
            "web/.env.production",
            ".envrc",
            "prod.env",
            "certs/server.PEM",
            "id_rsa",
            "deploy/id_ed25519.bak",
            ".npmrc",
            "config/secrets.yml",
            "config/credentials.json",
            "gcp-service-account.json",
            ".docker/config.json",
            "home/.aws/config",
            "infra/prod.tfvars",
        ] {
            assert!(is_secret(path), "{path}");
        }
        for path in [
            "src/secrets.ts",
            "src/env.ts",
            "src/environment.json",
            "lib/credentials.py",
            "docs/keys.md",
            "config.json",
            "package.json",
            "src/monkey.rs",
        ] {
            assert!(!is_secret(path), "{path}");
        }
    }

    #[test]
    fn rf4_a_private_key_is_known_by_its_text() {
        let check = |text: &str, expected: bool| assert_eq!(holds_private_key(text), expected);
        check("const key = `-----BEGIN RSA PRIVATE KEY-----\nMIIE", true);
        check("-----BEGIN PRIVATE KEY-----", true);
        check("-----BEGIN CERTIFICATE-----\n", false);
        check("-----BEGIN PUBLIC KEY-----\n-----BEGIN OPENSSH PRIVATE KEY-----", true);
        check("if (line.startsWith('-----BEGIN ')) {", false);
    }
}

use super::*;

#[test]
fn ux3_every_key_takes_its_own_default() {
    for key in &KEYS {
        assert!(key.kind.accepts(&key.default()), "{}", key.name);
        assert_eq!(find(key.name).unwrap().name, key.name);
    }
}

#[test]
fn ux3_a_mistaken_key_finds_the_one_that_was_meant() {
    let check = |name: &str, expected: Option<&str>| {
        assert_eq!(nearest(name).map(|key| key.name), expected, "{name}");
    };
    check("diff_budget", Some("diff_budget_loc"));
    check("max_batch", Some("max_batches"));
    check("claude.binry", Some("claude.binary"));
    check("binary", Some("claude.binary"));
    check("fastVerifier", Some("fast_verifier"));
    check("zzz", None);
}

#[test]
fn ux3_text_becomes_a_value() {
    let check = |name: &str, text: &str, expected: Option<Value>| {
        assert_eq!(find(name).unwrap().kind.read(text), expected, "{name}={text}");
    };
    check("max_batches", " 7 ", Some(7.into()));
    check("max_batches", "0", None);
    check("max_batches", "-1", None);
    check("max_batches", "1000001", None);
    check("allow_public_api_changes", "true", Some(true.into()));
    check("allow_public_api_changes", "maybe", None);
    check("claude.binary", " a,b", Some(" a,b".into()));
    check("fast_verifier", "a, b b,", Some(vec!["a", "b b"].into()));
    check("fast_verifier", r#"["a, b"]"#, Some(vec!["a, b"].into()));
    check("fast_verifier", "[1]", None);
    check("fast_verifier", "", Some(Value::Array(vec![])));
}

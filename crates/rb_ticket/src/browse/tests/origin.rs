//! Servers that are not those of the worktree.

use rb_testkit::stub::{Reply, Stub};

use super::*;

/// A server in this process, whose working folder is the one of the crate.
fn stub(body: &str) -> Stub {
    let body = format!("<!doctype html><title>Other</title><link rel=icon href=data:,>{body}");
    Stub::always(Reply::ok(body).header("content-type", "text/html"))
}

#[test]
fn tk4_a_server_of_another_folder_is_refused_unless_it_is_trusted() {
    let Some(mut shop) = Shop::new() else { return };
    let stub = stub("<p>Shop</p>");
    shop.port = stub.port();
    let checks = [check("C1", "/", vec![shows("Shop")])];
    let url = format!("http://127.0.0.1:{}", shop.port);
    let external = PreviewOptions { command: None, url: Some(&url) };
    let pid = std::process::id();
    let describe = |verification: &Verification| {
        let refusal = verification.refusal.as_ref();
        let actual = refusal.map_or("accepted".to_owned(), |refusal| {
            let (before, after) = refusal.actual.split_once('`').unwrap_or((&refusal.actual, ""));
            let after = after.split_once('`').map_or("", |(_, after)| after);
            let here = std::env::current_dir().unwrap().display().to_string();
            format!("{before}`…`{after}")
                .replace(&pid.to_string(), "PID")
                .replace(&here, "HERE")
                .replace(&shop.port.to_string(), "PORT")
        });
        format!(
            "{actual}\n{:?} {:?} {}\n",
            verification.server.origin,
            verification.report().screenshots,
            verification.report().passed
        )
    };
    let foreign = shop.verify_with(external, &checks, Changes::default()).unwrap();
    let taken = shop.verify("exec python3 server.py", &checks).unwrap();
    let trusted = shop
        .verify_with(external, &checks, Changes { trust_url: true, ..Changes::default() })
        .unwrap();
    let here = std::env::current_dir().unwrap();
    let own = shop
        .verify_with(external, &checks, Changes { worktree: Some(&here), ..Changes::default() })
        .unwrap();
    expect_test::expect![[r#"
        port PORT belongs to `…` (process PID) in HERE, not to this worktree
        NotChecked ["issue-server.png"] false
        port PORT belongs to `…` (process PID) in HERE, not to this worktree. End that program, or give another port with `--preview-url`.
        NotChecked ["issue-server.png"] false
        accepted
        NotChecked ["proof-C1.png"] true
        accepted
        Process ["proof-C1.png"] true
    "#]]
        .assert_eq(&[foreign, taken, trusted, own].iter().map(describe).collect::<String>());
}

#[test]
fn tk4_a_remote_page_must_name_the_commit() {
    let Some(mut shop) = Shop::new() else { return };
    let checks = [check("C1", "/", vec![shows("Shop")])];
    let head = shop.repo.head();
    let bodies = [
        format!("<meta name=commit content={head}><p>Shop"),
        "<meta name=commit content=0123><p>Shop".to_owned(),
    ];
    let mut said = Vec::new();
    for body in bodies {
        let stub = stub(&body);
        shop.port = stub.port();
        // To everybody but the kernel an address of another machine.
        let url = format!("http://[::ffff:127.0.0.1]:{}", shop.port);
        let options = PreviewOptions { command: None, url: Some(&url) };
        let verification = shop.verify_with(options, &checks, Changes::default()).unwrap();
        let actual = verification.refusal.as_ref().map_or("accepted", |refusal| &refusal.actual);
        said.push(format!("{:?}: {actual}\n", verification.server.origin));
    }
    expect_test::expect![[r#"
        Commit: accepted
        NotChecked: the page names the commit 0123
    "#]]
    .assert_eq(&said.concat());
}

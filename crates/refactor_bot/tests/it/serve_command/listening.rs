//! Where the server listens, and what it says if it cannot.

use std::net::TcpListener;

use rb_testkit::{Repo, in_time};
use rustix::process::{Pid, Signal, kill_process};

use super::http::ask;
use super::{NOTES, Served};

/// Browsers send the cookies of a host to all of its ports.
#[test]
#[cfg(target_os = "linux")]
fn ux4_no_other_server_shares_the_address_of_the_page() {
    in_time(|| {
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
        if release.to_lowercase().contains("microsoft") {
            return;
        }
        let start = || Served::at(crate::cli(), Repo::git_repo(NOTES), &[]);
        let (one, other) = (start(), start());
        let address = |served: &Served| served.host.split_once(':').unwrap().0.to_owned();
        assert!(address(&one).starts_with("127."), "{}", one.host);
        assert_ne!(address(&one), "127.0.0.1");
        assert_ne!(address(&one), address(&other));
        assert_eq!(one.get("/runs").status, 200);
        let (_, port) = one.host.split_once(':').unwrap();
        for name in ["localhost", "127.0.0.1"] {
            let head = format!("GET /?token={}\nHost: {name}:{port}", one.token);
            assert_eq!(ask(&one.host, &head).status, 421, "{name}");
        }
    });
}

#[test]
fn ux4_a_server_for_the_network_needs_a_name_and_goes_by_it() {
    in_time(|| {
        let (cli, repo) = (crate::cli(), Repo::git_repo(NOTES));
        let root = repo.root().to_str().unwrap();
        let refused = cli.run(["serve", root, "--port", "0", "--listen", "0.0.0.0"]);
        let stderr = &refused.expect_code(2).stderr;
        assert!(stderr.contains("--listen 0.0.0.0 needs --host-name"), "{stderr}");
        assert!(stderr.contains("by which browsers reach this machine"), "{stderr}");
        let args = ["--listen", "0.0.0.0", "--host-name", "Desk.example"];
        let served = Served::at(cli, repo, &args);
        let (name, port) = served.host.split_once(':').unwrap();
        assert_eq!(name, "desk.example");
        let head = format!("GET /?token={}\nHost: {}", served.token, served.host);
        assert_eq!(ask(&format!("127.0.0.1:{port}"), &head).status, 303);
    });
}

#[test]
fn ux4_a_port_that_is_in_use_is_an_error_that_says_what_to_do() {
    in_time(|| {
        let (cli, repo) = (crate::cli(), Repo::git_repo(NOTES));
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port().to_string();
        let root = repo.root().to_str().unwrap();
        let serve = |address| cli.run(["serve", root, "--listen", address, "--port", &port]);
        let stderr = serve("127.0.0.1").expect_code(3).stderr.clone();
        assert!(stderr.contains(&format!("cannot listen on 127.0.0.1:{port}")), "{stderr}");
        assert!(stderr.contains("choose another port with --port"), "{stderr}");
        // An address of the documentation, which no machine has.
        let stderr = serve("192.0.2.1").expect_code(3).stderr.clone();
        assert!(stderr.contains("give --listen an address of this machine"), "{stderr}");
    });
}

#[test]
fn ux4_an_interrupt_is_the_usual_end_of_a_server() {
    in_time(|| {
        let mut served = Served::start(NOTES);
        let pid = Pid::from_child(&served.child);
        kill_process(pid, Signal::INT).unwrap();
        assert_eq!(served.child.wait().unwrap().code(), Some(0));
    });
}

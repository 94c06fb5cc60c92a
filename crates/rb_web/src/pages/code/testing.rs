//! A site around a small repository, for tests of whole pages.

use std::net::SocketAddr;
use std::sync::Arc;

use rb_change::Host;
use rb_core::process::Env;
use rb_core::progress::Silent;
use rb_core::{Cancel, Home};
use rb_index::walk::WalkOptions;
use rb_repo::{Opener, SearchModel};
use rb_testkit::{Repo, git_env};

use crate::guard::Keys;
use crate::jobs::Jobs;
use crate::pages::runs::RunRows;
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::{Program, Site};

pub(in crate::pages) struct TestSite {
    pub(in crate::pages) repo: Repo,
    pub(in crate::pages) site: Site,
}

type Pairs<'a> = &'a [(&'a str, &'a str)];

impl TestSite {
    /// A git repository with these files.
    pub(in crate::pages) fn new(fixture: &str) -> TestSite {
        let repo = Repo::git_repo(fixture);
        let variables = git_env(&repo.beside("")).into_iter();
        let env = variables.fold(Env::default(), |env, (name, value)| env.with(name, value));
        let home = Home::new(repo.beside("home"));
        let root = repo.root().to_owned();
        let host = Host {
            home: home.clone(),
            env: env.clone(),
            shell: rb_verify::Shell::default(),
            cancel: Cancel::new(),
            progress: Arc::new(Silent),
            search: Arc::new(SearchModel::local()),
            shim: None,
        };
        let open_root = root.clone();
        let site = Site {
            host,
            program: Program { path: "refactor-bot".into(), globals: Vec::new(), env: env.clone() },
            root,
            open: Box::new(move |cancel| {
                let opener = Opener { home: &home, env: &env, cancel };
                opener.checkout(open_root.clone(), WalkOptions::default(), |_| {})
            }),
            read_only: false,
            keys: Keys::draw(SocketAddr::from(([127, 0, 0, 1], 4747)), None),
            jobs: Arc::new(Jobs::default()),
            rows: RunRows::default(),
        };
        TestSite { repo, site }
    }

    /// What a page has between its navigation and its end.
    pub(in crate::pages) fn page(
        &self,
        work: fn(&Site, &Request) -> Result<Reply, Problem>,
        params: Pairs<'_>,
        query: Pairs<'_>,
    ) -> Result<String, Problem> {
        let owned = |pairs: Pairs<'_>| {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let request = Request { params: owned(params), query: owned(query), ..Request::default() };
        let Reply::Page(page) = work(&self.site, &request)? else { panic!("not a page") };
        let page = page.done();
        let begin = page.find("<main").expect("a page has a main part");
        let end = page.find("</main>").expect("the main part ends");
        Ok(page[begin..end].to_owned())
    }
}

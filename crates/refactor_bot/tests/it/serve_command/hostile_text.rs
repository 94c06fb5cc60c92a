//! Text of tickets, models and files that would be markup, scripts or links: a real browser shows it and runs nothing of it.

use rb_browser::Page;
use rb_testkit::in_time;
use serde_json::json;

use super::browser::{Watched, wait_for_text};
use super::{DIRECTIVE, NOTES, Served};
use crate::examples::copy_of;
use crate::model_runs::has_node;
use crate::model_runs::scripted::{self, Scripted};

/// A script, an attribute, an address that is a script, and text that is written from right to left.
const HOSTILE: &str = "<script>document.documentElement.dataset.ran = 1</script>\
    <img src=x onerror='document.documentElement.dataset.ran = 2'>\" onfocus=\"f() \
    [here](javascript:document.documentElement.dataset.ran=3) \u{5d0}\u{5d1}";

/// Words of it that a page that shows it as text has.
const SHOWN: &str = "<script>document.documentElement.dataset.ran = 1</script>";

/// What would be markup or a script of somebody else.
const FOREIGN: &str = "
const found = [];
for (const script of document.querySelectorAll('script')) if (!script.src.startsWith(location.origin + '/assets/')) found.push(script.outerHTML);
for (const image of document.querySelectorAll('img:not(.pictures img)')) found.push(image.outerHTML);
for (const link of document.querySelectorAll('[href]')) if (!/^https?:$/.test(new URL(link.href.baseVal ?? link.href, location).protocol)) found.push(link.outerHTML);
for (const element of document.querySelectorAll('*')) for (const { name } of element.attributes) if (name.startsWith('on')) found.push(`${element.localName} ${name}`);
if (document.documentElement.dataset.ran) found.push('something ran');
return found;
";

/// Every page shows the words, and nothing of them is more than text.
fn assert_text(watched: &Watched, page: &Page, paths: &[(String, &str)]) {
    for (path, words) in paths {
        watched.open(page, path);
        wait_for_text(page, words);
        // Also what comes later, such as the parts of a run.
        watched.assert_clean(page);
        assert_eq!(page.script(FOREIGN).unwrap(), json!([]), "{path}");
    }
}

#[test]
fn ux4_the_policy_of_the_page_lets_no_foreign_script_run() {
    in_time(|| {
        let Some(watched) = Watched::start(NOTES) else { return };
        let run = watched.served.run(DIRECTIVE);
        let page = watched.page();
        for path in ["/runs".to_owned(), format!("/runs/{run}"), format!("/runs/{run}/review")] {
            watched.open(&page, &path);
            let blocked = page.script(
                "const blocked = [];
                 const all = new Promise((done) => document.addEventListener('securitypolicyviolation', (event) => {
                   blocked.push(event.effectiveDirective);
                   if (blocked.length === 3) done();
                 }));
                 const script = document.createElement('script');
                 script.textContent = 'document.documentElement.dataset.ran = 1';
                 document.body.append(script);
                 const place = document.createElement('div');
                 place.innerHTML = `<b onclick='document.documentElement.dataset.ran = 2'></b><style>body { color: red }</style>`;
                 document.body.append(place);
                 place.firstChild.click();
                 const other = document.createElement('script');
                 other.src = 'http://other.example/script.js';
                 document.body.append(other);
                 await all;
                 return [blocked.sort().join(' '), document.documentElement.dataset.ran ?? 'nothing ran'];",
            );
            let expected = ["script-src-attr script-src-elem script-src-elem", "nothing ran"];
            let blocked = blocked.unwrap();
            assert_eq!(blocked[1], expected[1], "{path}: {blocked}");
            assert!(blocked[0].as_str().unwrap().contains("script-src-elem"), "{path}: {blocked}");
        }
    });
}

/// An answer, a plan and a patch of a model that would rather be something else.
fn model() -> Served {
    let citation = json!({
        "path": "lib/alpha.js", "first_line": 3, "last_line": 3,
        "quote": "const greeting = 'hello ' + name;",
    });
    let statement = json!({ "text": HOSTILE, "citations": [citation] });
    let section = json!({ "heading": HOSTILE, "statements": [statement] });
    let read = json!({"id": "c1", "name": "read_file", "input": {"path": "lib/alpha.js"}});
    let plan = scripted::batch("batch-001", HOSTILE, &["lib/alpha.js"]);
    let line = "  const greeting = `hello ${name}`; // <script>document.documentElement.dataset.ran = 1</script>";
    let patch = scripted::diff("lib/alpha.js", scripted::OLD, line);
    let patch = scripted::answer("ok", HOSTILE, &patch, &["lib/alpha.js"]);
    let Scripted { repo, cli, .. } = Scripted::new(
        scripted::GREETINGS,
        &json!({
            "explorer": [
                {"tool_calls": [read]},
                {"value": {"sections": [section], "not_found": [HOSTILE]}},
            ],
            "planner": [scripted::batches(&[plan])],
            "patcher": [patch],
        }),
    );
    let root = repo.root().to_str().unwrap();
    cli.run(["ask", root, "how does alpha greet?", "--provider", "command"]).expect_code(0);
    let order = ["run", root, "--no-verify", "--provider", "command", "--directive"];
    cli.run(order.iter().chain(&[scripted::DIRECTIVE])).expect_code(0);
    Served::over(cli, repo, &[])
}

#[test]
fn ux4_what_a_model_says_is_text() {
    if !has_node() {
        return;
    }
    in_time(|| {
        let Some(watched) = Watched::over(model) else { return };
        let page = watched.page();
        let runs = std::fs::read_dir(watched.served.cli.home().join("runs")).unwrap();
        let mut runs: Vec<_> =
            runs.map(|run| run.unwrap().file_name().into_string().unwrap()).collect();
        runs.sort();
        let [question, change] = runs.try_into().unwrap();
        let paths = [
            (format!("/runs/{question}"), SHOWN),
            (format!("/runs/{change}"), SHOWN),
            (format!("/runs/{change}/review"), SHOWN),
            (format!("/runs/{change}/review?layout=split"), SHOWN),
        ];
        assert_text(&watched, &page, &paths);
    });
}

/// A ticket with scripts in its title and its criterion. Its change adds a file with markup in its name.
fn ticket() -> Served {
    let (repo, cli) = copy_of("storefront");
    let criterion = "- [ ] The page / shows \"<img src=x onerror=alert(1)>\".";
    repo.write(
        "hostile.md",
        format!("# SHOP-99: {HOSTILE}\n\nIt is wrong.\n\n## Acceptance criteria\n\n{criterion}\n"),
    );
    repo.write(
        "agent.sh",
        "printf '// <script>alert(3)</script>\\n' > 'public/<img src=x onerror=alert(2)>.js'\n",
    );
    repo.commit_all("ticket");
    let root = repo.root().to_str().unwrap();
    let file = format!("{root}/hostile.md");
    let order = ["ticket", &file, root, "--no-verify", "--max-rounds", "1"];
    cli.run(order.iter().chain(&["--agent", "sh agent.sh {prompt_file}"]));
    Served::over(cli, repo, &[])
}

#[test]
fn ux4_what_a_ticket_and_its_change_say_is_text() {
    if !has_node() {
        return;
    }
    let Some(watched) = Watched::over(ticket) else { return };
    in_time(move || {
        let page = watched.page();
        let runs = std::fs::read_dir(watched.served.cli.home().join("runs")).unwrap();
        let run = runs.last().unwrap().unwrap().file_name().into_string().unwrap();
        let paths = [
            ("/runs".to_owned(), "\" onfocus=\"f() here"),
            (format!("/runs/{run}"), "\" onfocus=\"f() here"),
            (format!("/runs/{run}/review"), "<img src=x onerror=alert(2)>.js"),
            (format!("/runs/{run}/review"), "<script>alert(3)</script>"),
        ];
        assert_text(&watched, &page, &paths);
    });
}

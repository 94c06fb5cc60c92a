use expect_test::expect;

use super::{page, rule};
use crate::pages::code::testing::TestSite;
use crate::reply::Problem;

const FILES: &str = "\
//- package.json
{ \"dependencies\": { \"react\": \"19.0.0\" } }
//- src/List.jsx
import { useState } from 'react';
export function List({ items }) {
  const [index] = useState(build(items));
  return <ul>{items.length && <li>{index}</li>}</ul>;
}
function build(items) {
  return items.map((item) => item.id);
}
//- src/main.jsx
import { List } from './List.jsx';
export const main = <List items={[]} />;
//- src/old.js
var a = 1;
//- .refactor-bot/rules/no-var.yml
id: no-var
language: JavaScript
message: use const, not <var>
severity: warning
rule:
  pattern: var $A = $B
fix: const $A = $B
";

#[test]
fn ux4_findings_are_counted_by_rule_and_listed_by_file() {
    let site = TestSite::new(FILES);
    expect![[r#"
        <main id="main" class=""><h1>Rules</h1><ul class="tiles">
        <li><b>3</b><span>findings</span></li>
        <li><b>0</b><span>candidates to judge</span></li>
        <li><b>1</b><span>can be fixed</span></li>
        <li><b>2</b><span>with a draft</span></li>
        <li><b>0</b><span>silenced by comments</span></li>
        <li><b>3</b><span>files checked</span></li>
        </ul>
        <div class="filters">
        <nav class="segments" aria-label="Category">
        <a href="/rules" aria-current="page">All 3</a>
        <a href="/rules?category=rerender">Re-render Optimization 1</a>
        <a href="/rules?category=rendering">Rendering Performance 1</a>
        <a href="/rules?category=own">Your own rules 1</a>
        </nav>
        <nav class="segments" aria-label="Impact">
        <a href="/rules" aria-current="page">All 3</a>
        <a href="/rules?impact=MEDIUM">MEDIUM 1</a>
        <a href="/rules?impact=LOW">LOW 1</a>
        </nav>
        <nav class="segments" aria-label="Severity">
        <a href="/rules" aria-current="page">All 3</a>
        <a href="/rules?severity=warning">warning 2</a>
        <a href="/rules?severity=note">note 1</a>
        </nav>
        <form class="search" action="/rules">
        <label class="sr" for="path">Part of a path</label>
        <input type="search" name="path" id="path" placeholder="Part of a path" value="">
        <button type="submit">Filter</button>
        </form>
        </div>
        <h2>By rule</h2>
        <div class="wide">
        <table>
        <thead><tr><th>Rule</th><th>Category</th><th>Impact</th><th>Fix</th><th class="number">Findings</th><th class="number">Candidates</th><th class="number">Fixable</th></tr></thead>
        <tbody>
        <tr><td class="long"><a href="/rules/no-var">no-var</a><div class="soft">use const, not &lt;var&gt;</div></td><td>Your own rules</td><td></td><td></td><td class="number">1</td><td class="number">0</td><td class="number">0</td></tr>
        <tr><td class="long"><a href="/rules/rerender-lazy-state-init">rerender-lazy-state-init</a><div class="soft">The initial state is computed on each render</div></td><td>Re-render Optimization</td><td>MEDIUM</td><td>auto</td><td class="number">1</td><td class="number">0</td><td class="number">0</td></tr>
        <tr><td class="long"><a href="/rules/rendering-conditional-render">rendering-conditional-render</a><div class="soft">A number before <code>&amp;&amp;</code> is shown when it is zero</div></td><td>Rendering Performance</td><td>LOW</td><td>auto</td><td class="number">1</td><td class="number">0</td><td class="number">1</td></tr>
        </tbody>
        </table>
        </div>
        <h2>Findings</h2>
        <section class="findings">
        <h3><a href="/code/src/List.jsx">src/List.jsx</a></h3>
        <ul>
        <li><a href="/code/src/List.jsx?lines=3#L3">3:28</a> <span class="badge open">warning</span> <code>build(items)</code> runs on every render, but only the first result is used; pass a function <a href="/rules/rerender-lazy-state-init">rerender-lazy-state-init</a> <span class="badge">draft</span></li>
        <li><a href="/code/src/List.jsx?lines=4#L4">4:15</a> <span class="badge">note</span> React renders <code>0</code> if <code>items.length</code> is 0 <a href="/rules/rendering-conditional-render">rendering-conditional-render</a> <span class="badge good">fix</span></li>
        </ul>
        </section>
        <section class="findings">
        <h3><a href="/code/src/old.js">src/old.js</a></h3>
        <ul>
        <li><a href="/code/src/old.js?lines=1#L1">1:1</a> <span class="badge open">warning</span> use const, not &lt;var&gt; <a href="/rules/no-var">no-var</a> <span class="badge">draft</span></li>
        </ul>
        </section>
    "#]].assert_eq(&site.page(page, &[], &[]).unwrap());
}

#[test]
fn ux4_filters_leave_what_passes_all_of_them() {
    let site = TestSite::new(FILES);
    let listed = |query: &[(&str, &str)]| {
        let page = site.page(page, &[], query).unwrap();
        ["src/List.jsx", "src/old.js"].map(|path| page.contains(&format!(">{path}</a></h3>")))
    };
    assert_eq!(listed(&[]), [true, true]);
    assert_eq!(listed(&[("category", "own")]), [false, true]);
    assert_eq!(listed(&[("impact", "MEDIUM")]), [true, false]);
    assert_eq!(listed(&[("impact", "CRITICAL")]), [false, false]);
    assert_eq!(listed(&[("path", "List")]), [true, false]);
    assert_eq!(listed(&[("rule", "no-var"), ("path", "List")]), [false, false]);
    assert_eq!(listed(&[("severity", "<b>")]), [false, false]);
}

#[test]
fn ux4_a_rule_shows_what_its_fixes_change() {
    let site = TestSite::new(FILES);
    let own = site.page(rule, &[("rule", "no-var")], &[]).unwrap();
    for part in ["use const, not &lt;var&gt;", "src/old.js", "draft: review it", "Before and after"]
    {
        assert!(own.contains(part), "{part}\n{own}");
    }
    let lazy = site.page(rule, &[("rule", "rerender-lazy-state-init")], &[]).unwrap();
    for part in ["Ignore it if", "src/List.jsx", "draft: review it", "() =&gt; "] {
        assert!(lazy.contains(part), "{part}\n{lazy}");
    }
    let zero = site.page(rule, &[("rule", "rendering-conditional-render")], &[]).unwrap();
    assert!(zero.contains("<span class=\"badge good\">proved</span>"), "{zero}");
}

#[test]
fn ux4_an_unknown_rule_is_not_found() {
    let error = TestSite::new(FILES).page(rule, &[("rule", "<b>")], &[]).unwrap_err();
    assert!(matches!(error, Problem::NotFound(_)), "{error:?}");
}

#[test]
fn ux4_a_project_without_such_files_is_told_what_to_do() {
    let page = TestSite::new("//- a.py\nx = 1\n").page(page, &[], &[]).unwrap();
    assert!(page.contains("refactor-bot rules new"), "{page}");
}

#[test]
fn ux4_a_broken_rule_is_named_instead_of_finding_nothing() {
    let site = TestSite::new("//- a.js\nlet a;\n//- .refactor-bot/rules/bad.yml\nid: [\n");
    let error = site.page(page, &[], &[]).unwrap_err();
    assert!(matches!(error, Problem::Failed(_)), "{error:?}");
}

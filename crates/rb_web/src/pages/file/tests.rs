use expect_test::expect;

use super::page;
use crate::pages::code::testing::TestSite;
use crate::reply::Problem;

const FILES: &str = "\
//- src/cart.js
import { price } from './price.js';
import React from 'react';
export class Cart {
  total() {
    return price('<b>');
  }
}
//- src/price.js
// What a thing costs.
export function price(thing) {
  return 1;
}
//- src/price.test.js
import { price } from './price.js';
price(2);
price(3);
//- link.js -> src/price.js
";

fn shown(site: &TestSite, path: &str, query: &[(&str, &str)]) -> Result<String, Problem> {
    site.page(page, &[("path", path)], query)
}

#[test]
fn ux4_a_file_is_shown_with_all_that_is_known_about_it() {
    let site = TestSite::new(FILES);
    site.repo.write("src/price.js", "export function price(thing) {\n  return 2;\n}\n");
    site.repo.commit_all("fix: <i>price</i>");
    let page = shown(&site, "src/price.js", &[("lines", "2")]).unwrap();
    // Hashes and dates of commits are not the same every time.
    let history = page.find("<summary><h2>History").unwrap();
    expect![[r##"
        <main id="main" class="wide-page"><nav class="crumbs" aria-label="Folder">
        <a href="/map">project</a><span class="soft">/</span><a href="/map?folder=src">src</a>
        </nav>
        <h1>price.js</h1><p class="soft">JavaScript · 3 lines · 45 bytes</p><div class="with-aside">
        <div class="main-part">
        <div class="source" role="region" aria-label="Source" tabindex="0"><pre><span class="line" id="L1"><a href="#L1" data-line="1" tabindex="-1" aria-label="Line 1"></a><span><span class="k">export</span> <span class="k">function</span> <span class="f">price</span>(thing) {
        </span></span><span class="line marked" id="L2"><a href="#L2" data-line="2" tabindex="-1" aria-label="Line 2"></a><span>  <span class="k">return</span> <span class="d">2</span>;
        </span></span><span class="line" id="L3"><a href="#L3" data-line="3" tabindex="-1" aria-label="Line 3"></a><span>}
        </span></span></pre></div>
        </div>
        <section class="about" aria-label="About this file">
        <section class="importance"><h2>Importance</h2>
        <dl>
        <dt title="weighted sum of the four parts">Score</dt><dd class="meter"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="71" height="8"></rect></svg> 71</dd>
        <dt title="40 %: how much other files depend on it">Centrality</dt><dd class="meter"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="8"></rect></svg> 100</dd>
        <dt title="25 %: what its path says">Naming</dt><dd class="meter"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="40" height="8"></rect></svg> 40</dd>
        <dt title="20 %: its length">Size</dt><dd class="meter"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="30" height="8"></rect></svg> 30</dd>
        <dt title="15 %: recent commits">Activity</dt><dd class="meter"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="8"></rect></svg> 100</dd>
        </dl>
        <p class="soft">Used by 2 files · 2 commits · complexity 1, worst function 1</p></section>
        <details open>
        <summary><h2>Symbols</h2> <span class="soft">1</span></summary>
        <ul class="outline">
        <li class="depth-0"><span class="kind">function</span> <a href="/code/src/price.js?lines=1-3#L1">price</a> <span class="soft">1</span></li>
        </ul>
        </details>
        <details open>
        <summary><h2>Imported by</h2> <span class="soft">2</span></summary>
        <ul class="plain">
        <li><a href="/code/src/cart.js">src/cart.js</a></li>
        <li><a href="/code/src/price.test.js">src/price.test.js</a></li>
        </ul>
        </details>
        <details open>
        <summary><h2>Imports</h2> <span class="soft">0</span></summary>
        <p class="soft">No file.</p></details>
        <details>
        <summary><h2>Callers</h2> <span class="soft">2</span></summary>
        <h3>price</h3><ul class="plain">
        <li><a href="/code/src/cart.js?lines=5#L5">src/cart.js:5</a> <span class="soft">in</span> <code>Cart.total</code></li>
        <li><a href="/code/src/price.test.js?lines=2#L2">src/price.test.js:2</a> <span class="soft">2 times</span></li>
        </ul>
        </details>
        <details open>
        <summary><h2>Tests</h2> <span class="soft">1</span></summary>
        <ul class="plain">
        <li><a href="/code/src/price.test.js">src/price.test.js</a> <span class="soft">named after it and imports it</span></li>
        </ul>
        </details>
        <details>
    "##]].assert_eq(&page[..history]);
    assert!(page[history..].contains("fix: &lt;i&gt;price&lt;/i&gt;"), "{page}");
}

#[test]
fn ux4_only_files_of_the_index_are_shown() {
    let site = TestSite::new(FILES);
    for path in [
        "none.js",
        "../secret",
        "/etc/passwd",
        "src/../src/cart.js",
        "link.js",
        "src",
        "",
        ".git/config",
    ] {
        let error = shown(&site, path, &[]).unwrap_err();
        assert!(matches!(error, Problem::NotFound(_)), "{path}: {error:?}");
    }
}

#[test]
fn ux4_a_binary_file_is_called_binary() {
    let site = TestSite::new(FILES);
    site.repo.write("data.js", b"let a = \0\x01\xff;\n");
    let page = shown(&site, "data.js", &[]).unwrap();
    assert!(page.contains("The file is binary and is not shown."), "{page}");
}

#[test]
fn ux4_findings_stand_below_their_lines() {
    let site = TestSite::new(FILES);
    let rule = "id: no-price\nlanguage: JavaScript\nmessage: no <price>\nseverity: error\nrule:\n  pattern: price($A)\n";
    site.repo.write(".refactor-bot/rules/no-price.yml", rule);
    let page = shown(&site, "src/price.test.js", &[]).unwrap();
    assert!(page.contains("<b>error</b> no &lt;price&gt; <a href=\"/rules/no-price\">"), "{page}");
}

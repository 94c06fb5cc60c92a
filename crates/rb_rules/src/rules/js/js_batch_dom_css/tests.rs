use expect_test::expect;

use super::RULE;
use crate::testing::{Setup, check_doc};

#[test]
fn ru1_js_batch_dom_css_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_js_batch_dom_css_finds() {
    Setup::new().check(
        &RULE,
        "const fit = (a, b) => {
  a.classList.add('open');
  const box = a.getBoundingClientRect();
  b.style.setProperty('height', `${box.height}px`);
  if (b.scrollHeight > 10) go();
};
function all(rows) {
  for (const row of rows) {
    row.style.height = 'auto';
    row.style.height = `${row.scrollHeight}px`;
  }
  rows.forEach((row) => {
    const width = getComputedStyle(row).width;
    row.className = width;
  });
}
",
        expect![[r#"
            5:7 warning: reading `b.scrollHeight` after writing `b.style.setProperty('height', `${box.height}px`)` forces a second reflow; read all sizes first, then write
            10:27 warning: reading `row.scrollHeight` and writing `row.style.height` for every element forces a reflow each time; read in one loop and write in another
            13:19 warning: reading `getComputedStyle(row)` and writing `row.className` for every element forces a reflow each time; read in one loop and write in another
        "#]],
    );
}

#[test]
fn ru1_js_batch_dom_css_candidates() {
    let setup = Setup::new();
    setup.likely(&RULE, "function f(a) { if (a) { a.style.width = '1px'; const w = a.offsetWidth; a.style.height = '2px'; return w; } }");
    // What is read is what is written.
    setup.silent(&RULE, "function f(a) { a.style.width = 'auto'; const w = a.offsetWidth; a.style.height = `${w}px`; }");
}

#[test]
fn ru1_js_batch_dom_css_silent() {
    let setup = Setup::new();
    for body in [
        // Writes alone.
        "a.style.width = '1px'; a.style.height = '2px'; b.className = 'x'; b.style.width = '1px';",
        // One layout: what a text area that grows does.
        "a.style.height = 'auto'; a.style.height = `${a.scrollHeight}px`;",
        // Forced on purpose.
        "a.style.width = '1px'; void a.offsetWidth; a.style.width = '2px'; const w = a.offsetWidth;",
        "a.classList.remove('x'); a.offsetWidth; a.classList.add('x'); const w = a.offsetWidth;",
        // Another document.
        "a.style.width = '1px'; const w = f.contentDocument.body.offsetWidth; a.style.width = w; const h = a.offsetHeight;",
        // What only paints.
        "a.style.opacity = 0; const w = a.offsetWidth; a.style.color = 'red'; const h = a.offsetHeight;",
        // A pause between.
        "a.style.width = '1px'; const w = a.offsetWidth; await frame(); a.style.width = '2px'; const h = a.offsetHeight;",
        // Until it fits.
        "while (a.scrollHeight > 10) { a.style.fontSize = `${--n}px`; }",
        "for (const n of sizes) { a.style.fontSize = n; if (a.scrollHeight < 10) break; }",
        // Places of the pointer are no layout.
        "a.style.left = e.clientX; const x = e.clientY; a.style.top = x; const y = e.clientX;",
        // Sizes that somebody wrote down.
        "rows.forEach((row) => { const appState = get(row); row.style.left = appState!.offsetLeft; });",
        // Reads in one loop, writes in another.
        "const sizes = rows.map((row) => row.offsetWidth); rows.forEach((row, i) => { row.style.width = sizes[i]; });",
    ] {
        setup.silent(&RULE, &format!("async function f(a, b, e, rows) {{ {body} }}"));
    }
}

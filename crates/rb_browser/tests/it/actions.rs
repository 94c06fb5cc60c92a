//! What a person does to a page, and what stops them.

use std::time::Duration;

use expect_test::expect;
use rb_browser::{Setup, Target};

use crate::fixture::{Fixture, SERVE, open, url, words};

const FORM: &str = r#"
<body>
<div style="height: 2000px">far above</div>
<form onsubmit="event.preventDefault(); out.textContent = 'sent ' + email.value + ' ' + plan.value + ' ' + when.value + ' ' + news.checked">
  <label>Email <input id=email value="old@example.org"></label>
  <label for=plan>Plan</label>
  <select id=plan><option value=f>Free</option><option value=p>Paid</option><option disabled>Gone</option></select>
  <label>When <input id=when type=date></label>
  <label><input id=news type=checkbox> News</label>
  <textarea aria-label="Notes">some words</textarea>
  <button>Send <b>now</b></button>
</form>
<p id=out></p>
<a href="other.html">Elsewhere</a>
<button id=over onmouseenter="tip.hidden = false">Hover me</button><p id=tip hidden>a tip</p>
<input placeholder="Search" onkeydown="if (event.key === 'Enter' && event.isTrusted) tip.textContent = 'searched ' + value">
<button onclick="later()">Later</button>
<button onclick="alert('careful'); tip.textContent = 'alerted'">Alert</button>
<my-box></my-box>
<script>
  const later = () => setTimeout(() => { const b = document.createElement('button'); b.textContent = 'Late'; b.onclick = () => b.textContent = 'Clicked late'; document.body.append(b) }, 150);
  customElements.define('my-box', class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML = '<button onclick="this.textContent = `Opened`">Shadow</button>' } });
</script>
"#;

const OBSTACLES: &str = r#"
<body style="margin: 0">
<style>
  .overlay { position: absolute; left: 0; top: 0; width: 300px; height: 60px; background: #8888 }
  @keyframes go { to { transform: translateX(600px) } }
  .goes { animation: go 1s linear infinite alternate }
</style>
<div style="height: 60px"><button>Save</button></div><div class="overlay soft"></div>
<button disabled>Publish</button>
<fieldset disabled><button>Inside</button></fieldset>
<button hidden>Secret</button><button class=hidden hidden>Secret</button>
<button class=goes>Catch</button>
<label>Key <input readonly value=1></label>
<label>Size <select><option>Small</option><option>Large</option></select></label>
<p>Just text</p>
"#;

fn css(css: &str) -> Target {
    Target::Css(css.to_owned())
}

fn text(text: &str) -> Target {
    Target::Text(text.to_owned())
}

fn label(label: &str) -> Target {
    Target::Label(label.to_owned())
}

fn button(name: &str) -> Target {
    Target::Role { role: "button".to_owned(), name: name.to_owned() }
}

#[test]
fn tk4_a_form_is_filled_in_and_sent_as_by_a_person() {
    let Some(fixture) = Fixture::new(&[("form.html", FORM), ("other.html", "<h1>Other page</h1>")])
    else {
        return;
    };
    let browser = fixture.start();
    let page = browser.page().unwrap();
    open(&page, "form.html");
    page.type_text(&label("Email"), "new@example.org").unwrap();
    page.select(&label("plan"), "Paid").unwrap();
    page.type_text(&label("When"), "2026-03-04").unwrap();
    page.click(&label("News")).unwrap();
    page.type_text(&label("Notes"), "").unwrap();
    page.click(&button("Send now")).unwrap();
    let sent = "sent new@example.org p 2026-03-04 true";
    page.wait_for_text(sent, Duration::from_secs(5)).unwrap();
    let values: Vec<String> = ["Email", "Plan", "When", "News", "Notes"]
        .map(|name| page.value(&label(name)).unwrap())
        .to_vec();
    assert_eq!(values, ["new@example.org", "p", "2026-03-04", "checked", ""]);
    assert_eq!(page.text(Some(&css("#out"))).unwrap(), sent);

    assert!(!page.is_visible(&css("#tip")).unwrap());
    page.hover(&text("Hover me")).unwrap();
    page.wait_for(&css("#tip"), Duration::from_secs(5)).unwrap();
    page.type_text(&label("Search"), "cats").unwrap();
    page.press(None, "Shift+s").unwrap();
    page.press(Some(&label("Search")), "Enter").unwrap();
    page.wait_for_text("searched catss", Duration::from_secs(5)).unwrap();
    page.press(Some(&label("Search")), "Control+a").unwrap();
    page.press(None, "Backspace").unwrap();
    assert_eq!(page.value(&label("Search")).unwrap(), "");

    page.click(&button("Later")).unwrap();
    page.click(&button("Late")).unwrap();
    page.wait_for_text("Clicked late", Duration::from_secs(5)).unwrap();
    page.click(&button("Shadow")).unwrap();
    assert!(page.is_visible(&text("Opened")).unwrap());
    page.click(&button("Alert")).unwrap();
    page.wait_for_text("alerted", Duration::from_secs(5)).unwrap();
    assert_eq!(page.notes().unwrap(), [r#"alert "careful" was dismissed"#]);

    assert_eq!(page.attribute(&text("Elsewhere"), "href").unwrap().unwrap(), "other.html");
    assert_eq!(page.attribute(&text("Elsewhere"), "rel").unwrap(), None);
    assert_eq!(page.count(&css("option")).unwrap(), 3);
    page.click(&Target::Role { role: "link".to_owned(), name: String::new() }).unwrap();
    page.wait_for_text("other page", Duration::from_secs(5)).unwrap();
    assert_eq!((page.url(), page.title().unwrap()), (url("other.html"), "other.html".to_owned()));
}

#[test]
fn tk4_what_stops_an_action_is_said() {
    let Some(fixture) = Fixture::new(&[("obstacles.html", OBSTACLES)]) else { return };
    let impatient = |setup: &mut Setup<'_>| setup.limits.action = Duration::from_millis(200);
    let browser = fixture.start_with(SERVE, impatient).unwrap();
    let page = browser.page().unwrap();
    open(&page, "obstacles.html");
    let mut all = String::new();
    all += &words(page.click(&button("Save")));
    all += &words(page.click(&button("Publish")));
    all += &words(page.click(&text("Inside")));
    all += &words(page.click(&css(".hidden")));
    all += &words(page.click(&text("Secret")));
    all += &words(page.click(&button("Catch")));
    all += &words(page.click(&button("Absent")));
    all += &words(page.click(&text("Absent")));
    all += &words(page.click(&css("#absent")));
    all += &words(page.type_text(&label("Absent"), "x"));
    all += &words(page.click(&Target::Role { role: "link".to_owned(), name: "x".to_owned() }));
    all += &words(page.click(&css("p >")));
    all += &words(page.type_text(&label("Key"), "2"));
    all += &words(page.type_text(&text("Just text"), "2"));
    all += &words(page.select(&label("Size"), "Huge"));
    all += &words(page.select(&text("Just text"), "Huge"));
    all += &words(page.press(None, "Entr"));
    all += &words(page.wait_for(&css("#absent"), Duration::ZERO));
    all += &words(page.wait_for_text("Absent", Duration::ZERO));
    all += &words(page.text(Some(&css("#absent"))));
    expect![[r#"
        the button "Save" is covered by <div class="overlay soft">
        the button "Publish" is disabled
        the text "Inside" is disabled
        the element `.hidden` is not visible
        the text "Secret" is not visible (2 elements match)
        the button "Catch" does not stop moving
        no element matches the button "Absent"; buttons on the page: "Save", "Publish", "Inside", "Catch"
        no element matches the text "Absent"; buttons on the page: "Save", "Publish", "Inside", "Catch"
        no element matches `#absent`; buttons on the page: "Save", "Publish", "Inside", "Catch"
        no element matches the field "Absent"; fields on the page: "Key", "Size"
        no element matches the link "x"; there are no links on the page
        `p >` is not a valid CSS selector
        the field "Key" is read-only
        the text "Just text" cannot be typed into: it is <p>
        the field "Size" has no option "Huge"; its options: Small, Large
        the text "Just text" is not a list to select from: it is <p>
        the key `Entr` is not known. Use a character, or a name such as Enter, Tab, Escape or ArrowDown, after Control+, Shift+, Alt+ or Meta+
        no element matches `#absent`; buttons on the page: "Save", "Publish", "Inside", "Catch"
        the text "Absent" did not appear. The page says: Save Publish Inside Catch Key Size Small Large Just text
        no element matches `#absent`; buttons on the page: "Save", "Publish", "Inside", "Catch"
    "#]].assert_eq(&all);
    // Nothing of it has happened.
    assert_eq!(page.value(&label("Key")).unwrap(), "1");
    assert_eq!(page.value(&label("Size")).unwrap(), "Small");
    assert_eq!(page.count(&button("Absent")).unwrap(), 0);
}

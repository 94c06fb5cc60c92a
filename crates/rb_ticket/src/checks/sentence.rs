//! The words of a criterion, ready for the grammar: quoted texts, paths, numbers and words in one spelling.

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// As the author wrote it.
    pub(super) raw: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// In small letters and one spelling: `displays` is `shows`.
    Word(String),
    Quoted(String),
    /// A CSS selector, in code quotes or bare.
    Css(String),
    Path(String),
    Number(u32),
    /// `375px` or `375 px`.
    Pixels(u32),
    /// `375×667`.
    Size(u32, u32),
    /// A comma, a semicolon or the end of a sentence.
    Break,
}

/// Opening and closing quotation marks, also those of other languages.
const QUOTES: [(char, &[char]); 7] = [
    ('"', &['"']),
    ('“', &['”', '“']),
    ('„', &['“', '”']),
    ('«', &['»']),
    ('`', &['`']),
    ('\'', &['\'']),
    ('‘', &['’']),
];

/// Never fails: what it does not know is a word that no rule of the grammar has.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (kind, length) = token(rest, first);
        let raw = rest[..length].trim_end().to_owned();
        if let Some(kind) = kind {
            found.push(Token { kind, raw });
        }
        rest = rest[length..].trim_start();
    }
    joined(found)
}

/// The token that `rest` begins with, and its length in bytes, which is never 0.
fn token(rest: &str, first: char) -> (Option<Kind>, usize) {
    if let Some((text, length)) = quoted(rest, first) {
        let is_css = first == '`' && looks_like_css(&text);
        let is_path = matches!(first, '`' | '"')
            && text.starts_with('/')
            && super::limits::path(&text).is_ok();
        let kind = if is_css {
            Kind::Css(text)
        } else if is_path {
            Kind::Path(text)
        } else {
            Kind::Quoted(text)
        };
        return (Some(kind), length);
    }
    match first {
        ',' | ';' => return (Some(Kind::Break), 1),
        '.' | '!' | '?' if rest[1..].chars().next().is_none_or(char::is_whitespace) => {
            return (Some(Kind::Break), 1);
        }
        ':' | '*' | '_' | '…' => return (None, first.len_utf8()),
        _ => {}
    }
    let end = rest
        .find(|c: char| c.is_whitespace() || ",;\"“”`*".contains(c))
        .unwrap_or(rest.len())
        .max(first.len_utf8());
    let word = rest[..end].trim_end_matches(['.', ':', '!', '?', '…']);
    let length = if word.is_empty() { end } else { word.len() };
    let word = if word.is_empty() { &rest[..end] } else { word };
    (Some(bare(word)), length)
}

/// A text in quotation marks. An apostrophe inside of a word is none.
fn quoted(rest: &str, first: char) -> Option<(String, usize)> {
    let (_, closing) = QUOTES.iter().find(|(open, _)| *open == first)?;
    let inside = &rest[first.len_utf8()..];
    let is_apostrophe = |c: char| matches!(c, '\'' | '’');
    let (end, close) = inside.char_indices().find(|&(at, c)| {
        let after = inside[at + c.len_utf8()..].chars().next();
        closing.contains(&c) && !(is_apostrophe(c) && after.is_some_and(char::is_alphanumeric))
    })?;
    let text = inside[..end].trim();
    let length = first.len_utf8() + end + close.len_utf8();
    (!text.is_empty()).then(|| (text.to_owned(), length))
}

fn bare(word: &str) -> Kind {
    if word.starts_with('/') && super::limits::path(word).is_ok() {
        return Kind::Path(word.to_owned());
    }
    if let Some(path) = local_path(word) {
        return Kind::Path(path);
    }
    if looks_like_css(word) {
        return Kind::Css(word.to_owned());
    }
    let lower = word.to_lowercase();
    if let Ok(number) = lower.parse() {
        return Kind::Number(number);
    }
    if let Some(Ok(pixels)) = lower.strip_suffix("px").map(str::parse) {
        return Kind::Pixels(pixels);
    }
    if let Some((Ok(width), Ok(height))) = lower
        .split_once(['x', '×'])
        .map(|(width, height)| (width.parse(), height.trim_end_matches("px").parse()))
    {
        return Kind::Size(width, height);
    }
    match number(&lower) {
        Some(number) => Kind::Number(number),
        None => Kind::Word(spelled(&lower).to_owned()),
    }
}

/// The path of an address on this machine; the port is the preview's affair.
fn local_path(word: &str) -> Option<String> {
    let rest = word.strip_prefix("http://")?;
    let (host, path) = rest.find('/').map_or((rest, "/"), |slash| rest.split_at(slash));
    let host = host.split(':').next().unwrap_or_default();
    let is_path = super::limits::path(path).is_ok();
    (matches!(host, "localhost" | "127.0.0.1") && is_path).then(|| path.to_owned())
}

/// `.card`, `#total`, `[data-x]`, `li.item`: nothing that could also be a word.
fn looks_like_css(text: &str) -> bool {
    let mut chars = text.chars();
    let is_name =
        |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '-');
    match chars.next() {
        Some('.' | '#') => is_name(chars.next()),
        Some('[') => text.contains(']'),
        Some(c) if c.is_ascii_alphabetic() => {
            let tag = text.chars().take_while(char::is_ascii_alphanumeric).count();
            let is_tag = [
                "a", "button", "div", "form", "h1", "h2", "h3", "img", "input", "li", "nav", "ol",
                "option", "p", "section", "select", "span", "table", "tbody", "td", "th", "tr",
                "ul",
            ]
            .contains(&&text[..tag]);
            let is_file =
                matches!(text.rsplit('.').next(), Some("png" | "jpg" | "html" | "js" | "css"));
            is_tag
                && !is_file
                && text[tag..].starts_with(['.', '#', '[', ' ', '>'])
                && text.contains(['.', '#', '[', '>'])
        }
        Some(_) | None => false,
    }
}

fn number(word: &str) -> Option<u32> {
    let words =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    words.iter().position(|known| *known == word).and_then(|at| u32::try_from(at).ok())
}

/// One spelling for words that mean the same to the grammar. No word changes its meaning: what differs stays as it is.
fn spelled(word: &str) -> &str {
    match word {
        "show" | "showing" | "displays" | "display" | "contains" | "contain" | "says" | "say"
        | "reads" | "read" | "includes" | "include" | "see" | "sees" | "has" | "have" => "shows",
        "shown" | "displayed" | "present" => "visible",
        "exist" | "appears" | "appear" => "exists",
        "gone" | "absent" | "missing" | "removed" | "invisible" => "hidden",
        "are" | "be" | "becomes" | "become" => "is",
        "do" => "does",
        "never" => "not",
        "clicks" | "clicking" | "taps" | "tap" | "tapping" => "click",
        "presses" | "pressing" => "press",
        "types" | "typing" | "enters" | "enter" | "entering" => "type",
        "fills" | "filling" => "fill",
        "selects" | "selecting" | "choose" | "chooses" | "choosing" | "pick" | "picks" => "select",
        "hovers" | "hovering" => "hover",
        "opens" | "opening" | "visits" | "visit" | "visiting" | "loading" => "open",
        "goes" | "going" | "navigates" | "navigate" | "navigating" => "go",
        "waits" | "waiting" => "wait",
        "redirects" | "redirected" => "redirect",
        "responds" | "answers" | "gives" | "sends" | "return" | "respond" | "answer" => "returns",
        "buttons" => "button",
        "links" => "link",
        "headings" | "headline" | "headlines" => "heading",
        "fields" | "input" | "inputs" | "textbox" => "field",
        "images" | "image" | "picture" | "pictures" => "img",
        "checkboxes" => "checkbox",
        "tabs" => "tab",
        "texts" | "message" | "messages" => "text",
        "error" => "errors",
        "request" => "requests",
        "fitting" | "fit" => "fits",
        "look" => "looks",
        "match" => "matches",
        "overflows" => "overflow",
        "scrollbar" | "scrollbars" | "scroll" | "scrolls" => "scrolling",
        "phones" | "mobile" | "smartphone" | "smartphones" => "phone",
        "tablets" => "tablet",
        "address" => "url",
        "homepage" => "home",
        other => other,
    }
}

/// Words that say one thing together.
const PAIRS: [(&str, &str, &str); 13] = [
    ("no", "longer", "not"),
    ("any", "more", ""),
    ("radio", "button", "radio"),
    ("menu", "item", "menuitem"),
    ("text", "field", "field"),
    ("field", "field", "field"),
    ("text", "box", "field"),
    ("status", "code", "status"),
    ("http", "status", "status"),
    ("scrolling", "bar", "scrolling"),
    ("phone", "device", "phone"),
    ("phone", "devices", "phone"),
    ("phone", "screen", "phone"),
];

/// Contractions are opened, pairs joined, `375 px` becomes one token and the home page a path.
fn joined(tokens: Vec<Token>) -> Vec<Token> {
    let mut done: Vec<Token> = Vec::new();
    for token in tokens {
        let Kind::Word(word) = &token.kind else {
            done.push(token);
            continue;
        };
        let word = word.replace('’', "'");
        if let Some(verb) = word.strip_suffix("n't").or_else(|| (word == "cannot").then_some("can"))
        {
            let verb = spelled(if verb == "ca" { "can" } else { verb }).to_owned();
            done.push(Token { kind: Kind::Word(verb), raw: token.raw });
            done.push(Token { kind: Kind::Word("not".to_owned()), raw: String::new() });
            continue;
        }
        let before = done.last().map(|token| token.kind.clone());
        let pair = match &before {
            Some(Kind::Number(number)) if word == "px" || word == "pixels" => {
                Some(Kind::Pixels(*number))
            }
            Some(Kind::Word(first))
                if word == "page"
                    && matches!(first.as_str(), "home" | "start" | "front" | "landing") =>
            {
                Some(Kind::Path("/".to_owned()))
            }
            Some(Kind::Word(first)) => {
                let pair = PAIRS.iter().find(|(one, two, _)| one == first && *two == word);
                pair.map(|(_, _, both)| Kind::Word((*both).to_owned()))
            }
            Some(_) | None => None,
        };
        match (pair, done.last_mut()) {
            (Some(kind), Some(last)) => {
                last.kind = kind;
                last.raw = format!("{} {}", last.raw, token.raw);
            }
            (_, _) => done.push(token),
        }
    }
    done
}

/// The author's words again, for a message.
pub(super) fn raw(tokens: &[Token]) -> String {
    let words: Vec<&str> =
        tokens.iter().map(|token| token.raw.as_str()).filter(|raw| !raw.is_empty()).collect();
    words.join(" ").replace(" ,", ",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk3_a_sentence_is_read_into_tokens() {
        let read = |text: &str| {
            let kinds: Vec<String> =
                tokens(text).into_iter().map(|token| format!("{:?}", token.kind)).collect();
            kinds.join(" ")
        };
        let rows = [
            r#"On /cart, the page doesn't display "It's 5 €" any more."#,
            "At 375 px: 3 `.card` and 375×667 and li.item",
            "the ‘Save’ button and 'Don't panic' on the home page",
            "http://localhost:3000/a?b=c. http://shop.example/x",
            "an \"unclosed quote and and/or #42 a.png",
            "«Panier» „Korb“ “Cart”",
        ]
        .map(read);
        expect_test::expect![[r##"
            Word("on") Path("/cart") Break Word("the") Word("page") Word("does") Word("not") Word("shows") Quoted("It's 5 €") Word("") Break
            Word("at") Pixels(375) Number(3) Css(".card") Word("and") Size(375, 667) Word("and") Css("li.item")
            Word("the") Quoted("Save") Word("button") Word("and") Quoted("Don't panic") Word("on") Word("the") Path("/")
            Path("/a?b=c") Break Word("http://shop.example/x")
            Word("an") Word("\"") Word("unclosed") Word("quote") Word("and") Word("and/or") Word("#42") Word("a.png")
            Quoted("Panier") Quoted("Korb") Quoted("Cart")"##]].assert_eq(&rows.join("\n"));
    }
}

//! Calls that were made for their value alone, as far as names tell: `let n = list.len();` leaves nothing behind.
//!
//! A call that is not in these lists may do more, so the loss of its variable is reported.

use rb_lang::effects::{Effect, EffectKind, Kept};
use rb_lang::{Language, name_words};

/// The first words of functions that give a value.
const FIRST_WORDS: &str = "\
    abs all any as at base basename bool boolean build calc calculate ceil char chars chunks clone collect combine \
    compare compute concat contains convert copied count decode deepcopy default dict diff dirname div empty \
    encode ends endswith entries enumerate equal equals errorf every exists extname field fields filter find first \
    flat flatten float floor fold format from frozenset get group has hash head includes index int into is \
    isinstance issubclass items iter join json keys last lastindex len length lines list lookup lower make map \
    match matches max memo min mod new normalize now nth of omit pad parse partition path pick pow range ratio \
    reduce regex relative repeat replace resolve rev reversed round select since size slice some sorted split \
    sprintf sqrt starts startswith str string strip strlen sub substr substring sum tail to total trim truncate \
    tuple type typeof uniq unique unix unzip upper use values vec view where width window with without zip";

/// Modules and objects with functions that only compute.
const RECEIVERS: &str = "\
    Array Date JSON Math Number Object String _ bytes collections copy datetime errors filepath functools itertools \
    json math operator performance posixpath re reflect regexp slices strconv string strings unicode utf8";

/// What is awaited comes from elsewhere, so it counts.
pub(super) fn is_value(effect: &Effect, language: Option<Language>) -> bool {
    let Effect { kind, kept, name, receiver, .. } = effect;
    if *kept != Kept::Value || *kind != EffectKind::Call {
        return false;
    }
    let first = name_words(name).into_iter().next().unwrap_or_default();
    let receiver = receiver.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
    is_type(name, language)
        || FIRST_WORDS.split(' ').any(|word| word == first)
        || RECEIVERS.split(' ').any(|word| Some(word) == receiver)
}

/// Elsewhere than in Go, a capital letter begins the name of a type, and its call makes a value of it.
fn is_type(name: &str, language: Option<Language>) -> bool {
    language != Some(Language::Go) && name.starts_with(char::is_uppercase)
}

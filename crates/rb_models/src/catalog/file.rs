//! Reads a provider's file. Whatever is wrong with it is said with the line and the key.

use rb_core::Usd;
use serde::Deserialize;
use toml::Spanned;

use super::CatalogError;
use super::price::{Over, Price};
use super::spec::{ModelSpec, ProviderSpec, Quirks, Wire};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Provider {
    name: Name,
    title: Option<String>,
    wire: Wire,
    base_url: Option<Address>,
    #[serde(default)]
    keys: Vec<Variable>,
    needs_key: Option<bool>,
    #[serde(default)]
    local: bool,
    default_model: Option<String>,
    window: Option<u64>,
    max_output: Option<u64>,
    note: Option<String>,
    #[serde(default)]
    quirks: Quirks,
    #[serde(default)]
    model: Vec<Model>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    name: Spanned<String>,
    #[serde(default)]
    dated: bool,
    window: Option<u64>,
    max_output: Option<u64>,
    published: Option<Day>,
    input: Option<PerMillion>,
    output: Option<PerMillion>,
    cache_read: Option<PerMillion>,
    cache_write: Option<PerMillion>,
    over: Option<OverLine>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OverLine {
    tokens: u64,
    input: PerMillion,
    output: PerMillion,
    cache_read: Option<PerMillion>,
    cache_write: Option<PerMillion>,
}

pub(super) fn read(file: &str, text: &str) -> Result<ProviderSpec, CatalogError> {
    let bad = |at: Option<usize>, why: &str| bad(file, text, at, why);
    let provider: Provider = toml::from_str(text)
        .map_err(|error| bad(error.span().map(|span| span.start), error.message()))?;
    let mut models: Vec<ModelSpec> = Vec::new();
    for model in provider.model {
        let at = Some(model.name.span().start);
        let model = model.into_spec().map_err(|why| bad(at, why))?;
        if models.iter().any(|known| known.name == model.name) {
            return Err(bad(at, "the model is listed twice"));
        }
        models.push(model);
    }
    let Name(name) = provider.name;
    Ok(ProviderSpec {
        title: provider.title.unwrap_or_else(|| name.clone()),
        name,
        wire: provider.wire,
        base_url: provider.base_url.map(|Address(url)| url),
        needs_key: provider.needs_key.unwrap_or(!provider.local && !provider.keys.is_empty()),
        keys: provider.keys.into_iter().map(|Variable(name)| name).collect(),
        local: provider.local,
        default_model: provider.default_model,
        window: provider.window,
        max_output: provider.max_output,
        note: provider.note,
        quirks: provider.quirks,
        models,
    })
}

impl Model {
    fn into_spec(self) -> Result<ModelSpec, &'static str> {
        let price = match (self.input, self.output, self.published) {
            (Some(PerMillion(input)), Some(PerMillion(output)), Some(Day(published))) => {
                let as_input = |price: Option<PerMillion>| price.map_or(input, |it| it.0);
                Some(Price {
                    input,
                    output,
                    cache_read: as_input(self.cache_read),
                    cache_write: as_input(self.cache_write),
                    published,
                    over: self.over.map(OverLine::into_price),
                })
            }
            (None, None, None)
                if self.cache_read.is_none()
                    && self.cache_write.is_none()
                    && self.over.is_none() =>
            {
                None
            }
            _ => return Err("a price has `input`, `output` and `published`, or it is not given"),
        };
        Ok(ModelSpec {
            name: self.name.into_inner(),
            dated: self.dated,
            window: self.window,
            max_output: self.max_output,
            price,
        })
    }
}

impl OverLine {
    fn into_price(self) -> Over {
        let PerMillion(input) = self.input;
        let as_input = |price: Option<PerMillion>| price.map_or(input, |it| it.0);
        Over {
            tokens: self.tokens,
            input,
            output: self.output.0,
            cache_read: as_input(self.cache_read),
            cache_write: as_input(self.cache_write),
        }
    }
}

/// The line and the key are those at `at`.
fn bad(file: &str, text: &str, at: Option<usize>, why: &str) -> CatalogError {
    let before = text.get(..at.unwrap_or(0)).unwrap_or("");
    let line = before.matches('\n').count();
    let key = text.lines().nth(line).and_then(|line| line.split_once('='));
    let key = key.map(|(key, _)| key.trim().to_owned()).filter(|key| !key.is_empty());
    let why = why.lines().collect::<Vec<_>>().join(" ");
    CatalogError::Bad { file: file.to_owned(), line: line + 1, key, why }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Name(String);

impl TryFrom<String> for Name {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if text.is_empty() || !text.chars().all(fits) {
            return Err("a provider is named by small letters, digits and `-`");
        }
        Ok(Name(text))
    }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Address(String);

impl TryFrom<String> for Address {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        match rest {
            Some(rest) if rest.contains('@') => Err("an address holds no name and no password"),
            Some(rest) if !rest.is_empty() => Ok(Address(text)),
            _ => Err("an address begins with http:// or https://"),
        }
    }
}

/// The name of a variable, so that nobody writes a key here.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Variable(String);

impl TryFrom<String> for Variable {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        if text.is_empty() || !text.chars().all(fits) {
            return Err("keys are not written here, only the names of variables that hold them");
        }
        Ok(Variable(text))
    }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Day(String);

impl TryFrom<String> for Day {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let shape: String =
            text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        if shape == "0000-00-00" { Ok(Day(text)) } else { Err("a day is written as 2026-06-08") }
    }
}

#[derive(Deserialize, Clone, Copy)]
#[serde(try_from = "f64")]
struct PerMillion(Usd);

impl TryFrom<f64> for PerMillion {
    type Error = &'static str;

    fn try_from(dollars: f64) -> Result<Self, Self::Error> {
        Usd::new(dollars).map(PerMillion).ok_or("a price is an amount of dollars, zero or more")
    }
}

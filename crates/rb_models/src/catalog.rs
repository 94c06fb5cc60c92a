//! Providers as data: where they are, which key they take, how they differ, what they cost.
//!
//! One file each; those that come with the program are compiled in, and a user's own file adds a provider or
//! stands in for one of the same name. Nothing here reads a file or the environment: the texts are handed in.

mod file;
mod price;
mod spec;

use std::collections::BTreeMap;

use thiserror::Error;

pub use price::{Over, Price};
pub use spec::{
    CostSaid, ModelSpec, OutputLimit, ProviderSpec, Quirks, ReasoningIn, SchemaAs, SystemRole,
    Thinking, Wire,
};

/// By name.
#[derive(Debug, Clone)]
pub struct Catalog {
    specs: BTreeMap<String, ProviderSpec>,
    /// Their files, for who begins one of his own.
    texts: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CatalogError {
    #[error("{file}:{line}: {}{why}", key.as_ref().map(|key| format!("`{key}`: ")).unwrap_or_default())]
    Bad {
        file: String,
        line: usize,
        /// As the line has it.
        key: Option<String>,
        why: String,
    },
    #[error("{file} and {other} both describe `{name}`")]
    Twice { file: String, other: String, name: String },
    #[error(
        "there is no provider `{name}`{}",
        meant.as_ref().map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
    )]
    Unknown { name: String, meant: Option<String> },
}

macro_rules! bundled {
    ($($name:literal),* $(,)?) => {
        [$((
            concat!($name, ".toml"),
            include_str!(concat!("../data/providers/", $name, ".toml")),
        )),*]
    };
}

/// File name and text.
const BUNDLED: [(&str, &str); 20] = bundled![
    "anthropic",
    "builtin",
    "claude-code",
    "codex",
    "command",
    "custom",
    "deepseek",
    "fireworks",
    "gemini",
    "groq",
    "llamacpp",
    "lmstudio",
    "mistral",
    "ollama",
    "openai",
    "openrouter",
    "perplexity",
    "together",
    "vllm",
    "xai",
];

impl Catalog {
    /// Those that come with the program.
    pub fn bundled() -> Self {
        Catalog::with(Vec::new()).expect("a test reads every file that is compiled in")
    }

    /// And the user's own: file name and text of each.
    pub fn with(files: Vec<(String, String)>) -> Result<Self, CatalogError> {
        let (mut specs, mut texts) = (BTreeMap::new(), BTreeMap::new());
        for (name, text) in BUNDLED {
            let spec = file::read(name, text)?;
            texts.insert(spec.name.clone(), text.to_owned());
            specs.insert(spec.name.clone(), spec);
        }
        let mut own: BTreeMap<String, String> = BTreeMap::new();
        for (file, text) in files {
            let spec = file::read(&file, &text)?;
            let name = spec.name.clone();
            if let Some(other) = own.insert(name.clone(), file.clone()) {
                return Err(CatalogError::Twice { file, other, name });
            }
            texts.insert(name.clone(), text);
            specs.insert(name, spec);
        }
        Ok(Catalog { specs, texts })
    }

    /// The file that describes a provider.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    pub fn get(&self, name: &str) -> Result<&ProviderSpec, CatalogError> {
        self.specs.get(name).ok_or_else(|| CatalogError::Unknown {
            name: name.to_owned(),
            meant: self.nearest(name),
        })
    }

    /// In order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.specs.keys().map(String::as_str)
    }

    /// `None` where nobody knows it, which is not the same as nothing.
    pub fn price(&self, provider: &str, model: &str) -> Option<Price> {
        self.specs.get(provider)?.price(model).cloned()
    }

    /// The price of a model that several may offer: the dearest of those that are known.
    pub fn dearest(&self, model: &str) -> Option<Price> {
        let prices = self.specs.values().filter_map(|spec| spec.price(model));
        prices.max_by_key(|price| (price.output, price.input)).cloned()
    }

    pub fn window(&self, provider: &str, model: &str) -> Option<u64> {
        self.specs.get(provider)?.window(model)
    }

    fn nearest(&self, name: &str) -> Option<String> {
        /// Further away it is another word.
        const FAR: usize = 3;
        let name = name.to_lowercase();
        let near = self.names().map(|known| (strsim::damerau_levenshtein(known, &name), known));
        let (distance, known) = near.min()?;
        (distance < FAR.min(name.chars().count())).then(|| known.to_owned())
    }
}

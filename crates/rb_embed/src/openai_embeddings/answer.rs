//! The answer to a request for embeddings: one sound vector for each text, in the order of the texts.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    data: Vec<Item>,
    usage: Option<Usage>,
}

#[derive(Debug, Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f32>,
}

#[derive(Debug, Deserialize)]
struct Usage {
    total_tokens: Option<u64>,
    prompt_tokens: Option<u64>,
}

impl Answer {
    pub(super) fn tokens(&self) -> Option<u64> {
        let usage = self.usage.as_ref()?;
        usage.total_tokens.or(usage.prompt_tokens)
    }

    /// What is wrong with it, where it is not what was asked for.
    pub(super) fn vectors(self, texts: usize, dimensions: usize) -> Result<Vec<Vec<f32>>, String> {
        if self.data.len() != texts {
            return Err(format!("{} vectors for {texts} texts", self.data.len()));
        }
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts];
        for Item { index, embedding } in self.data {
            let found = embedding.len();
            if found != dimensions {
                return Err(format!("a vector of {found} dimensions in place of {dimensions}"));
            }
            if !embedding.iter().all(|number| number.is_finite()) {
                return Err("a vector that holds something other than numbers".to_owned());
            }
            match vectors.get_mut(index) {
                Some(place @ None) => *place = Some(embedding),
                Some(Some(_)) => return Err(format!("two vectors for text {index}")),
                None => return Err(format!("a vector for text {index} of {texts}")),
            }
        }
        // As many as texts, and no index twice: every place is filled.
        Ok(vectors.into_iter().flatten().collect())
    }
}

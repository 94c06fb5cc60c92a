//! Finds the runner's JSON document in a stream that the tests print to as well.

use serde::de::DeserializeOwned;

use crate::report::ReportError;

/// Every try reads at most the rest of the text; more starts than this are not tried.
const MAX_TRIES: usize = 64;

/// The runner writes its document when all tests are over, so that the last one that has the right shape is
/// taken, and how many there were is told. A start is a brace at the beginning of a line.
pub(crate) fn last_document<T: DeserializeOwned>(text: &str) -> Result<(T, usize), ReportError> {
    let whole = text.trim().trim_start_matches('\u{feff}');
    let error = match serde_json::from_str::<T>(whole) {
        Ok(document) => return Ok((document, 1)),
        Err(error) => error,
    };
    let lines = text.match_indices('{').map(|(at, _)| at);
    let lines = lines.filter(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n').collect();
    // A test may have printed without a newline before the document: then any brace with a key right behind it.
    let found = last_of(text, lines).or_else(|| {
        let keys = text.match_indices("{\n  \"").chain(text.match_indices("{\""));
        let mut keys: Vec<usize> = keys.map(|(at, _)| at).collect();
        keys.sort_unstable();
        last_of(text, keys)
    });
    found.ok_or(ReportError::Json(error))
}

/// The last document among those that begin at `starts`; of too many starts, the last are tried.
fn last_of<T: DeserializeOwned>(text: &str, mut starts: Vec<usize>) -> Option<(T, usize)> {
    let starts = starts.split_off(starts.len().saturating_sub(MAX_TRIES));
    let (mut last, mut documents, mut end) = (None, 0, 0);
    for start in starts {
        if start < end {
            continue;
        }
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<T>();
        if let Some(Ok(document)) = stream.next() {
            end = start + stream.byte_offset();
            documents += 1;
            last = Some(document);
        }
    }
    last.map(|document| (document, documents))
}

/// The message for a stream that holds more than one document of the right shape.
pub(crate) fn many(documents: usize) -> Option<String> {
    (documents > 1).then(|| {
        format!("the output holds {documents} documents of results; the last one is taken for the runner's")
    })
}

//! Each name once, as a number.

use std::sync::Arc;

use rustc_hash::FxHashMap;

#[derive(Default)]
pub(super) struct Names {
    numbers: FxHashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl Names {
    pub(super) fn add(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = u32::try_from(self.texts.len()).expect("fewer names than bytes");
        let text: Arc<str> = text.into();
        self.numbers.insert(Arc::clone(&text), number);
        self.texts.push(text);
        number
    }

    /// `None` for a name that nobody added, so that nothing can be called so.
    pub(super) fn get(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    pub(super) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }
}

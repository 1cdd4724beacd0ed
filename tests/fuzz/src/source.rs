//! Choices, one byte each.

use serde_json::{Map, Value, json};

/// Deeper, the generators write nothing but scalars.
const DEEPEST: usize = 8;

/// The bytes that are left.
pub struct Source<'a> {
    bytes: &'a [u8],
    depth: usize,
}

impl<'a> Source<'a> {
    /// All of the fuzzer's bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, depth: 0 }
    }

    /// The next byte; 0 at the end.
    pub fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                first
            }
            None => 0,
        }
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    /// True for so many bytes of 256.
    pub fn chance(&mut self, of_256: u8) -> bool {
        // At the end nothing is likely.
        !self.is_done() && self.byte() < of_256
    }

    /// Whether there are no bytes left.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.bytes.is_empty()
    }

    /// One of these.
    pub fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }

    /// One of these words.
    pub fn word<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    /// Goes one level down; `None` where it is deep enough.
    pub fn nested<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let made = make(self);
        self.depth -= 1;
        Some(made)
    }

    /// The bytes that are left, as text, with what is not UTF-8 replaced.
    #[must_use]
    pub fn rest(&self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }

    /// A text: one of these words, or a few bytes as they are.
    pub fn text(&mut self, words: &[&str]) -> String {
        if self.chance(230) || self.is_done() {
            return self.word(words).to_owned();
        }
        let length = self.below(12).min(self.bytes.len());
        let (text, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        String::from_utf8_lossy(text).into_owned()
    }

    /// A number, often one at an edge.
    pub fn number(&mut self) -> Value {
        const EDGES: [i64; 8] = [0, 1, -1, 255, i32::MAX as i64, 1 << 53, i64::MAX, i64::MIN];
        match self.below(8) {
            0..=2 => json!(self.byte()),
            3 | 4 => json!(self.pick(&EDGES)),
            5 => json!(u64::MAX),
            6 => json!(f64::from(self.byte()) / 8.0),
            _ => json!(*self.pick(&[1e300, -0.0, 1e-7, 1e21, f64::MIN_POSITIVE])),
        }
    }

    /// Any JSON, with these words for keys and texts.
    pub fn json(&mut self, words: &[&str]) -> Value {
        match self.below(9) {
            0 => Value::Null,
            1 => json!(self.chance(128)),
            2 => self.number(),
            3..=5 => json!(self.text(words)),
            6 => self.nested(|source| source.list(words)).unwrap_or_default(),
            _ => {
                let object = self.nested(|source| {
                    let mut object = Map::new();
                    while source.chance(160) {
                        let key = source.text(words);
                        object.insert(key, source.json(words));
                    }
                    object
                });
                Value::Object(object.unwrap_or_default())
            }
        }
    }

    fn list(&mut self, words: &[&str]) -> Value {
        let mut list = Vec::new();
        while self.chance(160) {
            list.push(self.json(words));
        }
        Value::Array(list)
    }
}

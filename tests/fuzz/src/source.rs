//! A source of choices. Each byte of the input decides one choice.

use serde_json::{Map, Value, json};

/// The maximum depth of generators.
const MAX_DEPTH: usize = 8;

/// The bytes that have not been used.
pub struct Source<'a> {
    bytes: &'a [u8],
    depth: usize,
}

impl<'a> Source<'a> {
    /// Creates a source with all bytes of the fuzzer.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, depth: 0 }
    }

    /// Returns the next byte, or 0 after the last byte.
    pub fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((&byte, remaining_bytes)) => {
                self.bytes = remaining_bytes;
                byte
            }
            None => 0,
        }
    }

    /// Returns a number below `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    /// Returns true for `threshold` of the 256 values of the next byte, and false after the last
    /// byte.
    pub fn chance(&mut self, threshold: u8) -> bool {
        // Generators repeat while this function returns true, so it must return false after the
        // last byte.
        !self.is_done() && self.byte() < threshold
    }

    /// Returns true after the last byte.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns one of the items.
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }

    /// Returns one of the words.
    pub fn word<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.below(words.len())]
    }

    /// Calls a generator one level deeper, or returns `None` at the largest depth.
    pub fn nested<T>(&mut self, generate: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let generated = generate(self);
        self.depth -= 1;
        Some(generated)
    }

    /// Returns the remaining bytes as a string, in which invalid UTF-8 is replaced.
    #[must_use]
    pub fn remaining_text(&self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }

    /// Returns one of the words, or in some cases a string of a few bytes.
    pub fn text(&mut self, words: &[&str]) -> String {
        if self.chance(230) || self.is_done() {
            return self.word(words).to_owned();
        }
        let length = self.below(12).min(self.bytes.len());
        let (text, remaining_bytes) = self.bytes.split_at(length);
        self.bytes = remaining_bytes;
        String::from_utf8_lossy(text).into_owned()
    }

    /// Returns a number, often the least or the greatest value of a type of integers.
    pub fn number(&mut self) -> Value {
        const LIMITS: [i64; 8] = [0, 1, -1, 255, i32::MAX as i64, 1 << 53, i64::MAX, i64::MIN];
        match self.below(8) {
            0..=2 => json!(self.byte()),
            3 | 4 => json!(self.pick(&LIMITS)),
            5 => json!(u64::MAX),
            6 => json!(f64::from(self.byte()) / 8.0),
            _ => json!(*self.pick(&[1e300, -0.0, 1e-7, 1e21, f64::MIN_POSITIVE])),
        }
    }

    /// Returns any JSON value, with these words as keys and strings.
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

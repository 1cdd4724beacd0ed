//! The tool for a page: [`unionctl::page::Session`], a method a question, with JSON in and out. There are no rules here.

use wasm_bindgen::prelude::wasm_bindgen;

/// A session, which keeps what it has compiled.
#[wasm_bindgen]
#[derive(Default)]
pub struct Session(unionctl::page::Session);

#[wasm_bindgen]
impl Session {
    /// A session that knows nothing yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What an API server says to the CRD, and to the new object in place of the stored one.
    pub fn judge(&mut self, question: &str) -> String {
        self.0.judge(question)
    }

    /// What the rules of the CRD cost.
    pub fn costs(&mut self, question: &str) -> String {
        self.0.costs(question)
    }

    /// The unions of the CRD.
    pub fn unions(&mut self, question: &str) -> String {
        self.0.unions(question)
    }

    /// What the second CRD does to the stored object.
    pub fn tighten(&mut self, question: &str) -> String {
        self.0.tighten(question)
    }

    /// The answer to a line of `unionctl check --jsonl`.
    pub fn check_line(&mut self, line: &str) -> String {
        self.0.check_line(line)
    }

    /// The answer to a line of `unionctl unions --jsonl`.
    pub fn unions_line(&mut self, line: &str) -> String {
        self.0.unions_line(line)
    }
}

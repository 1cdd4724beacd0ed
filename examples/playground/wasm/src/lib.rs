//! WebAssembly bindings of [`unionctl::page::Session`] for a page. Each method answers one kind of
//! question, with JSON in and out. The rules are in `unionctl`.

use wasm_bindgen::prelude::wasm_bindgen;

/// A session, which keeps the compiled CRDs between questions.
#[wasm_bindgen]
#[derive(Default)]
pub struct Session(unionctl::page::Session);

#[wasm_bindgen]
impl Session {
    /// Creates a session without compiled CRDs.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the verdict of an API server on the CRD, and on the request that replaces the stored
    /// object by the new object.
    pub fn judge(&mut self, question: &str) -> String {
        self.0.judge(question)
    }

    /// Returns the costs of the CEL rules of the CRD.
    pub fn costs(&mut self, question: &str) -> String {
        self.0.costs(question)
    }

    /// Returns the unions of the CRD.
    pub fn unions(&mut self, question: &str) -> String {
        self.0.unions(question)
    }

    /// Returns the verdicts on the stored object if the second CRD replaces the first CRD.
    pub fn tighten(&mut self, question: &str) -> String {
        self.0.tighten(question)
    }

    /// Returns the answer to a line of `unionctl check --jsonl`.
    pub fn check_line(&mut self, line: &str) -> String {
        self.0.check_line(line)
    }

    /// Returns the answer to a line of `unionctl unions --jsonl`.
    pub fn unions_line(&mut self, line: &str) -> String {
        self.0.unions_line(line)
    }
}

//! WebAssembly bindings of [`unionctl::page::Session`] for the page. Each method takes a query as
//! JSON, and returns the result as JSON.

use wasm_bindgen::prelude::wasm_bindgen;

/// A session, which keeps compiled CRDs between queries.
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

    /// Returns the result of an API server for the CRD, and for the request that replaces the
    /// stored object by the new object.
    pub fn check(&mut self, query: &str) -> String {
        self.0.check(query)
    }

    /// Returns the costs of the CEL rules of the CRD.
    pub fn costs(&mut self, query: &str) -> String {
        self.0.costs(query)
    }

    /// Returns the unions of the CRD.
    pub fn unions(&mut self, query: &str) -> String {
        self.0.unions(query)
    }

    /// Returns the results for the stored object if the second CRD replaces the first CRD.
    pub fn tighten(&mut self, query: &str) -> String {
        self.0.tighten(query)
    }

    /// Returns the requests that two versions of Kubernetes answer differently.
    pub fn upgrade(&mut self, query: &str) -> String {
        self.0.upgrade(query)
    }

    /// Returns a small object of the CRD.
    pub fn sample(&mut self, query: &str) -> String {
        self.0.sample(query)
    }

    /// Returns the output for a line of `unionctl check --jsonl`.
    pub fn check_line(&mut self, line: &str) -> String {
        self.0.check_line(line)
    }

    /// Returns the output for a line of `unionctl unions --jsonl`.
    pub fn unions_line(&mut self, line: &str) -> String {
        self.0.unions_line(line)
    }
}

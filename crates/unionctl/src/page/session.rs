//! The session of a page.

use serde::Serialize;
use serde_json::json;

use super::question::Question;
use super::read::Texts;
use super::{costs, judge, tighten, unions};
use crate::commands::check;
use crate::commands::unions::jsonl;

/// Answers questions, and keeps what it has compiled for the ones that follow.
///
/// A question is an object of texts, all of which may be left out:
/// `{"crd": "...", "stored": "...", "new": "...", "crd_new": "...", "kube_version": "1.36",
/// "ratchet": null, "status": false, "normalize": false}`. Without `ratchet`, the gate has the
/// default of the version.
/// An answer is an object too; `{"error": ...}` where the question is not one.
#[derive(Default)]
pub struct Session {
    texts: Texts,
    check: check::jsonl::Cases,
    unions: jsonl::Cases,
    /// How many lines there were of either.
    checked: usize,
    normalized: usize,
}

impl Session {
    /// Returns what an API server says to the CRD, and to the new object in place of the stored
    /// one.
    ///
    /// The answer has `problems` (texts that cannot be read), `crd` and `object`. Whatever is said
    /// has its `line` and its `column` in the text of its `editor`. With `normalize`, unions are
    /// normalized before the object is judged, as a webhook does it: those that the CRD declares,
    /// or else those that its rules declare.
    pub fn judge(&mut self, question: &str) -> String {
        self.answer(question, judge::answer)
    }

    /// Returns what the rules of the CRD cost at worst, what multiplies them, and what to bound.
    pub fn costs(&mut self, question: &str) -> String {
        self.answer(question, costs::answer)
    }

    /// Returns the unions of the CRD: those that it declares, and those of its rules, with
    /// findings.
    pub fn unions(&mut self, question: &str) -> String {
        self.answer(question, |_, question| unions::answer(question))
    }

    /// Returns what the second CRD in place of the first one does to the stored object.
    pub fn tighten(&mut self, question: &str) -> String {
        self.answer(question, tighten::answer)
    }

    /// Answers a line as `unionctl check --jsonl` does; what a line says of lines that follow holds
    /// for this session.
    pub fn check_line(&mut self, line: &str) -> String {
        self.checked += 1;
        let answer = self.check.line(self.checked, line);
        answer.unwrap_or_default()
    }

    /// Answers a line as `unionctl unions --jsonl` does.
    pub fn unions_line(&mut self, line: &str) -> String {
        self.normalized += 1;
        let answer = self.unions.line(self.normalized, line);
        answer.unwrap_or_default()
    }

    fn answer<T: Serialize>(
        &mut self,
        question: &str,
        answer: impl FnOnce(&mut Texts, &Question) -> T,
    ) -> String {
        let answered = serde_json::from_str(question)
            .and_then(|question| serde_json::to_string(&answer(&mut self.texts, &question)));
        answered.unwrap_or_else(|error| json!({ "error": error.to_string() }).to_string())
    }
}

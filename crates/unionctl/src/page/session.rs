//! The session of a page.

use serde::Serialize;
use serde_json::json;

use super::editor_inputs::EditorInputs;
use super::request::PageRequest;
use super::{costs, judge, tighten, unions};
use crate::commands::check;
use crate::commands::unions::jsonl;

/// A session that answers questions and keeps the compiled CRDs for later questions.
///
/// A question is an object, whose fields are all optional:
///
/// `{"crd": "...", "stored": "...", "new": "...", "crd_new": "...", "kube_version": "1.36",
/// "ratchet": null, "status": false, "normalize": false}`. Without `ratchet`, the gate has the
/// default of the version.
///
/// An answer is an object too; `{"error": ...}` if the question is invalid.
#[derive(Default)]
pub struct Session {
    inputs: EditorInputs,
    check: check::jsonl::CheckJsonlSession,
    unions: jsonl::UnionsJsonlSession,
    /// The number of lines of `check` so far; `normalized` is the number of lines of `unions`.
    checked: usize,
    normalized: usize,
}

impl Session {
    /// Returns the verdict of an API server on the CRD, and on the new object in place of the
    /// stored one.
    ///
    /// The answer has `problems` (sources that are invalid), `crd` and `object`. Each message has
    /// its `line` and its `column` in its `editor`. With `normalize`, unions are normalized before
    /// the object is judged, as a webhook normalizes them: the unions that the CRD declares, or
    /// else the unions that its rules declare.
    pub fn judge(&mut self, question: &str) -> String {
        self.answer(question, judge::judge_reply)
    }

    /// Returns the costs of the rules of the CRD in the worst case, with the factors that multiply
    /// them and the bounds that would lower them.
    pub fn costs(&mut self, question: &str) -> String {
        self.answer(question, costs::cost_reply)
    }

    /// Returns the unions of the CRD, both declared unions and unions of its rules, with findings.
    pub fn unions(&mut self, question: &str) -> String {
        self.answer(question, |_, question| unions::unions_reply(question))
    }

    /// Returns the effect of the second CRD, in place of the first one, on the stored object.
    pub fn tighten(&mut self, question: &str) -> String {
        self.answer(question, tighten::tighten_reply)
    }

    /// Answers a line as `unionctl check --jsonl` does. Lines that set something for later lines
    /// have effect until the end of this session.
    pub fn check_line(&mut self, line: &str) -> String {
        self.checked += 1;
        let answer = self.check.answer_line(self.checked, line);
        answer.unwrap_or_default()
    }

    /// Answers a line as `unionctl unions --jsonl` does.
    pub fn unions_line(&mut self, line: &str) -> String {
        self.normalized += 1;
        let answer = self.unions.answer_line(self.normalized, line);
        answer.unwrap_or_default()
    }

    fn answer<T: Serialize>(
        &mut self,
        question: &str,
        answer: impl FnOnce(&mut EditorInputs, &PageRequest) -> T,
    ) -> String {
        let answered = serde_json::from_str(question)
            .and_then(|question| serde_json::to_string(&answer(&mut self.inputs, &question)));
        answered.unwrap_or_else(|error| json!({ "error": error.to_string() }).to_string())
    }
}

//! The session of a page.

use serde::Serialize;
use serde_json::json;

use super::editor_inputs::EditorInputs;
use super::request::PageRequest;
use super::{costs, judge, tighten, unions};
use crate::commands::check;
use crate::commands::unions::jsonl;

/// A session replies to requests, and keeps compiled CRDs for later requests.
///
/// A request is a JSON object. All of its fields are optional:
///
/// `{"crd": "...", "stored": "...", "new": "...", "crd_new": "...", "kube_version": "1.36",
/// "ratchet": null, "status": false, "normalize": false}`. Without `ratchet`, the feature gate has
/// its default for the version.
///
/// A reply is a JSON object, or `{"error": ...}` if the request is invalid.
#[derive(Default)]
pub struct Session {
    inputs: EditorInputs,
    check: check::jsonl::CheckJsonlSession,
    unions: jsonl::UnionsJsonlSession,
    /// The number of lines of [`check_line`](Self::check_line) so far; `normalized` counts the
    /// lines of [`unions_line`](Self::unions_line).
    checked: usize,
    normalized: usize,
}

impl Session {
    /// Validates the CRD, and a create of the new object or an update of the stored object.
    ///
    /// The reply has `problems` (errors in the sources), `crd` and `object`. Each message has the
    /// `editor` and the position that it is about. With `normalize`, the unions of the object are
    /// normalized before its validation, as by a webhook: the unions that the CRD declares, or else
    /// the unions that its rules imply.
    pub fn judge(&mut self, request: &str) -> String {
        self.reply_to(request, judge::judge_reply)
    }

    /// Returns the estimated costs of the rules of the CRD, with the factors that multiply the
    /// costs and the bounds that would lower them.
    pub fn costs(&mut self, request: &str) -> String {
        self.reply_to(request, costs::cost_reply)
    }

    /// Returns the unions of the CRD, both declared unions and unions of its rules, with findings.
    pub fn unions(&mut self, request: &str) -> String {
        self.reply_to(request, |_, request| unions::unions_reply(request))
    }

    /// Returns the effect of the second CRD, in place of the first CRD, on the stored object.
    pub fn tighten(&mut self, request: &str) -> String {
        self.reply_to(request, tighten::tighten_reply)
    }

    /// Replies to a line as `unionctl check --jsonl` does. A line with `use` has effect until the
    /// end of the session.
    pub fn check_line(&mut self, line: &str) -> String {
        self.checked += 1;
        let reply = self.check.answer_line(self.checked, line);
        reply.unwrap_or_default()
    }

    /// Replies to a line as `unionctl unions --jsonl` does.
    pub fn unions_line(&mut self, line: &str) -> String {
        self.normalized += 1;
        let reply = self.unions.answer_line(self.normalized, line);
        reply.unwrap_or_default()
    }

    fn reply_to<T: Serialize>(
        &mut self,
        request: &str,
        reply: impl FnOnce(&mut EditorInputs, &PageRequest) -> T,
    ) -> String {
        let result = serde_json::from_str(request)
            .and_then(|request| serde_json::to_string(&reply(&mut self.inputs, &request)));
        result.unwrap_or_else(|error| json!({ "error": error.to_string() }).to_string())
    }
}

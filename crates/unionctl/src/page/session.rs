//! The session of a page.

use serde::Serialize;
use serde_json::json;

use super::editor_inputs::EditorInputs;
use super::request::PageRequest;
use super::{costs, sample, tighten, unions, upgrade, verdicts};
use crate::commands::check;
use crate::commands::unions::jsonl;

/// A session replies to requests, and keeps compiled CRDs for later requests.
///
/// A request is a JSON object. All of its fields are optional:
///
/// `{"crd": "...", "stored": "...", "new": "...", "crd_new": "...", "kube_version": "1.36",
/// "upgrade_from": null, "upgrade_to": null, "ratchet": null, "status": false, "normalize": false,
/// "sample": 0}`. Without `ratchet`, the
/// feature gate has its default for the version.
///
/// A reply is a JSON object, or `{"error": ...}` if the request is invalid.
#[derive(Default)]
pub struct Session {
    inputs: EditorInputs,
    check_jsonl: check::jsonl::CheckJsonlSession,
    unions_jsonl: jsonl::UnionsJsonlSession,
    /// The number of lines that [`check_line`](Self::check_line) has replied to.
    check_line_count: usize,
    /// The number of lines that [`unions_line`](Self::unions_line) has replied to.
    unions_line_count: usize,
}

impl Session {
    /// Validates the CRD, and a create of the new object or an update of the stored object.
    ///
    /// The reply has `problems` (errors in the sources), `crd` and `object`. Each message has its
    /// `editor` and its position. With `normalize`, the unions of the object are normalized before
    /// its validation, as by a webhook: the unions that the CRD declares, or else the unions that
    /// are inferred from its rules.
    ///
    /// Without a CRD, the unions of an object of a built-in kind are validated. The object of the
    /// reply then has a `scope`, which states that other parts are not checked.
    pub fn check(&mut self, request: &str) -> String {
        self.reply_to(request, verdicts::check_reply)
    }

    /// Returns the estimated costs of the rules of the CRD, with the factors that multiply the
    /// costs and the bounds that would lower them.
    pub fn costs(&mut self, request: &str) -> String {
        self.reply_to(request, costs::cost_reply)
    }

    /// Returns the declared and the inferred unions of the CRD, with findings.
    pub fn unions(&mut self, request: &str) -> String {
        self.reply_to(request, |_, request| unions::unions_reply(request))
    }

    /// Returns the effect of the second CRD, in place of the first CRD, on the stored object.
    pub fn tighten(&mut self, request: &str) -> String {
        self.reply_to(request, tighten::tighten_reply)
    }

    /// Returns the requests for the CRD and the objects that two versions of Kubernetes answer
    /// differently. The reply has no report unless the request has both versions.
    pub fn upgrade(&mut self, request: &str) -> String {
        self.reply_to(request, upgrade::upgrade_reply)
    }

    /// Creates a small object for a version of the CRD. `sample` of the request is the index of the
    /// version in the list of the reply to [`check`](Self::check). The reply has the `object` in
    /// YAML, and its `errors` if no valid object was found.
    pub fn sample(&mut self, request: &str) -> String {
        self.reply_to(request, sample::sample_reply)
    }

    /// Replies to a line as `unionctl check --jsonl` does. A line with `use` has effect until the
    /// end of the session.
    pub fn check_line(&mut self, line: &str) -> String {
        self.check_line_count += 1;
        let reply = self.check_jsonl.reply_to_line(self.check_line_count, line);
        reply.unwrap_or_default()
    }

    /// Replies to a line as `unionctl unions --jsonl` does.
    pub fn unions_line(&mut self, line: &str) -> String {
        self.unions_line_count += 1;
        let reply = self
            .unions_jsonl
            .reply_to_line(self.unions_line_count, line);
        reply.unwrap_or_default()
    }

    fn reply_to<T: Serialize>(
        &mut self,
        request: &str,
        build_reply: impl FnOnce(&mut EditorInputs, &PageRequest) -> T,
    ) -> String {
        let result = serde_json::from_str(request)
            .and_then(|request| serde_json::to_string(&build_reply(&mut self.inputs, &request)));
        result.unwrap_or_else(|error| json!({ "error": error.to_string() }).to_string())
    }
}

//! The log lines of reviews.

use std::time::Duration;

use crate::admission::review::{ReviewSummary, Verdict, Webhook};

/// The maximum length of a list or message in a log line, in characters. A hostile object can have
/// an error message of megabytes.
const MAX_TEXT_LENGTH: usize = 4_096;

/// Logs a line for each request: at `info` if something was changed, tolerated or rejected.
pub(super) fn log_review(webhook: Webhook, summary: &ReviewSummary, duration: Duration) {
    let is_notable = summary.verdict() != Verdict::Allowed;
    if !is_notable && !tracing::enabled!(tracing::Level::DEBUG) {
        return;
    }
    let ReviewSummary {
        uid,
        operation,
        kind,
        namespace,
        name,
        dry_run,
        changes,
        rejection,
        tolerated,
        ..
    } = summary;
    let webhook = webhook.name();
    let kind = kind.as_deref().unwrap_or("other");
    let (verdict, reason) = (summary.verdict().name(), summary.reason.as_str());
    let allowed = rejection.is_none();
    let refused = truncate(rejection.as_deref().unwrap_or_default());
    let changes = truncate(&changes.join("; "));
    let ratcheted = truncate(&tolerated.join("; "));
    let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    // The names of the variables are the keys of the log line.
    macro_rules! log {
        ($level:ident) => {
            tracing::$level!(
                webhook, uid, operation, kind, namespace, name, dry_run, verdict, reason, allowed,
                changes, ratcheted, refused, micros, "answered"
            )
        };
    }
    if is_notable {
        log!(info);
    } else {
        log!(debug);
    }
}

/// Truncates a text to [`MAX_TEXT_LENGTH`]. A truncated text ends with `...`.
fn truncate(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT_LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

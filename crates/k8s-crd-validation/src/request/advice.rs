//! Advice on the errors of a request: the changes that remove an error, and the reason why an
//! update does not tolerate an error that the stored object has too.

use core::fmt;
use std::collections::HashSet;

use serde_json::Value;

use crate::decode::ratchet::OldObject;
use crate::rules::walk::{KeptReason, KeptViolation};
use crate::schema::NodeId;
use crate::settings::{RatchetingPolicy, ServerSettings};
use crate::validate::Validation;
use crate::validate::errors::dotted_path::with_path_prefix;
use crate::validate::errors::sink::{CollectAll, ErrorScope, LocatedError};
use k8s_cel::Feature;
use k8s_json_internals::equality::deep_equal;
use union_runtime::path::{FieldPath, PathStep};
use union_runtime::{Violation, ViolationKind};

/// The maximum number of errors of a request that get advice. Limits the time for an object with
/// many errors.
const MAX_ADVICE: usize = 100;

/// The maximum number of errors of a request for which changes are tried.
const MAX_REPAIRS: usize = 20;

/// Advice on an error of a request, which is not part of the response of an API server.
///
/// `Display` prints one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Advice {
    /// The error.
    pub error: Violation,
    /// The advice.
    pub text: String,
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The reason why an error that the stored object has too is not tolerated.
pub(super) enum NotTolerated {
    /// The error belongs to the value at this path, which the update changes.
    Changed(FieldPath, ErrorScope),
    /// The value at this path is in a list element without the key of its list, or with a key that
    /// occurs several times. A server does not compare such an element with itself.
    WithoutKey(FieldPath),
    /// The rule reads `oldSelf`.
    OldSelf,
    /// The error is in metadata.
    Metadata,
    /// Errors of combinators are never tolerated.
    KepCombinator,
    /// The server does not tolerate errors at all.
    Off,
    /// The version of the server is before the version in which this feature is on.
    Before(Feature),
}

impl fmt::Display for NotTolerated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SAME_ERROR: &str = "the stored object has this error too, but";
        match self {
            Self::OldSelf => f.write_str(
                "the value is unchanged, but the rule reads `oldSelf`: an error of such a rule is \
                 never tolerated",
            ),
            Self::WithoutKey(path) => write!(
                f,
                "{SAME_ERROR} `{path}` is not compared with its old value, because the key of its \
                 list element is missing or occurs several times: set a key that only this element has"
            ),
            Self::Metadata => write!(f, "{SAME_ERROR} errors in metadata are never tolerated"),
            Self::KepCombinator => write!(
                f,
                "{SAME_ERROR} KEP-4008 tolerates no error of allOf, anyOf, oneOf and not"
            ),
            Self::Off => write!(f, "{SAME_ERROR} ratcheting is turned off for this request"),
            Self::Before(feature) => {
                let since = feature.since();
                let updates = match feature {
                    Feature::StatusRatcheting => "updates of the status tolerate",
                    _ => "updates tolerate",
                };
                write!(f, "{SAME_ERROR} {updates} such errors only from {since} on")
            }
            Self::Changed(path, scope) => {
                let value = match path.as_str() {
                    "" => "the object".to_owned(),
                    path => format!("`{path}`"),
                };
                write!(f, "{SAME_ERROR} ")?;
                match scope {
                    ErrorScope::Value => write!(f, "it belongs to the whole of {value}")?,
                    ErrorScope::Combinator => {
                        write!(
                            f,
                            "a combinator (allOf, anyOf, oneOf, not) checks the whole of {value}"
                        )?;
                    }
                    ErrorScope::Elements => {
                        write!(
                            f,
                            "the elements of {value}, a list without keys, have no old values"
                        )?;
                    }
                }
                let subject = match scope {
                    ErrorScope::Elements => "the whole list",
                    _ => &value,
                };
                write!(f, ": it is tolerated only if {subject} is unchanged")
            }
        }
    }
}

/// The parts of an error that do not depend on the position in a list.
type ErrorKey = (String, &'static str, Option<String>, String);

fn error_key(error: &Violation) -> ErrorKey {
    let steps = error.path().steps().map(|step| match step {
        PathStep::Field(name) | PathStep::Key(name) => format!("/{name}"),
        PathStep::Index(_) => "[]".to_owned(),
    });
    (
        steps.collect(),
        error.kind().reason(),
        error.value().map(str::to_owned),
        error.rule().to_owned(),
    )
}

/// The advice on the errors of a request so far.
#[derive(Debug, Default)]
pub(super) struct AdviceList {
    pub(super) advice: Vec<Advice>,
    repair_count: usize,
}

/// The value whose errors are explained.
pub(super) struct CheckedValue<'v> {
    pub(super) id: NodeId,
    pub(super) new: &'v Value,
    pub(super) old: Option<&'v dyn OldObject>,
    /// The path of the value in the object.
    pub(super) path: &'v FieldPath,
    /// True if the request is an update of the status.
    pub(super) is_status: bool,
}

impl AdviceList {
    const fn is_full(&self) -> bool {
        self.advice.len() >= MAX_ADVICE
    }

    fn push(&mut self, error: Violation, text: String) {
        let has_advice = |advice: &Advice| advice.error == error && advice.text == text;
        if !self.is_full() && !self.advice.iter().any(has_advice) {
            self.advice.push(Advice { error, text });
        }
    }

    /// Adds the advice on the errors of a schema. `ratchets` is true if the server tolerates errors
    /// of unchanged values.
    pub(super) fn add_schema_advice(
        &mut self,
        validation: &Validation<'_>,
        value: &CheckedValue<'_>,
        errors: &CollectAll,
        ratchets: bool,
    ) {
        let mut repaired_paths = HashSet::new();
        for error in errors.located_errors() {
            let location = error.location;
            // All combinators of a value are repaired together.
            if self.repair_count >= MAX_REPAIRS
                || !is_combinator(error.violation)
                || !repaired_paths.insert(&location.path)
            {
                continue;
            }
            self.repair_count += 1;
            let checked_value = location.path.find(value.new);
            let repair = checked_value.and_then(|value| validation.repair(location.node, value));
            if let Some(repair) = repair {
                let violation = error.violation.clone();
                self.push(with_path_prefix(violation, value.path), repair.to_string());
            }
        }
        let Some(old) = value.old else { return };
        let old_errors = validation.errors(value.id, old.decoded(), None);
        let old_keys: HashSet<ErrorKey> = old_errors.violations().map(error_key).collect();
        let is_old = |error: &&Violation| old_keys.contains(&error_key(error));
        if !ratchets {
            let collected = validation.errors(value.id, value.new, Some(old));
            let ratcheted: Vec<Violation> = collected.ratcheted().cloned().collect();
            let reason = NotTolerated::off(validation.settings, value.is_status).to_string();
            for error in ratcheted.iter().filter(is_old) {
                self.push(with_path_prefix(error.clone(), value.path), reason.clone());
            }
            return;
        }
        for error in errors.located_errors() {
            // Each reason compares the whole changed value.
            if self.is_full() {
                return;
            }
            if is_old(&error.violation)
                && let Some(reason) =
                    NotTolerated::from_location(&error, validation.settings, value)
            {
                let violation = with_path_prefix(error.violation.clone(), value.path);
                self.push(violation, reason.to_string());
            }
        }
    }

    /// Adds the advice on errors in metadata that do not depend on the update.
    pub(super) fn add_metadata_advice(
        &mut self,
        errors: &[Violation],
        new: &Value,
        old: Option<&Value>,
    ) {
        for error in errors {
            let values = (
                error.path().find(new),
                old.and_then(|old| error.path().find(old)),
            );
            if let (Some(new), Some(old)) = values
                && deep_equal(new, old)
                && error.kind() != ViolationKind::BadRequest
            {
                self.push(error.clone(), NotTolerated::Metadata.to_string());
            }
        }
    }

    /// Adds the advice on violated rules. `old_errors` are the errors of the stored object.
    pub(super) fn add_rule_advice(&mut self, kept: Vec<KeptViolation>, old_errors: &[Violation]) {
        let old_keys: HashSet<ErrorKey> = old_errors.iter().map(error_key).collect();
        for KeptViolation { violation, reason } in kept {
            let reason = match reason {
                KeptReason::OldSelf => NotTolerated::OldSelf,
                KeptReason::Changed(path, scope) if old_keys.contains(&error_key(&violation)) => {
                    NotTolerated::Changed(path, scope)
                }
                KeptReason::Changed(..) => continue,
            };
            self.push(violation, reason.to_string());
        }
    }

    /// Adds the advice on rules that a server with ratcheting tolerates.
    pub(super) fn add_rules_off_advice(
        &mut self,
        ratcheted: Vec<Violation>,
        settings: &ServerSettings,
        is_status: bool,
    ) {
        let reason = NotTolerated::off(settings, is_status).to_string();
        for error in ratcheted {
            self.push(error, reason.clone());
        }
    }
}

/// Returns true if an error states that the value does not satisfy `anyOf`, `oneOf` or `not`.
fn is_combinator(error: &Violation) -> bool {
    let rule = error.rule();
    error.path().as_str().is_empty()
        && ["(anyOf)", "(oneOf)", "(not)"]
            .iter()
            .any(|keyword| rule.contains(keyword))
}

impl NotTolerated {
    /// Returns the reason why a server tolerates no errors.
    fn off(settings: &ServerSettings, is_status: bool) -> Self {
        if settings.ratchet == Some(false) {
            return Self::Off;
        }
        Self::Before(if is_status {
            Feature::StatusRatcheting
        } else {
            Feature::Ratcheting
        })
    }

    /// Returns the reason why an error of `value` is not tolerated; `None` if the value with the
    /// error has changed.
    fn from_location(
        error: &LocatedError<'_>,
        settings: &ServerSettings,
        value: &CheckedValue<'_>,
    ) -> Option<Self> {
        let is_kep = settings.policy == RatchetingPolicy::Kep4008;
        if is_kep && error.scope == ErrorScope::Combinator {
            return Some(Self::KepCombinator);
        }
        let changed = error.location.changed.as_ref()?;
        let changed_value = changed.find(value.new);
        let old_value = value.old.and_then(|old| changed.find(old.decoded()));
        let is_equal = |(old, new): (&Value, &Value)| deep_equal(old, new);
        if old_value.zip(changed_value).is_some_and(is_equal) {
            return Some(Self::WithoutKey(changed.under(value.path)));
        }
        let is_scalar = changed_value.is_some_and(|value| !value.is_object() && !value.is_array());
        let is_own_value = error.scope == ErrorScope::Value && error.violation.path() == changed;
        (!is_scalar && !is_own_value).then(|| Self::Changed(changed.under(value.path), error.scope))
    }
}

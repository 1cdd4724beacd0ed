//! The CEL functions that the rules of a schema may call.

use std::collections::HashSet;
use std::sync::Arc;

use k8s_cel::Version;
use serde_json::Value;

/// The CEL functions that rules may call. A stored rule may call all functions, so that it stays
/// valid in any version.
#[derive(Clone, Debug)]
pub(crate) struct Libraries {
    version: Version,
    stored: Option<Arc<Stored>>,
}

/// The expressions of a stored CRD.
#[derive(Debug, Default)]
pub(crate) struct Stored {
    rules: HashSet<String>,
    messages: HashSet<String>,
}

impl Stored {
    /// Adds the `x-kubernetes-validations` of a schema.
    pub(crate) fn add(&mut self, rules: &[Value]) {
        for rule in rules {
            let text = |key| rule.get(key).and_then(Value::as_str).map(str::to_owned);
            self.rules.extend(text("rule"));
            self.messages.extend(text("messageExpression"));
        }
    }
}

impl Libraries {
    /// The functions for stored rules: all functions.
    pub(crate) const ALL: Self = Self::of(Version::LATEST);

    /// Returns the functions for new rules of a server of this version.
    pub(crate) const fn of(version: Version) -> Self {
        Self {
            version,
            stored: None,
        }
    }

    /// Returns the functions for the rules of an update: stored rules may call all functions, and
    /// new rules the functions of the version.
    pub(crate) fn in_place_of(version: Version, stored: Stored) -> Self {
        Self {
            version,
            stored: Some(Arc::new(stored)),
        }
    }

    /// Returns the version whose functions a rule may call.
    pub(crate) fn of_rule(&self, rule: &str) -> Version {
        let is_stored = |stored: &Arc<Stored>| stored.rules.contains(rule);
        self.of_text(self.stored.as_ref().is_some_and(is_stored))
    }

    /// Returns the version whose functions a message expression may call.
    pub(crate) fn of_message(&self, expression: &str) -> Version {
        let is_stored = |stored: &Arc<Stored>| stored.messages.contains(expression);
        self.of_text(self.stored.as_ref().is_some_and(is_stored))
    }

    const fn of_text(&self, is_stored: bool) -> Version {
        if is_stored {
            Version::LATEST
        } else {
            self.version
        }
    }
}

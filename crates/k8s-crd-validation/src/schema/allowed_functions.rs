//! The CEL functions that the rules of a schema may call.

use std::collections::HashSet;
use std::sync::Arc;

use k8s_cel::KubeVersion;
use serde_json::Value;

/// The CEL functions that rules may call. A stored rule may call all functions, so that it stays
/// valid in any version.
#[derive(Clone, Debug)]
pub(crate) struct AllowedFunctions {
    version: KubeVersion,
    stored: Option<Arc<StoredExpressions>>,
}

/// The expressions of a stored CRD.
#[derive(Debug, Default)]
pub(crate) struct StoredExpressions {
    rules: HashSet<String>,
    messages: HashSet<String>,
}

impl StoredExpressions {
    /// Adds the `x-kubernetes-validations` of a schema.
    pub(crate) fn add(&mut self, rules: &[Value]) {
        for rule in rules {
            let text = |key| rule.get(key).and_then(Value::as_str).map(str::to_owned);
            self.rules.extend(text("rule"));
            self.messages.extend(text("messageExpression"));
        }
    }
}

impl AllowedFunctions {
    /// The functions for stored rules: all functions.
    pub(crate) const ALL: Self = Self::for_version(KubeVersion::LATEST);

    /// Returns the functions for new rules of a server of this version.
    pub(crate) const fn for_version(version: KubeVersion) -> Self {
        Self {
            version,
            stored: None,
        }
    }

    /// Returns the functions for the rules of an update: stored rules may call all functions, and
    /// new rules the functions of the version.
    pub(crate) fn for_update(version: KubeVersion, stored: StoredExpressions) -> Self {
        Self {
            version,
            stored: Some(Arc::new(stored)),
        }
    }

    /// Returns the version whose functions a rule may call.
    pub(crate) fn version_for_rule(&self, rule: &str) -> KubeVersion {
        let is_stored = |stored: &Arc<StoredExpressions>| stored.rules.contains(rule);
        self.version_for_expression(self.stored.as_ref().is_some_and(is_stored))
    }

    /// Returns the version whose functions a message expression may call.
    pub(crate) fn version_for_message(&self, expression: &str) -> KubeVersion {
        let is_stored = |stored: &Arc<StoredExpressions>| stored.messages.contains(expression);
        self.version_for_expression(self.stored.as_ref().is_some_and(is_stored))
    }

    const fn version_for_expression(&self, is_stored: bool) -> KubeVersion {
        if is_stored {
            KubeVersion::LATEST
        } else {
            self.version
        }
    }
}

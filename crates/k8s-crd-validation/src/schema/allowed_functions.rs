//! The CEL functions that the rules of a schema may call.

use std::collections::HashSet;
use std::sync::Arc;

use k8s_cel::{Feature, FeatureKind, KubeVersion};
use serde_json::Value;

/// The CEL functions that rules may call. Stored rules may call the functions of the API server's
/// version. New rules may call the functions of [`KubeVersion::of_new_rules`].
#[derive(Clone, Debug)]
pub(crate) struct AllowedFunctions {
    /// The version of the API server.
    version: KubeVersion,
    stored: StoredRules,
}

/// The rules that count as stored.
#[derive(Clone, Debug)]
enum StoredRules {
    None,
    Some(Arc<StoredExpressions>),
    All,
}

/// The CEL expressions of a stored CRD.
#[derive(Debug, Default)]
pub(crate) struct StoredExpressions {
    rules: HashSet<String>,
    messages: HashSet<String>,
}

impl StoredExpressions {
    /// Adds the expressions in the `x-kubernetes-validations` of a schema.
    pub(crate) fn add(&mut self, rules: &[Value]) {
        for rule in rules {
            let string = |key| rule.get(key).and_then(Value::as_str).map(str::to_owned);
            self.rules.extend(string("rule"));
            self.messages.extend(string("messageExpression"));
        }
    }
}

impl AllowedFunctions {
    /// Returns the functions for a schema whose rules are all stored.
    pub(crate) const fn for_stored(version: KubeVersion) -> Self {
        Self {
            version,
            stored: StoredRules::All,
        }
    }

    /// Returns the functions for a schema whose rules are all new.
    pub(crate) const fn for_create(version: KubeVersion) -> Self {
        Self {
            version,
            stored: StoredRules::None,
        }
    }

    /// Returns the functions for the schema of an update. Rules in `stored` count as stored.
    pub(crate) fn for_update(version: KubeVersion, stored: StoredExpressions) -> Self {
        Self {
            version,
            stored: StoredRules::Some(Arc::new(stored)),
        }
    }

    /// Returns the version of the API server.
    pub(crate) const fn server(&self) -> KubeVersion {
        self.version
    }

    /// Returns true if a server of this version allows the same functions in new and in stored
    /// rules.
    pub(crate) fn are_equal(version: KubeVersion) -> bool {
        let new = version.of_new_rules();
        let mut libraries = Feature::ALL.iter();
        libraries.all(|library| {
            library.kind() != FeatureKind::Library || new.has(*library) == version.has(*library)
        })
    }

    /// Returns the Kubernetes version whose functions a rule may call.
    pub(crate) fn version_for_rule(&self, rule: &str) -> KubeVersion {
        self.version_for_expression(|stored| stored.rules.contains(rule))
    }

    /// Returns the Kubernetes version whose functions a message expression may call.
    pub(crate) fn version_for_message(&self, expression: &str) -> KubeVersion {
        self.version_for_expression(|stored| stored.messages.contains(expression))
    }

    fn version_for_expression(
        &self,
        contains: impl FnOnce(&StoredExpressions) -> bool,
    ) -> KubeVersion {
        let is_stored = match &self.stored {
            StoredRules::None => false,
            StoredRules::Some(stored) => contains(stored),
            StoredRules::All => true,
        };
        if is_stored {
            self.version
        } else {
            self.version.of_new_rules()
        }
    }
}

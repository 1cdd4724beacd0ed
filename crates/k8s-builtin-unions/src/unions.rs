//! The compiled unions of a built-in kind.

use serde_json::Value;
use union_json::Unions;
use union_runtime::{Changes, Report, Settings};

use crate::prepare::Preparation;

/// The unions of a built-in kind, which are compiled once and then used for any number of objects.
///
/// ```
/// use k8s_builtin_unions::find_kind;
/// use serde_json::json;
///
/// let unions = find_kind("v1", "Pod").expect("a built-in kind").compiler().compile()?;
/// let report = unions.validate(&json!({"spec": {"containers": [{
///     "name": "app",
///     "env": [
///         {"name": "A", "value": "", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
///         {"name": "B", "value": "x", "valueFrom": {"secretKeyRef": {"name": "s", "key": "t"}}},
///     ],
/// }]}}));
/// assert_eq!(report.errors().len(), 1);
/// assert_eq!(report.errors()[0].path(), "spec.containers[0].env[1]");
/// # Ok::<(), union_json::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct KindUnions {
    /// The unions, so that a field is in at most one union of a layer.
    pub(crate) layers: Vec<Unions>,
    pub(crate) preparation: Preparation,
}

impl KindUnions {
    /// Returns the layers of unions. Several layers exist if a field is in several unions, such as
    /// `ipBlock` of `NetworkPolicyPeer`. The layers do not know the values that count as unset.
    #[must_use]
    pub fn layers(&self) -> &[Unions] {
        &self.layers
    }

    /// Validates an object, as API servers do on a create and on an update. The report has only
    /// errors about unions.
    #[must_use = "the report shows if the object is rejected"]
    pub fn validate(&self, object: &Value) -> Report {
        let object = self.preparation.prepare(object);
        let mut report = Report::default();
        for layer in &self.layers {
            report.extend(layer.validate(&object));
        }
        report
    }

    /// Validates an update from `old` to `new`, and tolerates errors that `old` has too, as
    /// [`Unions::validate_update`] does. API servers do not tolerate these errors in built-in
    /// types.
    #[must_use = "the report shows if the object is rejected"]
    pub fn validate_update(&self, new: &Value, old: &Value, settings: &Settings) -> Report {
        let (new, old) = (self.preparation.prepare(new), self.preparation.prepare(old));
        let mut report = Report::default();
        for layer in &self.layers {
            report.extend(layer.validate_update(&new, &old, settings));
        }
        report
    }

    /// Clears the members that the discriminator no longer selects, or that another member
    /// replaces, as [`Unions::normalize`] does, and removes empty values that count as unset
    /// ([`BuiltinMember::is_unset_if_empty`](crate::BuiltinMember::is_unset_if_empty)). The result
    /// has all of these changes. API servers do not normalize built-in types, so use this method
    /// before the object is sent.
    ///
    /// ```
    /// use k8s_builtin_unions::find_kind;
    /// use serde_json::json;
    /// use union_runtime::Settings;
    ///
    /// let kind = find_kind("apps/v1", "Deployment").expect("a built-in kind");
    /// let unions = kind.compiler().compile()?;
    /// let stored = json!({"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {}}}});
    /// let mut new = json!({"spec": {"strategy": {"type": "Recreate", "rollingUpdate": {}}}});
    /// let changes = unions.normalize(&mut new, Some(&stored), &Settings::default());
    /// assert_eq!(changes.to_string(), "spec.strategy.rollingUpdate: cleared");
    /// # Ok::<(), union_json::SchemaError>(())
    /// ```
    pub fn normalize(&self, new: &mut Value, old: Option<&Value>, settings: &Settings) -> Changes {
        self.normalized(new, old, *settings).changes().clone()
    }

    /// Normalizes and validates `new`, as [`Unions::admit`] does. `old` is `None` if the request
    /// creates the object.
    #[must_use = "the report shows if the object is rejected"]
    pub fn admit(&self, new: &mut Value, old: Option<&Value>, settings: &Settings) -> Report {
        let mut report = self.normalized(new, old, *settings);
        report.extend(match old {
            Some(old) => self.validate_update(new, old, settings),
            None if settings.unions => self.validate(new),
            None => Report::default(),
        });
        report
    }

    /// Returns a report with the changes of a normalization.
    fn normalized(&self, new: &mut Value, old: Option<&Value>, settings: Settings) -> Report {
        let mut report = Report::default();
        if !settings.unions {
            return report;
        }
        report = report.with_changes(self.preparation.remove_unset(new));
        let old = old.map(|old| self.preparation.prepare(old));
        for layer in &self.layers {
            let changes = layer.normalize(new, old.as_deref(), &settings);
            report = report.with_changes(changes);
        }
        report
    }
}

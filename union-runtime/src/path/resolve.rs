//! Parses printed paths against the object that they refer to.

use serde_json::Value;

use super::{FieldPath, PathStep};
use k8s_json_internals::printed_path::{PartialMatch, full_matches, match_prefixes, steps_to};

impl FieldPath {
    /// Parses a printed path, such as `spec.ports[0].labels[a.b/c]`. Returns `None` if no value of
    /// the object has this path, or if two values have it.
    ///
    /// The printed path alone does not show where a name ends, because names may contain dots and
    /// brackets. The names in the object decide.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_runtime::path::FieldPath;
    ///
    /// let object = json!({"labels": {"a.b": "x"}, "ports": [{"p": 1}]});
    /// let label = FieldPath::root().field("labels").key("a.b");
    /// assert_eq!(FieldPath::resolve("labels[a.b]", &object), Some(label.clone()));
    /// assert_eq!(FieldPath::resolve("labels.a.b", &object), Some(label));
    /// assert_eq!(FieldPath::resolve("ports[1].p", &object), None);
    /// // Both `{"a": {"b": ..}}` and `{"a.b": ..}` print as `a.b`.
    /// assert_eq!(FieldPath::resolve("a.b", &json!({"a": {"b": 1}, "a.b": 2})), None);
    /// ```
    #[must_use]
    pub fn resolve(printed: &str, object: &Value) -> Option<Self> {
        let matches = match_prefixes(printed, object, &str::to_owned);
        match full_matches(&matches) {
            (Some(index), None) => Some(steps_to(&matches, index).into_iter().collect()),
            _ => None,
        }
    }

    /// Parses a printed path like [`resolve`](Self::resolve), and also accepts the path of a
    /// missing field, such as the path of an error about a required field. If no value has the
    /// path, the longest prefix that is the path of an object decides: the part after the prefix is
    /// the name of a missing field of this object. Returns `None` if two paths fit.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_runtime::path::FieldPath;
    ///
    /// let object = json!({"spec": {"a.b": {}}});
    /// let path = FieldPath::resolve_or_absent("spec.a.b.name", &object);
    /// assert_eq!(path, Some(FieldPath::from(["spec", "a.b", "name"])));
    /// ```
    #[must_use]
    pub fn resolve_or_absent(printed: &str, object: &Value) -> Option<Self> {
        Self::resolve_with(printed, object, str::to_owned)
    }

    /// Parses a printed path like [`resolve_or_absent`](Self::resolve_or_absent), if the path may
    /// spell names differently. `spell` converts a JSON name to the other spelling, and the path
    /// may contain both. Reports of Rust validators contain the names of Rust fields, which may
    /// differ from the JSON names.
    ///
    /// ```
    /// use heck::ToSnakeCase;
    /// use serde_json::json;
    /// use union_runtime::path::FieldPath;
    ///
    /// let object = json!({"rollingUpdate": {"maxSurge": 3}});
    /// let path = FieldPath::resolve_with("rolling_update.max_surge", &object, str::to_snake_case);
    /// assert_eq!(path, Some(FieldPath::from(["rollingUpdate", "maxSurge"])));
    /// ```
    #[must_use]
    pub fn resolve_with(
        printed: &str,
        object: &Value,
        spell: impl Fn(&str) -> String,
    ) -> Option<Self> {
        let matches = match_prefixes(printed, object, &spell);
        match full_matches(&matches) {
            (Some(index), None) => return Some(steps_to(&matches, index).into_iter().collect()),
            (Some(_), Some(_)) => return None,
            (None, _) => {}
        }
        let objects = || {
            let candidates = matches.iter().enumerate();
            candidates.filter(|(_, candidate)| candidate.value.is_object())
        };
        let (index, deepest) = objects().min_by_key(|(_, object)| object.suffix.len())?;
        let suffix = deepest.suffix;
        let is_deepest = |object: &PartialMatch<'_, '_>| object.suffix.len() == suffix.len();
        if objects().filter(|(_, object)| is_deepest(object)).count() > 1 {
            return None;
        }
        let missing_step = if deepest.parent_and_step.is_none() {
            PathStep::Field(suffix)
        } else if let Some(name) = suffix.strip_prefix('.') {
            PathStep::Field(name)
        } else {
            let key = suffix.strip_prefix('[').unwrap_or(suffix);
            PathStep::Key(key.strip_suffix(']').unwrap_or(key))
        };
        let mut steps = steps_to(&matches, index);
        steps.push(missing_step);
        let path = Self::from_iter(steps);
        Some(path.with_printed_form(printed))
    }
}

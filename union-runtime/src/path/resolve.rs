//! Parses printed paths against the object that they refer to.

use serde_json::Value;

use super::{FieldPath, PathStep};

/// A value of the object, whose path is a prefix of the printed path.
struct PartialMatch<'v, 't> {
    value: &'v Value,
    /// The part of the printed path after the prefix.
    suffix: &'t str,
    /// The index of the parent among the matches, and the step from the parent to this value, or
    /// `None` for the object itself.
    parent_and_step: Option<(usize, PathStep<'v>)>,
}

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
            (Some(index), None) => Some(path_to(&matches, index)),
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

    /// Parses a printed path like [`resolve_or_absent`](Self::resolve_or_absent), and also accepts
    /// each name in the spelling that `spell` returns. Reports of Rust validators contain the names
    /// of Rust fields, which may differ from the JSON names.
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
            (Some(index), None) => return Some(path_to(&matches, index)),
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
        let path = path_to(&matches, index).step(missing_step);
        Some(path.with_printed_form(printed))
    }
}

/// Returns all values whose paths are prefixes of the printed path, beginning with the object
/// itself. The printed path may contain each name in its own spelling or in the spelling that
/// `spell` returns.
fn match_prefixes<'v, 't>(
    printed: &'t str,
    object: &'v Value,
    spell: &impl Fn(&str) -> String,
) -> Vec<PartialMatch<'v, 't>> {
    let mut matches = vec![PartialMatch {
        value: object,
        suffix: printed,
        parent_and_step: None,
    }];
    let mut parent = 0;
    while let Some(&PartialMatch { value, suffix, .. }) = matches.get(parent) {
        let mut add_match = |value, step, suffix: &'t str| {
            if suffix.is_empty() || suffix.starts_with(['.', '[']) {
                matches.push(PartialMatch {
                    value,
                    suffix,
                    parent_and_step: Some((parent, step)),
                });
            }
        };
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    let mut try_spelling = |spelling: &str| {
                        // The first name of a path has no dot before it.
                        let first_name = (parent == 0 && !spelling.is_empty()).then_some(suffix);
                        let names = [first_name, suffix.strip_prefix('.')].into_iter().flatten();
                        for suffix in names.filter_map(|names| names.strip_prefix(spelling)) {
                            add_match(value, PathStep::Field(name), suffix);
                        }
                        if let Some(suffix) = strip_key(suffix, spelling) {
                            add_match(value, PathStep::Key(name), suffix);
                        }
                    };
                    let other_spelling = spell(name);
                    try_spelling(name);
                    if other_spelling != *name {
                        try_spelling(&other_spelling);
                    }
                }
            }
            Value::Array(elements) => {
                if let Some((index, suffix)) = split_index(suffix)
                    && let Some(value) = elements.get(index)
                {
                    add_match(value, PathStep::Index(index), suffix);
                }
            }
            _ => {}
        }
        parent += 1;
    }
    matches
}

/// Returns the suffix after the key with this name: `.a` for `[name].a`.
fn strip_key<'t>(printed: &'t str, name: &str) -> Option<&'t str> {
    let key = printed.strip_prefix('[')?;
    key.strip_prefix(name)?.strip_prefix(']')
}

/// Splits `[3].a` into the index 3 and the suffix `.a`. Returns `None` for an index with a leading
/// zero or a sign, which API servers do not print.
fn split_index(printed: &str) -> Option<(usize, &str)> {
    let (digits, suffix) = printed.strip_prefix('[')?.split_once(']')?;
    let is_canonical = digits == "0" || !digits.starts_with(['0', '+']);
    let index = digits.parse().ok()?;
    is_canonical.then_some((index, suffix))
}

/// Returns the indexes of the first two matches of the whole printed path.
fn full_matches(matches: &[PartialMatch<'_, '_>]) -> (Option<usize>, Option<usize>) {
    let candidates = matches.iter().enumerate();
    let mut full_matches = candidates.filter(|(_, candidate)| candidate.suffix.is_empty());
    let mut next_index = || full_matches.next().map(|(index, _)| index);
    (next_index(), next_index())
}

/// Returns the path of the match at an index.
fn path_to(matches: &[PartialMatch<'_, '_>], index: usize) -> FieldPath {
    let (mut steps, mut index) = (Vec::new(), index);
    while let Some(&PartialMatch {
        parent_and_step: Some((parent, step)),
        ..
    }) = matches.get(index)
    {
        steps.push(step);
        index = parent;
    }
    steps.into_iter().rev().collect()
}

//! Parses printed paths against the object that they refer to.

use serde_json::Value;

use super::{FieldPath, PathStep};

/// A value of the object, whose path is a prefix of the printed path.
struct PartialMatch<'v, 't> {
    value: &'v Value,
    /// The rest of the printed path, after the prefix.
    rest: &'t str,
    /// The index of the parent among the matches, and the step from the parent to this value, or
    /// `None` for the object itself.
    from: Option<(usize, PathStep<'v>)>,
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
    /// missing field, as an error about a required field has it. If no value has the path, the
    /// deepest object that a prefix of the path reaches is searched, and the rest of the path is
    /// the name of a field in this object. Returns `None` if two paths fit.
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
            let all = matches.iter().enumerate();
            all.filter(|(_, found)| found.value.is_object())
        };
        let (i, deepest) = objects().min_by_key(|(_, found)| found.rest.len())?;
        let is_deepest = |found: &PartialMatch<'_, '_>| found.rest.len() == deepest.rest.len();
        if objects().filter(|(_, found)| is_deepest(found)).count() > 1 {
            return None;
        }
        let rest = deepest.rest;
        let step = if deepest.from.is_none() {
            PathStep::Field(rest)
        } else if let Some(name) = rest.strip_prefix('.') {
            PathStep::Field(name)
        } else {
            let inner = rest.strip_prefix('[').unwrap_or(rest);
            PathStep::Key(inner.strip_suffix(']').unwrap_or(inner))
        };
        Some(path_to(&matches, i).step(step).with_printed_form(printed))
    }
}

/// Returns all values whose paths are prefixes of the printed path, beginning with the object
/// itself. Each name is tried as it is and as `spell` returns it.
fn match_prefixes<'v, 't>(
    printed: &'t str,
    object: &'v Value,
    spell: &impl Fn(&str) -> String,
) -> Vec<PartialMatch<'v, 't>> {
    let mut matches = vec![PartialMatch {
        value: object,
        rest: printed,
        from: None,
    }];
    let mut next = 0;
    while let Some(&PartialMatch { value, rest, from }) = matches.get(next) {
        let mut add = |value, step, rest: &'t str| {
            if rest.is_empty() || rest.starts_with(['.', '[']) {
                matches.push(PartialMatch {
                    value,
                    rest,
                    from: Some((next, step)),
                });
            }
        };
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    let mut try_spelling = |spelling: &str| {
                        let at_start = (from.is_none() && !spelling.is_empty()).then_some(rest);
                        let fields = [at_start, rest.strip_prefix('.')].into_iter().flatten();
                        for rest in fields.filter_map(|rest| rest.strip_prefix(spelling)) {
                            add(value, PathStep::Field(name), rest);
                        }
                        let key = rest.strip_prefix('[');
                        let key = key.and_then(|rest| rest.strip_prefix(spelling));
                        if let Some(rest) = key.and_then(|rest| rest.strip_prefix(']')) {
                            add(value, PathStep::Key(name), rest);
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
                if let Some((index, rest)) = split_index(rest)
                    && let Some(value) = elements.get(index)
                {
                    add(value, PathStep::Index(index), rest);
                }
            }
            _ => {}
        }
        next += 1;
    }
    matches
}

/// Splits `[3].a` into 3 and `.a`. Returns `None` for positions with leading zeros or signs, which
/// API servers do not print.
fn split_index(printed: &str) -> Option<(usize, &str)> {
    let (digits, rest) = printed.strip_prefix('[')?.split_once(']')?;
    let is_canonical = digits == "0" || !digits.starts_with(['0', '+']);
    let index = digits.parse().ok()?;
    is_canonical.then_some((index, rest))
}

/// Returns the indexes of the first two matches of the whole printed path.
fn full_matches(matches: &[PartialMatch<'_, '_>]) -> (Option<usize>, Option<usize>) {
    let all = matches.iter().enumerate();
    let mut full = all.filter(|(_, found)| found.rest.is_empty());
    let mut next = || full.next().map(|(index, _)| index);
    (next(), next())
}

/// Returns the path of the match at an index.
fn path_to(matches: &[PartialMatch<'_, '_>], index: usize) -> FieldPath {
    let (mut steps, mut index) = (Vec::new(), index);
    while let Some(&PartialMatch {
        from: Some((parent, step)),
        ..
    }) = matches.get(index)
    {
        steps.push(step);
        index = parent;
    }
    steps.into_iter().rev().collect()
}

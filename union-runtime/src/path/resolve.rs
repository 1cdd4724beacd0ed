//! Parses printed paths against the object that they refer to.

use serde_json::Value;

use super::{FieldPath, PathStep};

/// A value of the object, reached by a prefix of the printed path.
struct PartialMatch<'v, 't> {
    value: &'v Value,
    /// The rest of the printed path, after the prefix.
    rest: &'t str,
    /// The position of the parent among the reached values, and the step from the parent to this
    /// value; `None` for the object itself.
    from: Option<(usize, PathStep<'v>)>,
}

impl FieldPath {
    /// Parses a printed path, such as `spec.ports[0].labels[a.b/c]`. Returns `None` if no value of
    /// the object has this path, or if two values have it.
    ///
    /// The object is needed, because names may contain dots and brackets: the printed path alone
    /// does not show where a name ends.
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
    pub fn resolve(text: &str, object: &Value) -> Option<Self> {
        let reached = match_prefixes(text, object, &str::to_owned);
        match full_matches(&reached) {
            (Some(place), None) => Some(path_to(&reached, place)),
            _ => None,
        }
    }

    /// Parses a printed path as [`resolve`](Self::resolve) does, and also accepts the path of a
    /// missing field, which is the path in an error about a required field. If no value has the
    /// path, the rest of the path is the name of a field in the deepest object that the path
    /// reaches. Returns `None` if two paths fit.
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
    pub fn resolve_or_absent(text: &str, object: &Value) -> Option<Self> {
        Self::resolve_with(text, object, str::to_owned)
    }

    /// Parses a printed path as [`resolve_or_absent`](Self::resolve_or_absent) does, and accepts
    /// each name also in the spelling that `spell` returns. Reports of Rust validators contain the
    /// names of Rust fields, which differ from the JSON names.
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
        text: &str,
        object: &Value,
        spell: impl Fn(&str) -> String,
    ) -> Option<Self> {
        let reached = match_prefixes(text, object, &spell);
        match full_matches(&reached) {
            (Some(place), None) => return Some(path_to(&reached, place)),
            (Some(_), Some(_)) => return None,
            (None, _) => {}
        }
        let owners = || {
            let all = reached.iter().enumerate();
            all.filter(|(_, reached)| reached.value.is_object())
        };
        let (owner, nearest) = owners().min_by_key(|(_, reached)| reached.rest.len())?;
        let is_nearest = |reached: &PartialMatch<'_, '_>| reached.rest.len() == nearest.rest.len();
        if owners().filter(|(_, reached)| is_nearest(reached)).count() > 1 {
            return None;
        }
        let rest = nearest.rest;
        let step = if nearest.from.is_none() {
            PathStep::Field(rest)
        } else if let Some(name) = rest.strip_prefix('.') {
            PathStep::Field(name)
        } else {
            let inner = rest.strip_prefix('[').unwrap_or(rest);
            PathStep::Key(inner.strip_suffix(']').unwrap_or(inner))
        };
        Some(path_to(&reached, owner).step(step).with_printed_form(text))
    }
}

/// Returns all values that prefixes of the printed path lead to, with the object itself first. Each
/// name is tried as it is and as `spell` returns it.
fn match_prefixes<'v, 't>(
    text: &'t str,
    object: &'v Value,
    spell: &impl Fn(&str) -> String,
) -> Vec<PartialMatch<'v, 't>> {
    let mut reached = vec![PartialMatch {
        value: object,
        rest: text,
        from: None,
    }];
    let mut next = 0;
    while let Some(&PartialMatch { value, rest, from }) = reached.get(next) {
        let mut add = |value, step, rest: &'t str| {
            if rest.is_empty() || rest.starts_with(['.', '[']) {
                reached.push(PartialMatch {
                    value,
                    rest,
                    from: Some((next, step)),
                });
            }
        };
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    let mut read = |written: &str| {
                        let at_start = (from.is_none() && !written.is_empty()).then_some(rest);
                        let fields = [at_start, rest.strip_prefix('.')].into_iter().flatten();
                        for rest in fields.filter_map(|rest| rest.strip_prefix(written)) {
                            add(value, PathStep::Field(name), rest);
                        }
                        let key = rest.strip_prefix('[');
                        let key = key.and_then(|rest| rest.strip_prefix(written));
                        if let Some(rest) = key.and_then(|rest| rest.strip_prefix(']')) {
                            add(value, PathStep::Key(name), rest);
                        }
                    };
                    let spelled = spell(name);
                    read(name);
                    if spelled != *name {
                        read(&spelled);
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
    reached
}

/// Splits `[3].a` into 3 and `.a`. Returns `None` for positions with leading zeros or signs,
/// because API servers do not print such positions.
fn split_index(text: &str) -> Option<(usize, &str)> {
    let (digits, rest) = text.strip_prefix('[')?.split_once(']')?;
    let is_printed_so = digits == "0" || !digits.starts_with(['0', '+']);
    let index = digits.parse().ok()?;
    is_printed_so.then_some((index, rest))
}

/// Returns the positions of the first two values that have the whole printed path.
fn full_matches(reached: &[PartialMatch<'_, '_>]) -> (Option<usize>, Option<usize>) {
    let all = reached.iter().enumerate();
    let mut places = all.filter(|(_, reached)| reached.rest.is_empty());
    let mut next = || places.next().map(|(place, _)| place);
    (next(), next())
}

fn path_to(reached: &[PartialMatch<'_, '_>], place: usize) -> FieldPath {
    let mut steps = Vec::new();
    let mut at = place;
    while let Some(&PartialMatch {
        from: Some((parent, step)),
        ..
    }) = reached.get(at)
    {
        steps.push(step);
        at = parent;
    }
    steps.into_iter().rev().collect()
}

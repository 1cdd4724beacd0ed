//! Compares an object as it was sent with the object as it is stored, line by line, with the reason
//! of each change.

use k8s_json_internals::print::GoJson;
use serde::Serialize;
use serde_json::{Map, Value};

/// The stages of an object in a request.
pub(super) struct RequestStages<'v> {
    /// The object as kubectl sends it.
    pub(super) sent: &'v Value,
    /// The object after pruning and defaulting.
    pub(super) served: &'v Value,
    /// The object after normalization, if it was requested.
    pub(super) last: &'v Value,
    /// True for an update of the status, if the status is a subresource; `None` if it is not.
    pub(super) of_status: Option<bool>,
}

/// A line of the object in YAML, and its change.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct DiffLine {
    depth: usize,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<LineChange>,
}

/// A change of a line, and its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct LineChange {
    sign: Sign,
    why: ChangeReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Sign {
    Removed,
    Added,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum ChangeReason {
    /// The schema does not describe the field.
    Pruned,
    /// The server removes a null value.
    Null,
    /// The server sets a default.
    Defaulted,
    /// The server writes the value in another form.
    Rewritten,
    /// The request cannot change this part, which keeps its stored value.
    Kept,
    /// Normalization changes the value.
    Normalized,
}

pub(super) fn diff_lines(stages: &RequestStages<'_>) -> Vec<DiffLine> {
    let mut builder = DiffBuilder {
        lines: Vec::new(),
        of_status: stages.of_status,
        is_kept: false,
    };
    let values = StageValues {
        sent: Some(stages.sent),
        served: Some(stages.served),
        last: Some(stages.last),
    };
    builder.add_children(&values, 0);
    builder.lines
}

/// A value at the three stages; `None` if it is missing.
#[derive(Clone, Copy)]
struct StageValues<'v> {
    sent: Option<&'v Value>,
    served: Option<&'v Value>,
    last: Option<&'v Value>,
}

impl<'v> StageValues<'v> {
    fn map(self, child: impl Fn(&'v Value) -> Option<&'v Value>) -> Self {
        Self {
            sent: self.sent.and_then(&child),
            served: self.served.and_then(&child),
            last: self.last.and_then(&child),
        }
    }

    fn is_unchanged(&self) -> bool {
        self.sent == self.served && self.served == self.last
    }

    fn each(&self) -> impl Iterator<Item = &'v Value> + use<'v> {
        [self.sent, self.served, self.last].into_iter().flatten()
    }

    fn all(&self, predicate: impl Fn(&Value) -> bool) -> bool {
        self.each().all(predicate)
    }
}

/// The depth of a line, and the key or dash in front of its value.
struct LinePrefix {
    depth: usize,
    label: String,
}

struct DiffBuilder {
    lines: Vec<DiffLine>,
    of_status: Option<bool>,
    /// True if the request cannot change the current part of the object.
    is_kept: bool,
}

impl DiffBuilder {
    /// Adds the lines for the fields or the elements of a value.
    fn add_children(&mut self, values: &StageValues<'_>, depth: usize) {
        if values.all(Value::is_object) {
            let keys = values
                .each()
                .filter_map(Value::as_object)
                .flat_map(Map::keys);
            let mut keys: Vec<&String> = keys.collect();
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                if depth == 0 {
                    let is_status = key == "status";
                    self.is_kept = self
                        .of_status
                        .is_some_and(|is_status_update| is_status_update != is_status);
                }
                let label = format!("{}:", scalar(&Value::String(key.clone())));
                self.add_value(
                    &values.map(|value| value.get(key)),
                    &LinePrefix { depth, label },
                );
            }
        } else {
            let lengths = values
                .each()
                .map(|value| value.as_array().map_or(0, Vec::len));
            for index in 0..lengths.max().unwrap_or_default() {
                let label = "-".to_owned();
                self.add_value(
                    &values.map(|value| value.get(index)),
                    &LinePrefix { depth, label },
                );
            }
        }
    }

    /// Adds the lines for a value: once if all stages are equal or have children to compare, or
    /// else once for each stage that changes the value.
    fn add_value(&mut self, values: &StageValues<'_>, prefix: &LinePrefix) {
        let has_all = values.each().count() == 3;
        let is_open = |value: &Value| !is_leaf(value);
        let is_compared = has_all
            && (values.all(|value| value.is_object() && is_open(value))
                || values.all(|value| value.is_array() && is_open(value)));
        if is_compared {
            self.add_line(prefix, None);
            self.add_children(values, prefix.depth + 1);
            return;
        }
        if values.is_unchanged() {
            return self.add_whole_value(values.last, prefix, None);
        }
        let removed = |reason| {
            Some(LineChange {
                sign: Sign::Removed,
                why: reason,
            })
        };
        let added = |reason| {
            Some(LineChange {
                sign: Sign::Added,
                why: reason,
            })
        };
        let reasons = self.reasons(values);
        if values.sent != values.served {
            self.add_whole_value(values.sent, prefix, removed(reasons.0));
        } else if values.served != values.last {
            self.add_whole_value(values.served, prefix, removed(ChangeReason::Normalized));
        }
        let reason = if values.served == values.last {
            reasons.1
        } else {
            ChangeReason::Normalized
        };
        self.add_whole_value(values.last, prefix, added(reason));
    }

    /// Returns the reason for which the server removes the sent value, and the reason for which it
    /// adds the served value.
    fn reasons(&self, values: &StageValues<'_>) -> (ChangeReason, ChangeReason) {
        match (values.sent, values.served) {
            _ if self.is_kept => (ChangeReason::Kept, ChangeReason::Kept),
            (Some(Value::Null), _) => (ChangeReason::Null, ChangeReason::Defaulted),
            (None, _) => (ChangeReason::Defaulted, ChangeReason::Defaulted),
            (_, None) => (ChangeReason::Pruned, ChangeReason::Pruned),
            _ => (ChangeReason::Rewritten, ChangeReason::Rewritten),
        }
    }

    /// Adds the lines for a value with all of its fields or elements.
    fn add_whole_value(
        &mut self,
        value: Option<&Value>,
        prefix: &LinePrefix,
        change: Option<LineChange>,
    ) {
        let Some(value) = value else {
            return;
        };
        let depth = prefix.depth + 1;
        match value {
            value if is_leaf(value) => {
                let label = format!("{} {}", prefix.label, scalar(value));
                self.add_line(
                    &LinePrefix {
                        label,
                        depth: prefix.depth,
                    },
                    change,
                );
            }
            Value::Object(fields) => {
                self.add_line(prefix, change);
                for (key, value) in fields {
                    let label = format!("{}:", scalar(&Value::String(key.clone())));
                    self.add_whole_value(Some(value), &LinePrefix { depth, label }, change);
                }
            }
            Value::Array(items) => {
                self.add_line(prefix, change);
                for item in items {
                    let label = "-".to_owned();
                    self.add_whole_value(Some(item), &LinePrefix { depth, label }, change);
                }
            }
            _ => {}
        }
    }

    /// Adds a line. The first field of an element joins the line of the dash if both lines have the
    /// same change.
    fn add_line(&mut self, prefix: &LinePrefix, change: Option<LineChange>) {
        if let Some(item) = self.lines.last_mut()
            && (item.text == "-" && item.depth + 1 == prefix.depth && item.change == change)
        {
            item.text = format!("- {}", prefix.label);
            return;
        }
        self.lines.push(DiffLine {
            depth: prefix.depth,
            text: prefix.label.clone(),
            change,
        });
    }
}

/// Returns true if a value fits on one line.
fn is_leaf(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    }
}

/// Returns a value that fits on one line, as YAML.
fn scalar(value: &Value) -> String {
    let Value::String(text) = value else {
        return GoJson(value).to_string();
    };
    let plain = serde_saphyr::to_string(text).unwrap_or_default();
    let plain = plain.trim_end();
    if plain.is_empty() || plain.contains('\n') {
        value.to_string()
    } else {
        plain.to_owned()
    }
}

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
    pub(super) defaulted: &'v Value,
    /// The object as the server stores it: after normalization, if it was requested.
    pub(super) stored: &'v Value,
    /// True for an update of the status; `None` if the status is not a subresource.
    pub(super) is_status_update: Option<bool>,
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
    #[serde(rename = "why")]
    reason: ChangeReason,
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
        is_status_update: stages.is_status_update,
        is_kept: false,
    };
    let values = StageValues {
        sent: Some(stages.sent),
        defaulted: Some(stages.defaulted),
        stored: Some(stages.stored),
    };
    builder.add_children(&values, 0);
    builder.lines
}

/// A value at the three stages; `None` if it is missing.
#[derive(Clone, Copy)]
struct StageValues<'v> {
    sent: Option<&'v Value>,
    defaulted: Option<&'v Value>,
    stored: Option<&'v Value>,
}

impl<'v> StageValues<'v> {
    fn map_values(self, child: impl Fn(&'v Value) -> Option<&'v Value>) -> Self {
        Self {
            sent: self.sent.and_then(&child),
            defaulted: self.defaulted.and_then(&child),
            stored: self.stored.and_then(&child),
        }
    }

    fn is_unchanged(&self) -> bool {
        self.sent == self.defaulted && self.defaulted == self.stored
    }

    fn present_values(&self) -> impl Iterator<Item = &'v Value> + use<'v> {
        [self.sent, self.defaulted, self.stored]
            .into_iter()
            .flatten()
    }

    fn all(&self, predicate: impl Fn(&Value) -> bool) -> bool {
        self.present_values().all(predicate)
    }
}

/// The depth of a line, and the key or the dash before its value.
struct LinePrefix {
    depth: usize,
    label: String,
}

struct DiffBuilder {
    lines: Vec<DiffLine>,
    is_status_update: Option<bool>,
    /// True if the request cannot change the current part of the object.
    is_kept: bool,
}

impl DiffBuilder {
    /// Adds the lines for the fields or the elements of a value.
    fn add_children(&mut self, values: &StageValues<'_>, depth: usize) {
        if values.all(Value::is_object) {
            let keys = values
                .present_values()
                .filter_map(Value::as_object)
                .flat_map(Map::keys);
            let mut keys: Vec<&String> = keys.collect();
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                if depth == 0 {
                    let is_status_field = key == "status";
                    self.is_kept = self
                        .is_status_update
                        .is_some_and(|is_status_update| is_status_update != is_status_field);
                }
                let label = format!("{}:", inline_yaml(&Value::String(key.clone())));
                self.add_value(
                    &values.map_values(|value| value.get(key)),
                    &LinePrefix { depth, label },
                );
            }
        } else {
            let lengths = values
                .present_values()
                .map(|value| value.as_array().map_or(0, Vec::len));
            for index in 0..lengths.max().unwrap_or_default() {
                let label = "-".to_owned();
                self.add_value(
                    &values.map_values(|value| value.get(index)),
                    &LinePrefix { depth, label },
                );
            }
        }
    }

    /// Adds the lines for a value. If the stages are equal, or all have children to compare, the
    /// value is added once. Otherwise, the old value is removed and the new value is added.
    fn add_value(&mut self, values: &StageValues<'_>, prefix: &LinePrefix) {
        let is_present_at_all_stages = values.present_values().count() == 3;
        let has_children = |value: &Value| !is_leaf(value);
        let compares_children = is_present_at_all_stages
            && (values.all(|value| value.is_object() && has_children(value))
                || values.all(|value| value.is_array() && has_children(value)));
        if compares_children {
            self.add_line(prefix, None);
            self.add_children(values, prefix.depth + 1);
            return;
        }
        if values.is_unchanged() {
            return self.add_whole_value(values.stored, prefix, None);
        }
        let removed_for = |reason| {
            Some(LineChange {
                sign: Sign::Removed,
                reason,
            })
        };
        let added_for = |reason| {
            Some(LineChange {
                sign: Sign::Added,
                reason,
            })
        };
        let (removal_reason, addition_reason) = self.server_reasons(values);
        if values.sent != values.defaulted {
            self.add_whole_value(values.sent, prefix, removed_for(removal_reason));
        } else if values.defaulted != values.stored {
            self.add_whole_value(
                values.defaulted,
                prefix,
                removed_for(ChangeReason::Normalized),
            );
        }
        let reason = if values.defaulted == values.stored {
            addition_reason
        } else {
            ChangeReason::Normalized
        };
        self.add_whole_value(values.stored, prefix, added_for(reason));
    }

    /// Returns the reason why the server removes the sent value, and the reason why it adds the
    /// defaulted value.
    fn server_reasons(&self, values: &StageValues<'_>) -> (ChangeReason, ChangeReason) {
        match (values.sent, values.defaulted) {
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
                let label = format!("{} {}", prefix.label, inline_yaml(value));
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
                    let label = format!("{}:", inline_yaml(&Value::String(key.clone())));
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

    /// Adds a line. The first field of an element continues the line of the dash if both have the
    /// same change.
    fn add_line(&mut self, prefix: &LinePrefix, change: Option<LineChange>) {
        if let Some(dash) = self.lines.last_mut()
            && (dash.text == "-" && dash.depth + 1 == prefix.depth && dash.change == change)
        {
            dash.text = format!("- {}", prefix.label);
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
fn inline_yaml(value: &Value) -> String {
    let Value::String(string) = value else {
        return GoJson(value).to_string();
    };
    let yaml = serde_saphyr::to_string(string).unwrap_or_default();
    let yaml = yaml.trim_end();
    if yaml.is_empty() || yaml.contains('\n') {
        value.to_string()
    } else {
        yaml.to_owned()
    }
}

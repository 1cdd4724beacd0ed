//! Shows an object as it was sent and as it would be stored in one list of lines, with the reason
//! of each change.

use k8s_json_internals::print::GoJson;
use serde::Serialize;
use serde_json::{Map, Value};

/// The stages of an object on its way through an API server.
pub(super) struct RequestStages<'v> {
    /// The object as kubectl sends it.
    pub(super) sent: &'v Value,
    /// The object after pruning and defaulting.
    pub(super) served: &'v Value,
    /// The object after normalizing, if the question asks for normalizing.
    pub(super) last: &'v Value,
    /// If the status is a subresource: true if the request updates the status. `None` if the status
    /// is not a subresource.
    pub(super) of_status: Option<bool>,
}

/// A line of the object in YAML.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct DiffLine {
    depth: usize,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<LineChange>,
}

/// The change of a line, and its reason.
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
    /// The schema does not have the field.
    Pruned,
    /// The value is null, which the API server removes.
    Null,
    /// The schema has a default.
    Defaulted,
    /// The API server writes the value in another form.
    Rewritten,
    /// The request does not update this part, which keeps its stored value.
    Kept,
    /// Normalizing unions changed the value.
    Normalized,
}

pub(super) fn diff_lines(stages: &RequestStages<'_>) -> Vec<DiffLine> {
    let mut text = DiffBuilder {
        lines: Vec::new(),
        of_status: stages.of_status,
        is_kept: false,
    };
    let all = StageValues {
        sent: Some(stages.sent),
        served: Some(stages.served),
        last: Some(stages.last),
    };
    text.add_children(&all, 0);
    text.lines
}

/// A value at the three stages.
#[derive(Clone, Copy)]
struct StageValues<'v> {
    sent: Option<&'v Value>,
    served: Option<&'v Value>,
    last: Option<&'v Value>,
}

impl<'v> StageValues<'v> {
    fn map(self, of: impl Fn(&'v Value) -> Option<&'v Value>) -> Self {
        Self {
            sent: self.sent.and_then(&of),
            served: self.served.and_then(&of),
            last: self.last.and_then(&of),
        }
    }

    fn is_unchanged(&self) -> bool {
        self.sent == self.served && self.served == self.last
    }

    fn each(&self) -> impl Iterator<Item = &'v Value> + use<'v> {
        [self.sent, self.served, self.last].into_iter().flatten()
    }

    fn all(&self, is: impl Fn(&Value) -> bool) -> bool {
        self.each().all(is)
    }
}

/// The depth of a line, and the string in front of its value.
struct LinePrefix {
    depth: usize,
    label: String,
}

struct DiffBuilder {
    lines: Vec<DiffLine>,
    of_status: Option<bool>,
    /// True if the request does not update the part that is being written.
    is_kept: bool,
}

impl DiffBuilder {
    /// Writes the fields or the elements of a value.
    fn add_children(&mut self, three: &StageValues<'_>, depth: usize) {
        if three.all(Value::is_object) {
            let keys = three
                .each()
                .filter_map(Value::as_object)
                .flat_map(Map::keys);
            let mut keys: Vec<&String> = keys.collect();
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                if depth == 0 {
                    let is_status = key == "status";
                    self.is_kept = self.of_status.is_some_and(|asked| asked != is_status);
                }
                let label = format!("{}:", scalar(&Value::String(key.clone())));
                self.value(
                    &three.map(|value| value.get(key)),
                    &LinePrefix { depth, label },
                );
            }
        } else {
            let lengths = three
                .each()
                .map(|value| value.as_array().map_or(0, Vec::len));
            for at in 0..lengths.max().unwrap_or_default() {
                let label = "-".to_owned();
                self.value(
                    &three.map(|value| value.get(at)),
                    &LinePrefix { depth, label },
                );
            }
        }
    }

    /// Writes a value: once if all of it or a part of it stays the same, and otherwise once for
    /// each stage that changes it.
    fn value(&mut self, three: &StageValues<'_>, place: &LinePrefix) {
        let has_all = three.each().count() == 3;
        let is_open = |value: &Value| !is_leaf(value);
        let stays = has_all
            && (three.all(|value| value.is_object() && is_open(value))
                || three.all(|value| value.is_array() && is_open(value)));
        if stays {
            self.add_line(place, None);
            self.add_children(three, place.depth + 1);
            return;
        }
        if three.is_unchanged() {
            return self.add_whole_value(three.last, place, None);
        }
        let removed = |why| {
            Some(LineChange {
                sign: Sign::Removed,
                why,
            })
        };
        let added = |why| {
            Some(LineChange {
                sign: Sign::Added,
                why,
            })
        };
        let why = self.why(three);
        if three.sent != three.served {
            self.add_whole_value(three.sent, place, removed(why.0));
        } else if three.served != three.last {
            self.add_whole_value(three.served, place, removed(ChangeReason::Normalized));
        }
        let why = if three.served == three.last {
            why.1
        } else {
            ChangeReason::Normalized
        };
        self.add_whole_value(three.last, place, added(why));
    }

    /// Returns the reasons for which the server removes the value that was sent, and adds the value
    /// that it serves.
    fn why(&self, three: &StageValues<'_>) -> (ChangeReason, ChangeReason) {
        match (three.sent, three.served) {
            _ if self.is_kept => (ChangeReason::Kept, ChangeReason::Kept),
            (Some(Value::Null), _) => (ChangeReason::Null, ChangeReason::Defaulted),
            (None, _) => (ChangeReason::Defaulted, ChangeReason::Defaulted),
            (_, None) => (ChangeReason::Pruned, ChangeReason::Pruned),
            _ => (ChangeReason::Rewritten, ChangeReason::Rewritten),
        }
    }

    /// Writes a value with all of its fields or elements.
    fn add_whole_value(
        &mut self,
        value: Option<&Value>,
        place: &LinePrefix,
        change: Option<LineChange>,
    ) {
        let Some(value) = value else {
            return;
        };
        let depth = place.depth + 1;
        match value {
            value if is_leaf(value) => {
                let label = format!("{} {}", place.label, scalar(value));
                self.add_line(
                    &LinePrefix {
                        label,
                        depth: place.depth,
                    },
                    change,
                );
            }
            Value::Object(fields) => {
                self.add_line(place, change);
                for (key, value) in fields {
                    let label = format!("{}:", scalar(&Value::String(key.clone())));
                    self.add_whole_value(Some(value), &LinePrefix { depth, label }, change);
                }
            }
            Value::Array(items) => {
                self.add_line(place, change);
                for item in items {
                    let label = "-".to_owned();
                    self.add_whole_value(Some(item), &LinePrefix { depth, label }, change);
                }
            }
            _ => {}
        }
    }

    /// Adds a line. The first field of an element is written beside the dash if both have the same
    /// change.
    fn add_line(&mut self, place: &LinePrefix, change: Option<LineChange>) {
        if let Some(item) = self.lines.last_mut()
            && (item.text == "-" && item.depth + 1 == place.depth && item.change == change)
        {
            item.text = format!("- {}", place.label);
            return;
        }
        self.lines.push(DiffLine {
            depth: place.depth,
            text: place.label.clone(),
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

//! Where a field of an error is in an object.

use serde_json::Value;

/// A field that is there, or one that is not and the object that lacks it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Place<'p> {
    There(Vec<Step>),
    Missing(Vec<Step>, &'p str),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

impl<'p> Place<'p> {
    /// The place of a field, as `spec.ports[0].name`. Names may have dots and brackets in them, so that only the object tells.
    pub(crate) fn of(object: &Value, field: &'p str) -> Option<Self> {
        if let Some(steps) = find(object, field) {
            return Some(Self::There(steps));
        }
        let dots = field.rmatch_indices('.');
        let mut splits: Vec<(&str, &str)> = dots
            .map(|(at, _)| (&field[..at], &field[at + 1..]))
            .collect();
        splits.push(("", field));
        splits.into_iter().find_map(|(owner, key)| {
            let steps = find(object, owner)?;
            let is_object = get(object, &steps).is_some_and(Value::is_object);
            is_object.then_some(Self::Missing(steps, key))
        })
    }
}

impl Place<'_> {
    /// The JSON pointer of the field, whether it is there or not.
    pub(crate) fn pointer(&self) -> String {
        let (steps, missing) = match self {
            Self::There(steps) => (steps, None),
            Self::Missing(steps, key) => (steps, Some(Step::Key((*key).to_owned()))),
        };
        let steps = steps.iter().chain(&missing).map(|step| match step {
            Step::Key(key) => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
            Step::Index(at) => format!("/{at}"),
        });
        steps.collect()
    }
}

fn find(value: &Value, path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    add_steps(value, path, &mut steps).then(|| {
        steps.reverse();
        steps
    })
}

/// Adds the steps, the last one first; tells whether the path leads somewhere.
fn add_steps(value: &Value, path: &str, steps: &mut Vec<Step>) -> bool {
    let path = path.strip_prefix('.').unwrap_or(path);
    if path.is_empty() {
        return true;
    }
    let mut try_step = |child: Option<&Value>, rest: &str, step: Step| {
        let goes_on = rest.is_empty() || rest.starts_with(['.', '[']);
        let leads = goes_on && child.is_some_and(|child| add_steps(child, rest, steps));
        if leads {
            steps.push(step);
        }
        leads
    };
    if let Some(inside) = path.strip_prefix('[') {
        return inside.match_indices(']').any(|(end, _)| {
            let (key, rest) = (&inside[..end], &inside[end + 1..]);
            match key.parse::<usize>() {
                Ok(at) if value.is_array() => try_step(value.get(at), rest, Step::Index(at)),
                _ => try_step(value.get(key), rest, Step::Key(key.to_owned())),
            }
        });
    }
    let keys = value.as_object().into_iter().flatten();
    let mut fitting: Vec<(&String, &Value, &str)> = keys
        .filter_map(|(key, child)| Some((key, child, path.strip_prefix(key.as_str())?)))
        .collect();
    fitting.sort_by_key(|(_, _, rest)| rest.len());
    let mut fitting = fitting.into_iter();
    fitting.any(|(key, child, rest)| try_step(Some(child), rest, Step::Key(key.clone())))
}

fn get<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(at) => value.get(at),
    })
}

/// The value that steps lead to.
pub(crate) fn get_mut<'v>(value: &'v mut Value, steps: &[Step]) -> Option<&'v mut Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Index(at) => value.get_mut(at),
    })
}

//! What is wrong with an object, and what happened to it: `Display` is the only wording.

pub(crate) mod changes;
mod constructors;
pub(crate) mod detail;
pub(crate) mod violation;
pub(crate) mod violations;

/// A path below a field: `spec` and `strategy.type` make `spec.strategy.type`.
pub(crate) fn join(field: &str, path: &str) -> String {
    match (field.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => field.to_owned(),
        _ if path.starts_with('[') => format!("{field}{path}"),
        _ => format!("{field}.{path}"),
    }
}

//! An object's schema and the rules about it, read step by step.

use serde_json::{Map, Value};

use crate::gather::Part;
use crate::reading::{Reading, Rule};

/// Reads one object.
pub(crate) fn read(
    _schema: &Map<String, Value>,
    _parts: &[Part<'_>],
    _rules: Vec<Rule>,
) -> Reading {
    Reading::default()
}

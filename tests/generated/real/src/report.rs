//! The table of a comparison.

use std::collections::BTreeMap;

use k8s_crd_validation::crd::Review;
use serde_json::{Map, Value};

use crate::crds::KindCase;
use crate::objects::{ObjectCase, ObjectForm};
use crate::tool::ToolResults;

/// Prints the table, and the reasons of all failures.
pub(crate) fn print(kinds: &[KindCase], objects: &[ObjectCase], results: &[ToolResults]) {
    print!("\n| {} kinds, {} objects |", kinds.len(), objects.len());
    for tool in results {
        print!(" {} |", tool.name);
    }
    println!("\n| --- |{}", " ---: |".repeat(results.len()));
    let row = |label: &str, value: &dyn Fn(&ToolResults) -> String| {
        print!("| {label} |");
        for tool in results {
            print!(" {} |", value(tool));
        }
        println!();
    };
    row("kinds refused", &|tool| tool.refused.len().to_string());
    row("kinds whose types compile", &|tool| {
        tool.compiled.len().to_string()
    });
    for (label, form) in [
        (
            "objects with all fields: read and written back unchanged",
            ObjectForm::Full,
        ),
        ("objects with required fields only", ObjectForm::Minimal),
        ("random objects", ObjectForm::Random),
    ] {
        row(label, &|tool| {
            let mut equal = 0;
            let mut total = 0;
            for (case, result) in objects.iter().zip(&tool.objects) {
                if case.form == form && result.is_some() {
                    total += 1;
                    equal += usize::from(difference(case, result.as_ref()).is_none());
                }
            }
            format!("{equal} of {total}")
        });
    }
    row("CRDs of the types that an API server accepts", &|tool| {
        let accepted = kinds
            .iter()
            .filter(|kind| is_crd_accepted(kind, tool) == Some(true))
            .count();
        let total = kinds
            .iter()
            .filter(|kind| is_crd_accepted(kind, tool).is_some())
            .count();
        format!("{accepted} of {total}")
    });
    row("unions as enums", &|tool| tool.union_enums.to_string());
    row("bytes of source", &|tool| tool.bytes.to_string());
    row("time to generate, one process for each kind", &|tool| {
        format!("{:.1} s", tool.time.as_secs_f64())
    });
    row("time of `cargo check`", &|tool| {
        format!("{:.0} s", tool.check_time.as_secs_f64())
    });
    for tool in results {
        print_failures(kinds, objects, tool);
    }
}

fn print_failures(kinds: &[KindCase], objects: &[ObjectCase], tool: &ToolResults) {
    println!("\n## {}\n", tool.name);
    for (module, error) in &tool.refused {
        println!("- refused: {module}: {error}");
    }
    for (module, error) in &tool.not_compiled {
        println!("- does not compile: {module}: {error}");
    }
    for kind in kinds {
        if is_crd_accepted(kind, tool) == Some(false) {
            let report = Review::new().create(&tool.crds[&kind.module]);
            println!("- CRD rejected: {}: {report}", kind.module);
        }
    }
    let mut reasons: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (case, result) in objects.iter().zip(&tool.objects) {
        if let Some(reason) = difference(case, result.as_ref()) {
            let example = format!("{}, {:?}", case.module, case.form);
            reasons.entry(reason).or_insert((0, example)).0 += 1;
        }
    }
    for (reason, (count, example)) in &reasons {
        println!("- {count} objects: {reason} ({example})");
    }
}

/// Returns true if an API server accepts the CRD of the types. Returns `None` if there are no
/// types, or if a server rejects the original.
fn is_crd_accepted(kind: &KindCase, tool: &ToolResults) -> Option<bool> {
    let crd = tool.crds.get(&kind.module)?;
    let is_accepted = |crd: &Value| Review::new().create(crd).is_accepted();
    is_accepted(&kind.crd).then(|| is_accepted(crd))
}

/// Returns the reason why an object was not read, or is not written back. Exceptions: an optional
/// null may be written as absent, and `1.0` as `1`.
fn difference(case: &ObjectCase, result: Option<&Value>) -> Option<String> {
    let result = result?;
    if let Some(error) = result["error"].as_str() {
        let (error, _) = error.split_once(" at line ").unwrap_or((error, ""));
        return Some(format!("not read: {error}"));
    }
    first_difference(&normalized(&case.object), &normalized(&result["written"]))
}

/// Returns the value without nulls in objects, and with all numbers as floats.
fn normalized(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
        Value::Array(values) => values.iter().map(normalized).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(_, value)| !value.is_null());
            let fields: Map<String, Value> = fields
                .map(|(name, value)| (name.clone(), normalized(value)))
                .collect();
            Value::Object(fields)
        }
        scalar => scalar.clone(),
    }
}

/// Returns the kind of the first difference.
fn first_difference(object: &Value, written: &Value) -> Option<String> {
    match (object, written) {
        (Value::Object(fields), Value::Object(written_fields)) => {
            let lost = fields
                .keys()
                .find(|name| !written_fields.contains_key(*name));
            if let Some(name) = lost {
                return Some(format!("`{name}` is lost"));
            }
            if let Some(name) = written_fields
                .keys()
                .find(|name| !fields.contains_key(*name))
            {
                return Some(format!("`{name}` is added"));
            }
            fields
                .iter()
                .find_map(|(name, value)| first_difference(value, &written_fields[name]))
        }
        (Value::Array(values), Value::Array(written_values))
            if values.len() == written_values.len() =>
        {
            values
                .iter()
                .zip(written_values)
                .find_map(|(value, written)| first_difference(value, written))
        }
        _ => (object != written).then(|| format!("{object} is written as {written}")),
    }
}

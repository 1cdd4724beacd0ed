//! The unions of other people's CRDs, from `foreign_unions.json`.

use serde_json::{Map, Value, json};

use crate::list;
use crate::process::{Failure, Unionctl};

/// The keys of a finding that the file has.
const FINDING_KEYS: [&str; 8] = [
    "code", "weight", "field", "fields", "value", "also", "message", "rule",
];

/// Runs all cases, and returns the number of wrong results.
pub(crate) fn run(cases: &[Value], tool: &str) -> Result<usize, Failure> {
    let mut listing = Unionctl::start_with(tool, &["unions", "--list", "--jsonl"])?;
    let mut server = Unionctl::start_with(tool, &["check", "--jsonl", "--kube-version", "1.36"])?;
    let mut unions = Unionctl::start(tool, "unions")?;
    let mut wrong_count = 0;
    let (mut agreeing_schemas, mut object_count, mut rejected_by_unions) = (0, 0, 0);
    for case in cases {
        let reply = listing.send(&json!({"schema": case["schema"], "at": case["at"]}))?;
        match find_difference(&case["expect"], &reply) {
            None => agreeing_schemas += 1,
            Some(difference) => {
                wrong_count += 1;
                println!("foreign unions, {}: {difference}", case["id"]);
            }
        }
        for (key, is_accepted) in [("accepted", true), ("refused", false)] {
            for object in list(&case[key]) {
                let verdicts = judge(&case["schema"], object, &mut server, &mut unions)?;
                object_count += 1;
                rejected_by_unions += usize::from(!is_accepted && !verdicts.by_unions);
                // The unions must accept each object that the server accepts.
                if verdicts.by_server != is_accepted || is_accepted && !verdicts.by_unions {
                    wrong_count += 1;
                    println!(
                        "foreign unions, {}: {object} is {key}, and not: {verdicts:?}",
                        case["id"]
                    );
                }
            }
        }
    }
    for unionctl in [listing, server, unions] {
        unionctl.finish()?;
    }
    let schema_count = cases.len();
    println!(
        "foreign unions: {agreeing_schemas} of {schema_count} schemas have the expected unions; {object_count} objects, of which unions alone reject {rejected_by_unions}; \
         {wrong_count} wrong"
    );
    Ok(wrong_count)
}

/// Describes the first difference from the expected result, if there is one.
fn find_difference(expected: &Value, reply: &Value) -> Option<String> {
    if let Some(error) = reply.get("error") {
        return Some(format!("invalid reply: {error}"));
    }
    let keys = [
        "unions",
        "findings",
        "none",
        "beside",
        "empty_counts_as_unset",
        "convention",
    ];
    keys.into_iter().find_map(|key| {
        let (expected, actual) = (
            normalize_order(key, &expected[key]),
            normalize_order(key, &reply[key]),
        );
        (expected != actual).then(|| format!("{key}: {actual}, and not {expected}"))
    })
}

/// Returns a value in which findings, reasons and empty members are sorted, because their order
/// does not matter.
fn normalize_order(key: &str, value: &Value) -> Value {
    let Some(entries) = value.as_array() else {
        return value.clone();
    };
    let mut entries: Vec<Value> = entries
        .iter()
        .map(|entry| match key {
            "findings" => {
                let compared_fields = FINDING_KEYS.into_iter();
                let compared_fields = compared_fields
                    .filter_map(|key| Some((key.to_owned(), entry.get(key)?.clone())));
                Value::Object(compared_fields.collect::<Map<_, _>>())
            }
            "unions" => {
                let mut union = entry.clone();
                if let Some(Value::Array(values)) = union.get_mut("empty_members") {
                    values.sort_by_key(Value::to_string);
                }
                union
            }
            _ => entry.clone(),
        })
        .collect();
    entries.sort_by_key(Value::to_string);
    entries.into()
}

/// True for each side that accepts the object.
#[derive(Debug)]
struct VerdictPair {
    by_server: bool,
    by_unions: bool,
}

/// Returns the verdict of the server about an object, and the verdict of the unions in its schema.
fn judge(
    schema: &Value,
    object: &Value,
    server: &mut Unionctl,
    unions: &mut Unionctl,
) -> Result<VerdictPair, Failure> {
    // A resource is an object, and some of the values are lists.
    let schema = json!({"type": "object", "properties": {"spec": schema}});
    let new = json!({"spec": object});
    let reply = server.send(&json!({"op": "create", "schema": schema, "new": new}))?;
    let mut created = reply["object"].clone();
    if created.is_null() {
        created = new;
    }
    let by_unions = unions.send(&json!({"schema": schema, "new": created, "foreign": true}))?;
    let is_accepted =
        |reply: &Value| reply.get("error").is_none() && list(&reply["errors"]).is_empty();
    Ok(VerdictPair {
        by_server: is_accepted(&reply),
        by_unions: is_accepted(&by_unions),
    })
}

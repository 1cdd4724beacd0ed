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
    let mut wrong = 0;
    let (mut read, mut objects, mut refused) = (0, 0, 0);
    for case in cases {
        let answer = listing.ask(&json!({"schema": case["schema"], "at": case["at"]}))?;
        match difference(&case["expect"], &answer) {
            None => read += 1,
            Some(why) => {
                wrong += 1;
                println!("foreign unions, {}: {why}", case["id"]);
            }
        }
        for (key, is_accepted) in [("accepted", true), ("refused", false)] {
            for object in list(&case[key]) {
                let said = judge(&case["schema"], object, &mut server, &mut unions)?;
                objects += 1;
                refused += usize::from(!is_accepted && !said.by_unions);
                // The unions must accept each object that the server accepts.
                if said.by_server != is_accepted || is_accepted && !said.by_unions {
                    wrong += 1;
                    println!(
                        "foreign unions, {}: {object} is {key}, and not: {said:?}",
                        case["id"]
                    );
                }
            }
        }
    }
    for unionctl in [listing, server, unions] {
        unionctl.finish()?;
    }
    let all = cases.len();
    println!(
        "foreign unions: {read} of {all} schemas are read as the file says; {objects} objects, of which unions alone refuse {refused}; \
         {wrong} wrong"
    );
    Ok(wrong)
}

/// Describes the first difference from the expected result, if there is one.
fn difference(wanted: &Value, answer: &Value) -> Option<String> {
    if let Some(error) = answer.get("error") {
        return Some(format!("it cannot be read: {error}"));
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
        let (wanted, found) = (comparable(key, &wanted[key]), comparable(key, &answer[key]));
        (wanted != found).then(|| format!("{key}: {found}, and not {wanted}"))
    })
}

/// Returns a value in which findings, reasons and empty members are sorted, because their order
/// does not matter.
fn comparable(key: &str, value: &Value) -> Value {
    let Some(entries) = value.as_array() else {
        return value.clone();
    };
    let mut entries: Vec<Value> = entries
        .iter()
        .map(|entry| match key {
            "findings" => {
                let kept = FINDING_KEYS.into_iter();
                let kept = kept.filter_map(|key| Some((key.to_owned(), entry.get(key)?.clone())));
                Value::Object(kept.collect::<Map<_, _>>())
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
    let answer = server.ask(&json!({"op": "create", "schema": schema, "new": new}))?;
    let mut created = answer["object"].clone();
    if created.is_null() {
        created = new;
    }
    let by_unions = unions.ask(&json!({"schema": schema, "new": created, "foreign": true}))?;
    let is_fine =
        |answer: &Value| answer.get("error").is_none() && list(&answer["errors"]).is_empty();
    Ok(VerdictPair {
        by_server: is_fine(&answer),
        by_unions: is_fine(&by_unions),
    })
}

//! Single requests, from `custom_resource_validation.json`.

use std::collections::{BTreeMap, BTreeSet};

use k8s_crd_validation::{
    FieldValidation, KubeVersion, ServerSettings, StructuralSchema, normalize_numbers,
};
use serde_json::{Map, Value, json};

use crate::list;
use crate::process::{Failure, Unionctl};

/// Runs all cases, and returns the number of wrong results.
pub(crate) fn run(cases: &[Value], unionctl: &mut Unionctl) -> Result<usize, Failure> {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for case in cases {
        let op = case["op"].as_str().unwrap_or_default();
        let count = counts.entry(op).or_default();
        let mut line = line(case);
        let mut answer = unionctl.ask(&line)?;
        if is_changed_by_storage(case) {
            // The file has the result of an update of an old object in memory, and the tool expects
            // a stored object.
            let old = &mut line["old"];
            normalize_numbers(old);
            let of_stored = unionctl.ask(&line)?;
            if answer != of_stored {
                println!(
                    "{op} {}: it is not what is said of the stored object",
                    case["name"]
                );
                count[1] += 1;
                continue;
            }
            answer = in_memory(case)?;
        }
        match difference(case, &answer) {
            None => count[0] += 1,
            Some(why) => {
                count[1] += 1;
                println!("{op} {}: {why}", case["name"]);
            }
        }
    }
    for (op, [right, wrong]) in &counts {
        println!("single requests, {op}: {right} as the file says, {wrong} not");
    }
    Ok(counts.values().map(|[_, wrong]| wrong).sum())
}

/// Returns true if the old object has numbers that no storage returns, such as `1.0`.
fn is_changed_by_storage(case: &Value) -> bool {
    let mut old = case["old"].clone();
    normalize_numbers(&mut old);
    old != case["old"]
}

/// Returns the result of an update of an old object in memory.
fn in_memory(case: &Value) -> Result<Value, Failure> {
    let version = KubeVersion::from_minor(36).unwrap_or_default();
    let compiler = StructuralSchema::compiler().version(version);
    let schema = compiler.schema(&case["schema"])?;
    let mut new = case["new"].clone();
    let settings = ServerSettings::default()
        .version(version)
        .field_validation(FieldValidation::Ignore);
    let report = schema.update(&mut new, &case["old"], &settings);
    Ok(json!(report))
}

/// Returns the request of a case. The results in the file are of validation alone, without the
/// decoder above it.
fn line(case: &Value) -> Value {
    let keys = ["op", "schema", "status_subresource", "old", "new"];
    let part = |key: &str| Some((key.to_owned(), case.get(key)?.clone()));
    let mut line: Map<_, _> = keys.into_iter().filter_map(part).collect();
    let settings = json!({"field_validation": "Ignore"});
    line.insert("settings".to_owned(), settings);
    Value::Object(line)
}

/// Describes the first difference from the expected result, if there is one.
fn difference(case: &Value, answer: &Value) -> Option<String> {
    if let Some(error) = answer.get("error") {
        return Some(format!("it cannot be read: {error}"));
    }
    let found = list(&answer["errors"]);
    if let Some(decode) = case.get("decode_error") {
        let is_bad = matches!(found, [only] if only["type"] == "BadRequest");
        return (!is_bad).then(|| format!("it is to be a bad request ({decode}), and is {answer}"));
    }
    // The compile errors of cel-go contain excerpts of the source, so they are not compared.
    let parts: &[(usize, &str)] = if case["op"] == "crd" {
        &[(0, "type"), (1, "field")]
    } else {
        &[(0, "type"), (1, "field"), (2, "text")]
    };
    let wanted = list(&case["errors"]).iter();
    let wanted = wanted.map(|error| parts.iter().map(|(at, _)| text(&error[*at])).collect());
    let found = found.iter();
    let found = found.map(|error| parts.iter().map(|(_, key)| text(&error[*key])).collect());
    let (mut wanted, mut found): (Vec<_>, Vec<_>) = (wanted.collect(), found.collect());
    if case["nondeterministic_errors"] == true {
        // The server names any of several equal rules, but always the same number of them.
        number(&mut wanted);
        number(&mut found);
    }
    compare("errors", &wanted, &found)
        .or_else(|| {
            let wanted = list(case.get("warnings")?).iter();
            let found = list(&answer["warnings"]).iter();
            let wanted: Vec<_> = wanted.map(|warning| vec![text(warning)]).collect();
            let found: Vec<_> = found.map(|warning| vec![text(warning)]).collect();
            compare("warnings", &wanted, &found)
        })
        .or_else(|| {
            let wanted = case.get("effective_new")?;
            let object = &answer["object"];
            (wanted != object).then(|| format!("the object is {object}, and not {wanted}"))
        })
        .or_else(|| {
            let is_accepted = list(&answer["errors"]).is_empty();
            let expected = json!(if is_accepted { "ok" } else { "error" });
            (case["expect"] != expected).then(|| format!("it is {expected}"))
        })
}

/// Replaces the numbers in field paths by a count of the equal paths before.
fn number(errors: &mut [Vec<String>]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for error in errors {
        if let Some(field) = error.get_mut(1) {
            field.retain(|c| !c.is_ascii_digit());
            let count = seen.entry(field.clone()).or_default();
            *field = format!("{field} #{count}");
            *count += 1;
        }
    }
}

fn compare(what: &str, wanted: &[Vec<String>], found: &[Vec<String>]) -> Option<String> {
    let wanted: BTreeSet<_> = wanted.iter().collect();
    let found: BTreeSet<_> = found.iter().collect();
    let missing: Vec<_> = wanted.difference(&found).collect();
    let surplus: Vec<_> = found.difference(&wanted).collect();
    let is_same = missing.is_empty() && surplus.is_empty();
    (!is_same).then(|| format!("{what}: missing {missing:?}, not wanted {surplus:?}"))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

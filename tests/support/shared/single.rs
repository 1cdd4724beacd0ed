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
        let mut line = request_line(case);
        let mut reply = unionctl.send(&line)?;
        if is_changed_by_storage(case) {
            // The file has the result of an update of an old object in memory, and the tool expects
            // a stored object.
            let old = &mut line["old"];
            normalize_numbers(old);
            let reply_for_stored = unionctl.send(&line)?;
            if reply != reply_for_stored {
                println!(
                    "{op} {}: it is not what is said of the stored object",
                    case["name"]
                );
                count[1] += 1;
                continue;
            }
            reply = update_in_memory(case)?;
        }
        match find_difference(case, &reply) {
            Some(_) if is_rejected_before_the_strategy(case, &reply) => count[0] += 1,
            None => count[0] += 1,
            Some(difference) => {
                count[1] += 1;
                println!("{op} {}: {difference}", case["name"]);
            }
        }
    }
    for (op, [right_count, wrong_count]) in &counts {
        println!("single requests, {op}: {right_count} right, {wrong_count} wrong");
    }
    Ok(counts.values().map(|[_, wrong_count]| wrong_count).sum())
}

/// Returns true for the case whose result in the file is the result of the strategy alone. A server
/// also runs `rest.BeforeUpdate` (apiserver, `pkg/registry/rest/update.go`), which validates the
/// finalizers of an update.
fn is_rejected_before_the_strategy(case: &Value, reply: &Value) -> bool {
    let errors = reply["errors"].as_array();
    case["name"] == "finalizer bad"
        && errors.is_some_and(|errors| {
            let of_finalizers = |error: &Value| error.to_string().contains("metadata.finalizers");
            !errors.is_empty() && errors.iter().all(of_finalizers)
        })
}

/// Returns true if the old object has numbers that no storage returns, such as `1.0`.
fn is_changed_by_storage(case: &Value) -> bool {
    let mut old = case["old"].clone();
    normalize_numbers(&mut old);
    old != case["old"]
}

/// Returns our result of an update whose old object is not read from storage.
fn update_in_memory(case: &Value) -> Result<Value, Failure> {
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

/// Returns the request of a case. Unknown fields are ignored, because the results in the file are
/// of the server's validation alone, without its decoder.
fn request_line(case: &Value) -> Value {
    let keys = ["op", "schema", "status_subresource", "old", "new"];
    let part = |key: &str| Some((key.to_owned(), case.get(key)?.clone()));
    let mut line: Map<_, _> = keys.into_iter().filter_map(part).collect();
    let settings = json!({"field_validation": "Ignore"});
    line.insert("settings".to_owned(), settings);
    Value::Object(line)
}

/// Describes the first difference from the expected result, if there is one.
fn find_difference(case: &Value, reply: &Value) -> Option<String> {
    if let Some(error) = reply.get("error") {
        return Some(format!("invalid reply: {error}"));
    }
    let actual = list(&reply["errors"]);
    if let Some(decode) = case.get("decode_error") {
        let is_bad_request = matches!(actual, [error] if error["type"] == "BadRequest");
        return (!is_bad_request)
            .then(|| format!("expected a bad request ({decode}), got {reply}"));
    }
    // The compile errors of cel-go contain excerpts of the source, so they are not compared.
    let compared_keys: &[(usize, &str)] = if case["op"] == "crd" {
        &[(0, "type"), (1, "field")]
    } else {
        &[(0, "type"), (1, "field"), (2, "text")]
    };
    let expected = list(&case["errors"]).iter();
    let expected = expected.map(|error| {
        compared_keys
            .iter()
            .map(|(index, _)| text(&error[*index]))
            .collect()
    });
    let actual = actual.iter();
    let actual = actual.map(|error| {
        compared_keys
            .iter()
            .map(|(_, key)| text(&error[*key]))
            .collect()
    });
    let (mut expected, mut actual): (Vec<_>, Vec<_>) = (expected.collect(), actual.collect());
    if case["nondeterministic_errors"] == true {
        // If several rules are equal, the server reports any of them, but always as many errors.
        number_equal_paths(&mut expected);
        number_equal_paths(&mut actual);
    }
    compare_unordered("errors", &expected, &actual)
        .or_else(|| {
            let expected = list(case.get("warnings")?).iter();
            let actual = list(&reply["warnings"]).iter();
            let expected: Vec<_> = expected.map(|warning| vec![text(warning)]).collect();
            let actual: Vec<_> = actual.map(|warning| vec![text(warning)]).collect();
            compare_unordered("warnings", &expected, &actual)
        })
        .or_else(|| {
            let expected = case.get("effective_new")?;
            let object = &reply["object"];
            (expected != object).then(|| format!("the object is {object}, and not {expected}"))
        })
        .or_else(|| {
            let is_accepted = list(&reply["errors"]).is_empty();
            let result = json!(if is_accepted { "ok" } else { "error" });
            (case["expect"] != result).then(|| format!("got {result}"))
        })
}

/// Replaces the numbers in field paths by a count of the equal paths before.
fn number_equal_paths(errors: &mut [Vec<String>]) {
    let mut path_counts: BTreeMap<String, usize> = BTreeMap::new();
    for error in errors {
        if let Some(field) = error.get_mut(1) {
            field.retain(|c| !c.is_ascii_digit());
            let count = path_counts.entry(field.clone()).or_default();
            *field = format!("{field} #{count}");
            *count += 1;
        }
    }
}

/// Describes the difference of two lists, whose order does not matter.
fn compare_unordered(
    what: &str,
    expected: &[Vec<String>],
    actual: &[Vec<String>],
) -> Option<String> {
    let expected: BTreeSet<_> = expected.iter().collect();
    let actual: BTreeSet<_> = actual.iter().collect();
    let missing: Vec<_> = expected.difference(&actual).collect();
    let surplus: Vec<_> = actual.difference(&expected).collect();
    let is_same = missing.is_empty() && surplus.is_empty();
    (!is_same).then(|| format!("{what}: missing {missing:?}, not wanted {surplus:?}"))
}

/// Returns the string of a value, or the empty string.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

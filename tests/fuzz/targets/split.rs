//! Splits the errors of an update by the comparator. No error is lost, an unchanged object has no
//! new error, a tolerated error is also an error of the old object, and an update reports the same
//! errors.

#![no_main]

#[path = "../../comparator/second.rs"]
mod second;

use k8s_crd_validation::{RatchetingPolicy, ServerSettings, StructuralSchema};
use libfuzzer_sys::fuzz_target;
use second::Decision;
use serde_json::{Value, json};
use union_fuzz::{Source, with_type_and_metadata};
use union_runtime::comparator::{Comparison, CorrelationSchema};
use union_runtime::path::{FieldPath, PathStep};
use union_runtime::{Ratchet, Violation, ViolationKind};

const RATCHETS: [Ratchet; 3] = [Ratchet::Off, Ratchet::Unchanged, Ratchet::SameReason];
const COMBINATORS: [&str; 4] = ["allOf", "anyOf", "oneOf", "not"];

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let root = json!({"type": "object", "properties": {"spec": union_fuzz::schema(&mut source)}});
    let Ok(compiled) = StructuralSchema::compiler().stored().schema(&root) else {
        return;
    };
    let Value::Object(old) = union_fuzz::object(&mut source, &root) else {
        return;
    };
    let mut old = with_type_and_metadata(old.into());
    let mut new = old.clone();
    union_fuzz::mutate(&mut source, &mut new, &root);
    let new = with_type_and_metadata(new);
    if !new.is_object() {
        return;
    }
    let random_errors = [&new, &old].map(|object| random_errors(&mut source, object));
    // A create adds the defaults, so `old` becomes the stored object.
    let old_report = compiled.create(&mut old, &ServerSettings::default());
    split_random_errors(&root, [&new, &old], random_errors);
    split_validation_errors(&compiled, &root, [&new, &old], old_report.errors());
});

type Error = (FieldPath, &'static str);

/// Returns errors at values of an object and at missing fields. Each byte decides about eight
/// values.
fn random_errors(source: &mut Source<'_>, object: &Value) -> Vec<Error> {
    let mut errors = Vec::new();
    let mut pending = vec![(FieldPath::root(), object)];
    let mut decisions = 0_u8;
    let mut visited_count = 0;
    while let Some((path, value)) = pending.pop() {
        if visited_count % 8 == 0 {
            decisions = source.byte();
        }
        if decisions >> (visited_count % 8) & 1 == 1 {
            errors.push((path.clone(), "type"));
            errors.push((path.clone().field("missing"), "required"));
        }
        visited_count += 1;
        match value {
            Value::Object(fields) => pending.extend(
                fields
                    .iter()
                    .map(|(name, value)| (path.clone().field(name.as_str()), value)),
            ),
            Value::Array(elements) => pending.extend(
                elements
                    .iter()
                    .enumerate()
                    .map(|(i, value)| (path.clone().index(i), value)),
            ),
            _ => {}
        }
    }
    errors
}

/// Compares the split of random errors with a second implementation of the comparator.
fn split_random_errors(
    schema: &Value,
    [new, old]: [&Value; 2],
    [new_errors, old_errors]: [Vec<Error>; 2],
) {
    for is_deep in [false, true] {
        let comparison = comparison(schema, [new, old], is_deep);
        let has_second_result = has_string_keys(schema, new) && has_string_keys(schema, old);
        for ratchet in RATCHETS {
            let split = comparison.split(new_errors.clone(), &old_errors, ratchet, Clone::clone);
            assert_is_partition(&new_errors, [&split.new, &split.tolerated]);
            for (errors, is_tolerated) in [(&split.new, false), (&split.tolerated, true)] {
                for error in errors {
                    let decision = match ratchet {
                        Ratchet::Unchanged => {
                            second::decide_unchanged(is_deep, schema, [new, old], &error.0)
                        }
                        Ratchet::SameReason if !is_deep => {
                            second::decide_same_reason(schema, [new, old], error, &old_errors)
                        }
                        Ratchet::SameReason => continue,
                        _ => Decision::NotTolerated,
                    };
                    assert!(
                        !has_second_result || (decision != Decision::NotTolerated) == is_tolerated,
                        "{ratchet:?} {is_deep} {error:?} {decision:?}\n{schema}\n{old}\n{new}"
                    );
                }
            }
        }
    }
}

/// Splits the errors that a server reports when the new object is created.
fn split_validation_errors(
    compiled: &StructuralSchema,
    schema: &Value,
    [new, old]: [&Value; 2],
    old_errors: &[Violation],
) {
    let mut created = new.clone();
    let report = compiled.create(&mut created, &ServerSettings::default());
    let errors = report.errors();
    let are_rules_skipped = old_errors.iter().any(is_skip_of_rules);
    for is_deep in [false, true] {
        let comparison = comparison(compiled.root(), [&created, old], is_deep);
        let unchanged = Comparison::new(compiled.root(), &created, &created).with_deep_equality();
        for ratchet in RATCHETS {
            let split = comparison.split(errors.to_vec(), old_errors, ratchet, locate);
            assert_is_partition(errors, [&split.new, &split.tolerated]);
            if ratchet == Ratchet::Off {
                assert_eq!(split.new, errors);
                continue;
            }
            // A server does not evaluate the rules of the old object if it has some other errors.
            for tolerated in &split.tolerated {
                assert!(
                    (are_rules_skipped && is_rule_error(tolerated))
                        || is_old_error(tolerated, old_errors),
                    "{ratchet:?} {is_deep} {tolerated}\n{schema}\n{old}\n{created}"
                );
            }
        }
        let split = unchanged.split(errors.to_vec(), errors, Ratchet::Unchanged, locate);
        assert_eq!(split.tolerated, errors, "{schema}\n{created}");
    }
    check_update(compiled, schema, [new, old], report.errors());
}

/// Compares the split of the errors of a create with the errors of an update.
fn check_update(
    compiled: &StructuralSchema,
    schema: &Value,
    [new, old]: [&Value; 2],
    errors: &[Violation],
) {
    let mut created = new.clone();
    drop(compiled.create(&mut created, &ServerSettings::default()));
    let text = schema.to_string();
    // The errors of some rules are not the same in a create and in an update. A rule with `oldSelf`
    // has errors only in an update. A server never tolerates a rule that does not compile or cannot
    // be evaluated, and does not evaluate rules if another error is new.
    let is_rule_not_evaluated =
        |error: &Violation| is_rule_failure(error) || is_skip_of_rules(error);
    // In an update, a server removes the invalid nulls of the stored object, but not the nulls of a
    // default, which only a stored schema can have. The comparison has the nulls of both objects.
    let has_null_default = text.contains("\"default\"") && text.contains(":null");
    if has_null_default || text.contains("oldSelf") || errors.iter().any(is_rule_not_evaluated) {
        return;
    }
    for policy in [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008] {
        let is_deep = policy == RatchetingPolicy::Kep4008;
        // The KEP tolerates no errors in these keywords, and a server tolerates no errors of values
        // inside of the value with such a keyword.
        if has_combinator(schema, |branches| is_deep || has_inner_value(branches)) {
            continue;
        }
        let settings = ServerSettings::default().policy(policy);
        let report = compiled.update(&mut new.clone(), old, &settings);
        let comparison = comparison(compiled.root(), [&created, old], is_deep);
        let split = comparison.split(errors.to_vec(), &[], Ratchet::Unchanged, locate);
        // A rule that an unchanged value violates becomes a warning.
        let messages = errors.iter().map(ToString::to_string);
        let warned = messages.filter(|message| report.warnings().contains(message));
        let not_new = sorted_messages(report.tolerated())
            .into_iter()
            .chain(warned);
        let mut not_new: Vec<String> = not_new.collect();
        not_new.sort();
        for (split_messages, server_messages) in [
            (
                sorted_messages(&split.new),
                sorted_messages(report.errors()),
            ),
            (sorted_messages(&split.tolerated), not_new),
        ] {
            assert_eq!(
                split_messages, server_messages,
                "{policy:?}\n{schema}\n{old}\n{new}"
            );
        }
    }
}

/// Returns the path of an error, and its rule.
fn locate(violation: &Violation) -> (FieldPath, String) {
    (violation.path().clone(), violation.detail().to_owned())
}

fn comparison<'v, 's, S: CorrelationSchema<'s>>(
    schema: S,
    [new, old]: [&'v Value; 2],
    is_deep: bool,
) -> Comparison<'v, S> {
    let comparison = Comparison::new(schema, new, old);
    if is_deep {
        comparison.with_deep_equality()
    } else {
        comparison
    }
}

/// Asserts that each error is in one of the parts, and that the order in each part is kept.
fn assert_is_partition<E: PartialEq + std::fmt::Debug>(errors: &[E], parts: [&Vec<E>; 2]) {
    assert_eq!(errors.len(), parts[0].len() + parts[1].len());
    let mut rest = parts.map(|part| part.iter().peekable());
    for error in errors {
        let is_next = rest
            .iter_mut()
            .any(|part| part.next_if_eq(&error).is_some());
        assert!(is_next, "{error:?} is lost");
    }
}

/// Returns true if the old object has the same error at any path. Returns true for each duplicate
/// in a list, because duplicates depend on the other elements.
fn is_old_error(error: &Violation, old_errors: &[Violation]) -> bool {
    let is_same = |old: &Violation| old.kind() == error.kind() && old.detail() == error.detail();
    error.kind() == ViolationKind::Duplicate || old_errors.iter().any(is_same)
}

/// Returns true if a part of the schema has a combinator whose branches satisfy a condition.
fn has_combinator(schema: &Value, condition: impl Fn(&Value) -> bool + Copy) -> bool {
    match schema {
        Value::Object(keywords) => keywords.iter().any(|(name, value)| {
            let is_combinator = COMBINATORS.contains(&name.as_str());
            (is_combinator && condition(value)) || has_combinator(value, condition)
        }),
        Value::Array(list) => list.iter().any(|value| has_combinator(value, condition)),
        _ => false,
    }
}

/// Returns true if the branches of a combinator describe fields or elements.
fn has_inner_value(branches: &Value) -> bool {
    let text = branches.to_string();
    let mut keywords = ["properties", "additionalProperties", "items"].into_iter();
    keywords.any(|keyword| text.contains(&format!("\"{keyword}\":")))
}

/// Returns true for the error of a rule. The generated rules have the message `no`, or no message.
fn is_rule_error(error: &Violation) -> bool {
    let detail = error.detail();
    detail == "no" || detail.starts_with("failed rule: ") || is_rule_failure(error)
}

/// Returns true for the error of a rule that does not compile or cannot be evaluated.
fn is_rule_failure(error: &Violation) -> bool {
    let detail = error.detail();
    detail.starts_with("rule compile error") || detail.contains(" evaluating rule: ")
}

/// Returns true for the error of a server that did not evaluate rules because of other errors.
fn is_skip_of_rules(error: &Violation) -> bool {
    error
        .detail()
        .starts_with("some validation rules were not checked")
}

/// Returns the sorted messages of errors, without the errors of list types: a server does not check
/// list types in an update if the old object already has such an error.
fn sorted_messages(violations: &[Violation]) -> Vec<String> {
    let is_of_list_type = |violation: &&Violation| {
        violation.kind() == ViolationKind::Duplicate
            || violation
                .detail()
                .ends_with("for an array of list-type map")
    };
    let violations = violations.iter();
    let violations = violations.filter(|violation| !is_of_list_type(violation));
    let mut messages: Vec<String> = violations.map(ToString::to_string).collect();
    messages.sort();
    messages
}

/// Returns true if all elements of lists of type map have strings under all keys. The second
/// implementation does not decide about other elements.
fn has_string_keys(schema: &Value, value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.iter().all(|(name, value)| {
            let child = CorrelationSchema::child(schema, name);
            child.is_none_or(|child| has_string_keys(child, value))
        }),
        Value::Array(elements) => {
            let Some(items) = CorrelationSchema::items(schema) else {
                return true;
            };
            let keys = schema.list_keys();
            elements.iter().all(|element| {
                keys.clone().all(|key| {
                    PathStep::Key(key)
                        .find(element)
                        .is_some_and(Value::is_string)
                }) && has_string_keys(items, element)
            })
        }
        _ => true,
    }
}

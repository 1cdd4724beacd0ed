//! Tests of all small objects: every combination of field values, for the new and the old object,
//! on both sides.

use serde_json::{Map, Value, json};

use crate::agree::{Comparison, Model, State};
use crate::models::{
    AtMostOne, BothShapes, ClosedDeduced, Deduced, Defaulted, EmptyDeduced, EmptyValue,
    KeepsUnknown, MemberTypes, OptionalClosed, OptionalDeduced, OptionalDefaulted,
    OptionalDiscriminator, OptionalEmpty, OptionalEmptyDeduced, OptionalMember, OptionalText,
    Required, RequiredClosed, Several, Text,
};

/// A field with the values that it may have. It may also be absent.
type Field<'a> = (&'a str, &'a [Value]);

/// Returns every object with these fields that the type can read.
fn states<T: Model>(fields: &[Field<'_>]) -> Vec<State<T>> {
    let mut objects = vec![Map::new()];
    for (name, values) in fields {
        let without_field = objects.clone();
        for value in *values {
            objects.extend(without_field.iter().cloned().map(|mut object| {
                object.insert((*name).to_owned(), value.clone());
                object
            }));
        }
    }
    let objects = objects.into_iter().map(Value::from);
    objects.filter_map(|object| State::read(&object)).collect()
}

/// Returns the live object with the fields of the applied object.
fn merge<T: Model>(live: &State<T>, applied: &State<T>) -> State<T> {
    let mut merged = live.sent.clone();
    for (name, value) in applied.sent.as_object().expect("an object") {
        merged[name] = value.clone();
    }
    State::read(&merged).expect("the types can read both objects")
}

/// Checks creates and updates of all objects, and returns the number of objects.
fn check<T: Model>(fields: &[Field<'_>]) -> usize {
    let comparison = Comparison::<T>::new();
    let states = states::<T>(fields);
    for new in &states {
        comparison.assert_same_results(new, None);
        comparison.assert_same_apply_result(new, None, new);
        for old in &states {
            comparison.assert_same_results(new, Some(old));
            comparison.assert_same_apply_result(new, Some(old), &merge(old, new));
        }
    }
    println!("{} requests", comparison.request_count());
    states.len()
}

/// Checks all objects with `alpha`, `beta` and `kind`, and returns the number of pairs.
fn check_pairs<T: Model>(kinds: &[&str]) -> usize {
    let member_values = [json!(1), Value::Null];
    let kinds = kinds.iter().map(|kind| json!(kind)).chain([Value::Null]);
    let count = check::<T>(&[
        ("alpha", &member_values),
        ("beta", &member_values),
        ("kind", &kinds.collect::<Vec<_>>()),
    ]);
    count * count
}

const KINDS: &[&str] = &["Alpha", "Beta", "Nothing", "Tape", "alpha", ""];
const CLOSED: &[&str] = &["ALPHA", "BETA", "Alpha", ""];

/// Declares a test for each type. Each test has its number of pairs, so that it fails if states are
/// missing.
macro_rules! small_object_tests {
    ($($name:ident: $ty:ty, $kinds:expr => $pairs:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(check_pairs::<$ty>($kinds), $pairs);
        }
    )*};
}

small_object_tests! {
    results_agree_for_a_required_discriminator: Required, KINDS => 2916;
    results_agree_for_an_optional_member: OptionalMember, KINDS => 2916;
    results_agree_for_a_closed_enum: RequiredClosed, CLOSED => 324;
    results_agree_for_an_optional_discriminator: OptionalDiscriminator, KINDS => 5184;
    results_agree_for_an_optional_discriminator_of_a_closed_enum: OptionalClosed, CLOSED => 1296;
    results_agree_for_a_default_discriminator: Defaulted, CLOSED => 729;
    results_agree_for_a_default_of_an_optional_discriminator: OptionalDefaulted, KINDS => 5184;
    results_agree_for_an_empty_value_that_is_not_written: EmptyValue, KINDS => 3969;
    results_agree_for_an_empty_value_of_an_optional_discriminator: OptionalEmpty, KINDS => 5184;
    results_agree_for_both_shapes: BothShapes, KINDS => 2916;
    results_agree_for_a_deduced_discriminator: Deduced, KINDS => 2916;
    results_agree_for_an_optional_deduced_discriminator: OptionalDeduced, KINDS => 5184;
    results_agree_for_a_deduced_discriminator_of_a_closed_enum: ClosedDeduced, CLOSED => 1296;
    results_agree_for_a_deduced_discriminator_with_an_empty_value: EmptyDeduced, KINDS => 3969;
    results_agree_for_an_optional_deduced_discriminator_with_an_empty_value: OptionalEmptyDeduced, KINDS => 5184;
    results_agree_for_a_string_discriminator: Text, KINDS => 3969;
    results_agree_for_an_optional_string_discriminator: OptionalText, KINDS => 5184;
}

#[test]
fn results_agree_for_members_with_empty_values() {
    let count = check::<MemberTypes>(&[
        ("kind", &[json!("list"), json!("text"), json!("switch")]),
        ("list", &[json!([]), json!([null])]),
        ("map", &[json!({})]),
        ("switch", &[json!(false)]),
        ("text", &[json!(""), Value::Null]),
    ]);
    assert_eq!(count, 108);
}

#[test]
fn results_agree_for_unknown_members() {
    let count = check::<KeepsUnknown>(&[
        (
            "kind",
            &["Alpha", "Nothing", "Tape", "TAPE", "Other"].map(Value::from),
        ),
        ("alpha", &[json!(1)]),
        ("tape", &[json!(1), json!(null)]),
        ("TAPE", &[json!({"speed": 1})]),
        ("other", &[json!([])]),
    ]);
    assert_eq!(count, 120);
}

#[test]
fn results_agree_for_a_union_without_a_discriminator() {
    let member_values = [json!(1), Value::Null];
    let count = check::<AtMostOne>(&[
        ("emptyDir", &member_values),
        ("hostPath", &[json!(1)]),
        ("nfs", &[json!(0)]),
        ("secret", &member_values),
    ]);
    assert_eq!(count, 36);
}

#[test]
fn results_agree_for_several_unions() {
    let member_values = [json!(1)];
    let count = check::<Several>(&[
        ("name", &[json!("a")]),
        ("kind", &[json!("Alpha"), json!("Tape")]),
        ("mode", &[json!("Fast"), json!("Odd")]),
        ("alpha", &member_values),
        ("fast", &member_values),
        ("left", &member_values),
        ("right", &member_values),
        ("slow", &member_values),
    ]);
    assert_eq!(count, 192);
}

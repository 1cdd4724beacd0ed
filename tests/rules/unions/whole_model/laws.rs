//! Tests of properties that every object has, on random objects of the larger types.

use proptest::prelude::*;
use union_runtime::{ChangeKind, Ratchet, Report, Settings};

use crate::unions::whole_model::model::Object;
use crate::unions::whole_model::samples::{
    All, AtMostOne4, Empty, ExactlyOne4, FourTexts, Nothing, OptionalEmpty, Strict,
};
use crate::unions::whole_model::states::{Sample, as_json, model_object_to_json, read, readable};

fn objects<T: Sample>() -> impl Strategy<Value = Object> {
    proptest::sample::select(readable(&T::MODEL))
}

/// Generates no old object, or an old object.
fn old<T: Sample>() -> impl Strategy<Value = Option<Object>> {
    proptest::option::weighted(0.9, objects::<T>())
}

fn ratchets() -> impl Strategy<Value = Ratchet> {
    proptest::sample::select(vec![Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off])
}

/// Asserts the properties of normalization for a request.
fn assert_laws_hold<T: Sample>(new: &Object, old: Option<&Object>) {
    let model = T::MODEL;
    let value: T = read(model_object_to_json(&model, new));
    let old_value: Option<T> = old.map(|old| read(model_object_to_json(&model, old)));
    let mut normalized = value.clone();
    let changes = normalized.normalize_unions(old_value.as_ref(), &Settings::default());

    let mut normalized_twice = normalized.clone();
    let second_changes =
        normalized_twice.normalize_unions(old_value.as_ref(), &Settings::default());
    assert!(
        second_changes.is_empty(),
        "normalizing is idempotent: {second_changes}"
    );
    assert_eq!(
        as_json(&normalized_twice),
        as_json(&normalized),
        "normalizing is idempotent"
    );

    let (json_before, json_after) = (as_json(&value), as_json(&normalized));
    let discriminator = model.discriminator.map(|discriminator| discriminator.field);
    for (member, _) in model.members {
        let is_kept = json_after.get(member) == json_before.get(member);
        let is_cleared = changes.cleared().any(|cleared| cleared == *member);
        assert_eq!(is_cleared, !is_kept, "a lost member is reported: {member}");
        assert!(
            is_kept || json_after.get(member).is_none(),
            "no member is set: {member}"
        );
    }
    let is_set = discriminator.is_some_and(|field| json_before.get(field) != json_after.get(field));
    let discriminators_set: Vec<&str> = changes.discriminators_set().map(AsRef::as_ref).collect();
    assert_eq!(
        discriminators_set.first().copied(),
        discriminator.filter(|_| is_set),
        "what is set is said"
    );
    assert_paths_are_fields::<T>(changes.iter().map(|change| change.path().as_str()));
    for change in &changes {
        let is_present = json_after.get(change.path().as_str()).is_some();
        assert_eq!(is_present, change.kind() == ChangeKind::Set, "{change}");
    }
    let mut created = value.clone();
    let is_normal = created
        .normalize_unions(None, &Settings::default())
        .is_empty();
    let is_same =
        old.is_some_and(|old| old.selected == new.selected && old.set_members == new.set_members);
    if is_same && is_normal && value.validate_unions().is_accepted() {
        assert!(
            changes.is_empty(),
            "a valid object that did not change is untouched"
        );
    }
    if model.validate(new).is_empty() && !is_set {
        assert_eq!(
            normalized.validate_unions(),
            Report::default(),
            "what is valid stays valid"
        );
    }
}

/// Asserts that admission reports each violation once.
fn assert_admitted<T: Sample>(new: &Object, old: Option<&Object>, ratchet: Ratchet) {
    let model = T::MODEL;
    let mut value: T = read(model_object_to_json(&model, new));
    let old: Option<T> = old.map(|old| read(model_object_to_json(&model, old)));
    let settings = Settings::default().ratchet(ratchet);
    let report = value.admit_unions(old.as_ref(), &settings);
    let (errors, tolerated) = (report.errors(), report.tolerated());
    assert!(tolerated.is_empty() || old.is_some() && ratchet != Ratchet::Off);
    let violations = errors.iter().chain(tolerated);
    assert_paths_are_fields::<T>(violations.map(|violation| violation.path().as_str()));
    let violations_on_create = value.validate_unions();
    assert_eq!(
        errors.len() + tolerated.len(),
        violations_on_create.errors().len(),
        "all that is wrong is said once"
    );
}

/// Asserts that every path is empty or names a field of the type's schema.
fn assert_paths_are_fields<'a, T: Sample>(paths: impl IntoIterator<Item = &'a str>) {
    let schema = union_runtime::schema_for::<T>();
    let fields = &schema.as_value()["properties"];
    for path in paths {
        assert!(
            path.is_empty() || fields.get(path).is_some(),
            "no such field: {path}"
        );
    }
}

macro_rules! laws {
    ($($name:ident: $ty:ty;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]
            $(
                #[test]
                fn $name(new in objects::<$ty>(), old in old::<$ty>(), ratchet in ratchets()) {
                    assert_laws_hold::<$ty>(&new, old.as_ref());
                    assert_admitted::<$ty>(&new, old.as_ref(), ratchet);
                }
            )*
        }
    };
}

laws! {
    the_laws_hold_for_a_closed_enum: Strict;
    the_laws_hold_for_an_enum_with_an_empty_value: Empty;
    the_laws_hold_for_an_optional_enum_with_an_empty_value: OptionalEmpty;
    the_laws_hold_for_an_enum_with_a_nothing_value: Nothing;
    the_laws_hold_for_an_enum_with_all_sorts_of_values: All;
    the_laws_hold_for_a_text: FourTexts;
    the_laws_hold_for_at_most_one: AtMostOne4;
    the_laws_hold_for_exactly_one: ExactlyOne4;
}

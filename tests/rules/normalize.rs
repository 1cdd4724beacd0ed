//! Tests of normalization for clients that do not know all members ("Backward compatibilities
//! properties" of the 2019 text), and of the values that clear all members.

mod unknown_members;

use serde_json::json;
use union_runtime::{Settings, Union};

use crate::unions::whole_model::model::Object;
use crate::unions::whole_model::samples::{
    AtMostOne3, AtMostOne4, FourTexts, Nothing, Optional, OptionalText, Text,
};
use crate::unions::whole_model::states::{Sample, as_json, model_object_to_json, read, readable};
use crate::unions::whole_model::text::update;

/// Returns the valid objects with exactly one member, whose discriminator, if the union has one,
/// names that member.
fn objects_with_one_member<T: Sample>() -> Vec<Object> {
    let model = T::MODEL;
    let objects = readable(&model).into_iter();
    let objects: Vec<Object> = objects
        .filter(|object| object.set_members.len() == 1 && model.validate(object).is_empty())
        .filter(|object| *object == model.normalize(object, None).object)
        .collect();
    assert_eq!(
        objects.len(),
        model.members.len(),
        "an object for each member"
    );
    objects
}

/// Checks, for every object in use and every member, that a client which switches to the member
/// stores the object with that member alone.
fn assert_clients_store<T: Sample>(client: impl Fn(&Object, &'static str) -> Object) {
    for old in objects_with_one_member::<T>() {
        for expected in objects_with_one_member::<T>() {
            let field = *expected.set_members.first().expect("a set member");
            let new = client(&old, field);
            let [old, new, expected] =
                [&old, &new, &expected].map(|object| model_object_to_json(&T::MODEL, object));
            assert_eq!(
                update::<T>(old.clone(), new.clone()),
                expected,
                "{new} over {old}"
            );
        }
    }
}

/// Returns the discriminator value of a member.
fn value_of<T: Sample>(field: &str) -> &'static str {
    let mut members = T::MODEL.members.iter();
    members
        .find(|member| member.0 == field)
        .expect("a member")
        .1
}

/// Calls a generic check with each type.
macro_rules! for_unions {
    ($check:ident: $($ty:ty),+) => {
        $($check::<$ty>();)+
    };
}

#[test]
fn a_client_that_does_not_know_the_union_may_set_another_member() {
    fn check<T: Sample>() {
        assert_clients_store::<T>(|old, field| {
            let mut new = old.clone();
            new.set_members.insert(field);
            new
        });
    }
    for_unions!(check: Optional, Nothing, Text, OptionalText, FourTexts, AtMostOne3, AtMostOne4);
}

#[test]
fn a_client_that_does_not_know_the_discriminator_may_change_members() {
    fn check<T: Sample>() {
        assert_clients_store::<T>(|old, field| Object {
            selected: old.selected,
            set_members: [field].into(),
        });
    }
    for_unions!(check: Optional, Nothing, Text, OptionalText, FourTexts, AtMostOne3, AtMostOne4);
}

#[test]
fn a_client_that_drops_an_unknown_discriminator_may_change_members() {
    fn check<T: Sample>() {
        assert_clients_store::<T>(|old, field| {
            let mut new = Object {
                selected: None,
                set_members: old.set_members.clone(),
            };
            new.set_members.insert(field);
            new
        });
        assert_clients_store::<T>(|_, field| Object {
            selected: None,
            set_members: [field].into(),
        });
    }
    for_unions!(check: Optional, Nothing, Text, OptionalText, FourTexts);
}

/// Checks clients that change the discriminator and set the selected member, and clients that set
/// the member in a later request.
#[test]
fn a_client_that_changes_the_discriminator_need_not_know_all_members() {
    fn check<T: Sample>() {
        assert_clients_store::<T>(|old, field| {
            let mut new = old.clone();
            new.selected = Some(value_of::<T>(field));
            new.set_members.insert(field);
            new
        });
        for old in objects_with_one_member::<T>() {
            for (field, value) in T::MODEL.members {
                let new = Object {
                    selected: Some(value),
                    set_members: old.set_members.clone(),
                };
                let mut expected = new.clone();
                expected
                    .set_members
                    .retain(|set_members| set_members == field);
                let [old, new, expected] =
                    [&old, &new, &expected].map(|object| model_object_to_json(&T::MODEL, object));
                assert_eq!(update::<T>(old, new), expected, "{field}");
            }
        }
    }
    for_unions!(check: Optional, Nothing, Text, OptionalText, FourTexts);
}

/// Checks the value that clears all members: "each API could decide to have their own "Nothing"
/// value in the discriminator".
#[test]
fn an_empty_value_clears_all_members() {
    fn check<T: Sample>() {
        for old in objects_with_one_member::<T>() {
            let mut new = old.clone();
            new.selected = Some("Nothing");
            let (old, new) = (
                model_object_to_json(&T::MODEL, &old),
                model_object_to_json(&T::MODEL, &new),
            );
            let after_clearing = update::<T>(old, new);
            assert_eq!(after_clearing, json!({"kind": "Nothing"}));
            let with_b = json!({"kind": "Nothing", "b": 2});
            assert_eq!(
                update::<T>(after_clearing, with_b),
                json!({"kind": "B", "b": 2})
            );
        }
    }
    for_unions!(check: Nothing, Text, OptionalText, FourTexts);
}

#[test]
fn an_empty_value_on_create_clears_all_members_too() {
    let mut new: Nothing = read(json!({"kind": "Nothing", "a": 1, "c": 2}));
    let changes = new.normalize_unions(None, &Settings::default());
    assert_eq!(changes.cleared().collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!(
        (changes.discriminators_set().count(), as_json(&new)),
        (0, json!({"kind": "Nothing"}))
    );
}

/// Checks a patch with a discriminator and a member that the discriminator does not select ("Future
/// Work" of the 2019 text).
#[test]
fn a_discriminator_sent_with_another_member_clears_or_follows_the_member() {
    let old = json!({"kind": "A", "a": 1});
    let changed = json!({"kind": "B", "a": 1, "c": 1});
    assert_eq!(
        update::<Nothing>(old.clone(), changed),
        json!({"kind": "B"})
    );
    let unchanged = json!({"kind": "A", "a": 1, "c": 1});
    assert_eq!(
        update::<Nothing>(old, unchanged),
        json!({"kind": "C", "c": 1})
    );
}

//! Empty values: of fields whose empty values count as unset, and of other fields.

use k8s_builtin_unions::{BuiltinMember, find_kind};
use serde_json::{Map, Value, json};
use union_runtime::Settings;

use crate::objects::places;

/// Each field of each union, with each empty value: normalization removes exactly the values that
/// count as unset, and reports each of them.
#[test]
fn normalization_removes_and_reports_the_values_that_count_as_unset() {
    let (mut removed, mut kept) = (0, 0);
    for place in places() {
        let unions = place.compile(false);
        for field in place.fields() {
            let unset_if_empty = place.unions.iter().any(|union| {
                let mut members = union.members();
                members.any(|member| member.field() == field && member.is_unset_if_empty())
                    || union.discriminator() == Some(field)
                        && union.is_discriminator_unset_if_empty()
            });
            for empty in [json!(""), json!(0), json!(false), json!([])] {
                let object = Map::from_iter([(field.to_owned(), empty)]);
                let mut new = place.whole_object(&object);
                let changes = unions.normalize(&mut new, None, &Settings::default());
                let path = place.object_path();
                let path = if path.is_empty() {
                    field.to_owned()
                } else {
                    format!("{path}.{field}")
                };
                if unset_if_empty {
                    removed += 1;
                    assert_eq!(changes.to_string(), format!("{path}: cleared"));
                    assert_eq!(new, place.whole_object(&Map::new()), "{path}");
                } else {
                    kept += 1;
                    assert!(changes.is_empty(), "{changes}");
                    assert_eq!(new, place.whole_object(&object), "{path}");
                }
            }
        }
    }
    assert!(
        removed > 100 && kept > 300,
        "{removed} removed, {kept} kept"
    );
}

#[test]
fn empty_values_of_pointers_are_values() {
    let kind = find_kind("networking.k8s.io/v1", "IngressClass").expect("a built-in kind");
    let unions = kind.compiler().strict().compile().expect("unions");
    let class = |scope: Value| json!({"spec": {"parameters": {"name": "a", "scope": scope}}});
    assert!(unions.validate(&class(Value::Null)).is_accepted());
    assert!(!unions.validate(&class(json!(""))).is_accepted());

    let kind = find_kind("resource.k8s.io/v1", "ResourceSlice").expect("a built-in kind");
    let unions = kind.compiler().compile().expect("unions");
    let slice = json!({"spec": {"nodeName": "", "allNodes": true}});
    let report = unions.validate(&slice);
    assert_eq!(report.errors()[0].path(), "spec");
    let member = |field| {
        let unions = kind.unions().into_iter();
        let mut members = unions.flat_map(|found| found.union.members().collect::<Vec<_>>());
        members.find(|member: &BuiltinMember| member.field() == field)
    };
    for field in ["nodeName", "allNodes", "devices", "sharedCounters"] {
        let member = member(field).expect("a member");
        assert!(!member.is_unset_if_empty(), "{field}");
    }
}

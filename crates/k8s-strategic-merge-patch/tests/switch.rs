//! Tests of switching a union to another member, by every form of patch.

use k8s_strategic_merge_patch::{
    FieldOwner, PatchSchema, PatchWarning, PatchWarningKind, Switch, SwitchError, patch_schema,
    switch,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use union_runtime::{EnumType, RawUnion, Union, UnionEnum};

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq)]
enum StrategyType {
    Recreate,
    RollingUpdate,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Strategy>)]
struct Strategy {
    #[union(discriminator)]
    r#type: StrategyType,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    rolling_update: Option<RollingUpdate>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct RollingUpdate {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_surge: Option<u32>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Volume>)]
struct Volume {
    name: String,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    empty_dir: Option<String>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    host_path: Option<String>,
}

/// Returns `Recreate` for `None`, and else `RollingUpdate` with the inner value as `max_surge`.
#[expect(
    clippy::option_option,
    reason = "whether it rolls, and by how much if that is said"
)]
fn strategy(surge: Option<Option<u32>>) -> Strategy {
    Strategy {
        r#type: if surge.is_some() {
            StrategyType::RollingUpdate
        } else {
            StrategyType::Recreate
        },
        rolling_update: surge.flatten().map(|surge| RollingUpdate {
            max_surge: Some(surge),
        }),
    }
}

fn volume(empty_dir: Option<&str>, host_path: Option<&str>) -> Volume {
    Volume {
        name: "v".to_owned(),
        empty_dir: empty_dir.map(str::to_owned),
        host_path: host_path.map(str::to_owned),
    }
}

/// Returns the schema of the object that contains the unions.
fn schema() -> PatchSchema {
    #[derive(Union, Serialize, JsonSchema)]
    #[schemars(transform = union_runtime::add_unions::<Spec>)]
    struct Spec {
        #[union(nested, patch_strategy = "retainKeys")]
        strategy: Strategy,
        #[union(nested, patch_strategy = "merge,retainKeys", patch_merge_key = "name")]
        volumes: Vec<Volume>,
    }
    #[derive(Serialize, JsonSchema)]
    struct Object {
        spec: Spec,
    }
    patch_schema::<Object>().expect("the schema of a derived type is well formed")
}

fn apply_merge_patch(target: &Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else {
        return patch.clone();
    };
    let mut result = target.as_object().cloned().unwrap_or_default();
    for (key, value) in patch {
        if value.is_null() {
            result.remove(key);
        } else {
            let before = result.get(key).unwrap_or(&Value::Null);
            let after = apply_merge_patch(before, value);
            result.insert(key.clone(), after);
        }
    }
    result.into()
}

/// Returns the result of a server-side apply by a manager that owns all fields.
fn apply_as_only_owner(live_object: &Value, body: &Value) -> Value {
    let mut result = live_object.clone();
    for key in ["apiVersion", "kind", "metadata", "spec"] {
        if let Some(value) = body.get(key) {
            result[key] = value.clone();
        }
    }
    result
}

fn live_object(spec: Value) -> Value {
    json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec})
}

#[test]
fn each_form_results_in_the_new_state() {
    let states = [None, Some(None), Some(Some(1)), Some(Some(2))].map(strategy);
    for old in &states {
        for new in &states {
            let switch = switch(old, new).unwrap().field("strategy").field("spec");
            let before = live_object(json!({"strategy": old}));
            let after = live_object(json!({"strategy": new}));
            assert_eq!(apply_merge_patch(&before, switch.merge_patch()), after);
            assert_eq!(
                schema()
                    .apply(before.clone(), switch.strategic_patch())
                    .unwrap(),
                after
            );
            assert_eq!(
                apply_as_only_owner(&before, &switch.apply_body(&before)),
                after
            );
        }
    }
}

#[test]
fn each_form_results_in_the_new_element() {
    let states = [(None, None), (Some("x"), None), (None, Some("y"))].map(|(a, b)| volume(a, b));
    let other_elements = [
        json!({"name": "first", "emptyDir": "z"}),
        json!({"name": "last"}),
    ];
    for old in &states {
        for new in &states {
            let list = |volume: &Volume| json!([other_elements[0], volume, other_elements[1]]);
            let before = live_object(json!({"volumes": list(old)}));
            let after = live_object(json!({"volumes": list(new)}));
            let switch = switch_in_volumes(old, new, &before);
            assert_eq!(apply_merge_patch(&before, switch.merge_patch()), after);
            assert_eq!(
                schema()
                    .apply(before.clone(), switch.strategic_patch())
                    .unwrap(),
                after
            );
            let body = switch.apply_body(&before);
            assert_eq!(body["spec"]["volumes"], json!([new]));
            assert_eq!(body["metadata"], json!({"name": "web"}));
        }
    }
}

fn switch_in_volumes(old: &Volume, new: &Volume, live_object: &Value) -> Switch {
    let switch = switch(old, new).unwrap();
    let switch = switch.element(&[("name", json!("v"))], &live_object["spec"]["volumes"]);
    switch.unwrap().field("volumes").field("spec")
}

/// Nulls clear the members that others set.
#[test]
fn members_of_others_are_cleared() {
    let [old, new] = [volume(None, None), volume(None, Some("y"))];
    let before = live_object(json!({"volumes": [{"name": "v", "emptyDir": "theirs"}]}));
    let switch = switch_in_volumes(&old, &new, &before);
    let after = live_object(json!({"volumes": [new]}));
    assert_eq!(apply_merge_patch(&before, switch.merge_patch()), after);
    assert_eq!(
        schema().apply(before, switch.strategic_patch()).unwrap(),
        after
    );
}

#[test]
fn patches_contain_only_changes() {
    let switch = switch(&strategy(Some(Some(1))), &strategy(None)).unwrap();
    assert_eq!(
        switch.merge_patch(),
        &json!({"type": "Recreate", "rollingUpdate": null})
    );
    assert_eq!(
        switch.strategic_patch(),
        &json!({"type": "Recreate", "rollingUpdate": null})
    );
    assert_eq!(switch.apply_body(&json!({})), json!({"type": "Recreate"}));
    assert_eq!(
        switch.removed_fields().collect::<Vec<_>>(),
        ["rollingUpdate"]
    );
}

fn managed_fields_entry(manager: &str, operation: &str, strategy: Value) -> Value {
    json!({"manager": manager, "operation": operation, "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:strategy": strategy}}})
}

/// Compares the owners of `rollingUpdate` with names and operations.
#[track_caller]
fn assert_owners(owners: &[FieldOwner], wanted: &[(&str, &str)]) {
    let named = |owner: &FieldOwner| (owner.manager.clone(), owner.operation.clone());
    let wanted = wanted
        .iter()
        .map(|(name, operation)| ((*name).to_owned(), (*operation).to_owned()));
    assert!(owners.iter().map(named).eq(wanted), "{owners:?}");
    assert!(owners.iter().all(|owner| owner.fields == ["rollingUpdate"]));
}

#[test]
fn owners_of_the_old_member_are_reported() {
    let switch = switch(&strategy(Some(Some(1))), &strategy(None)).unwrap();
    let switch = switch.field("strategy").field("spec");
    let rolling_update_fields = || json!({"f:type": {}, "f:rollingUpdate": {"f:maxSurge": {}}});
    let with_managed_fields = |entries: Value| json!({"metadata": {"managedFields": entries}});
    let mine = managed_fields_entry("me", "Apply", rolling_update_fields());
    let object = with_managed_fields(json!([mine]));
    assert_eq!(switch.field_owners(&object, "me"), []);
    assert!(switch.unowned_fields(&object, "me").is_empty());
    assert_owners(&switch.field_owners(&object, "you"), &[("me", "Apply")]);
    // The same name with another operation is another manager. Managers that own other fields do
    // not count.
    let object = with_managed_fields(json!([
        mine,
        managed_fields_entry("me", "Update", rolling_update_fields()),
        managed_fields_entry("kubectl", "Update", json!({"f:rollingUpdate": {}})),
        managed_fields_entry("scaler", "Apply", json!({"f:type": {}})),
        {"manager": "odd"},
        1,
    ]));
    assert_owners(
        &switch.field_owners(&object, "me"),
        &[("me", "Update"), ("kubectl", "Update")],
    );
    // Only apply by the same manager removes fields.
    for (manager, operation) in [("me", "Update"), ("you", "Apply")] {
        let entry = managed_fields_entry(manager, operation, rolling_update_fields());
        let object = with_managed_fields(json!([entry]));
        assert_eq!(switch.unowned_fields(&object, "me"), ["rollingUpdate"]);
    }
    // Fields without an owner, such as defaults, stay as well.
    let object = with_managed_fields(json!([]));
    assert_eq!(switch.field_owners(&object, "me"), []);
    assert_eq!(switch.unowned_fields(&object, "me"), ["rollingUpdate"]);
    for malformed in [
        json!(null),
        json!({}),
        with_managed_fields(json!({})),
        with_managed_fields(json!([{"fieldsV1": {"f:spec": 1}}])),
    ] {
        assert_eq!(switch.field_owners(&malformed, "me"), []);
    }
}

#[test]
fn owners_of_a_member_in_an_element_are_reported() {
    let [old, new] = [volume(Some("x"), None), volume(None, Some("y"))];
    let before = live_object(json!({"volumes": [old]}));
    let switch = switch_in_volumes(&old, &new, &before);
    let element =
        |key: &str| Map::from_iter([(key.to_owned(), json!({"f:emptyDir": {}, ".": {}}))]);
    let entry = |key: &str| json!([{"manager": "them", "operation": "Update", "fieldsV1": {"f:spec": {"f:volumes": element(key)}}}]);
    let owners =
        |key: &str| switch.field_owners(&json!({"metadata": {"managedFields": entry(key)}}), "me");
    assert_eq!(owners("k:{\"name\":\"v\"}")[0].fields, ["emptyDir"]);
    assert_eq!(owners("k:{ \"name\" : \"v\" }").len(), 1);
    for other_key in ["k:{\"name\":\"w\"}", "k:{", "v:\"v\"", "f:v"] {
        assert_eq!(owners(other_key), [], "{other_key}");
    }
}

/// A field that is null before or after the switch counts as unset in every form.
#[test]
fn names_that_are_null_count_as_unset() {
    #[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
    #[schemars(transform = union_runtime::add_unions::<WithNulls>)]
    struct WithNulls {
        note: Option<String>,
        #[union(member, group = source)]
        #[serde(skip_serializing_if = "Option::is_none")]
        a: Option<String>,
        #[union(member, group = source)]
        #[serde(skip_serializing_if = "Option::is_none")]
        b: Option<String>,
    }
    let state = |note: Option<&str>, a: Option<&str>, b: Option<&str>| WithNulls {
        note: note.map(str::to_owned),
        a: a.map(str::to_owned),
        b: b.map(str::to_owned),
    };
    let [unset, set] = [None, Some("n")];
    for (old, new, patch, apply, removed) in [
        (
            state(unset, Some("x"), None),
            state(unset, None, Some("y")),
            json!({"a": null, "b": "y"}),
            json!({"b": "y"}),
            vec!["a"],
        ),
        (
            state(set, Some("x"), None),
            state(unset, None, Some("y")),
            json!({"note": null, "a": null, "b": "y"}),
            json!({"b": "y"}),
            vec!["note", "a"],
        ),
        (
            state(unset, Some("x"), None),
            state(set, Some("x"), None),
            json!({"note": "n", "b": null}),
            json!({"note": "n", "a": "x"}),
            vec![],
        ),
    ] {
        let switch = switch(&old, &new).unwrap();
        assert_eq!(switch.merge_patch(), &patch, "{old:?}");
        assert_eq!(switch.strategic_patch(), &patch, "{old:?}");
        assert_eq!(switch.apply_body(&json!({})), apply, "{old:?}");
        let mut removed_fields: Vec<&str> = switch.removed_fields().collect();
        removed_fields.sort_unstable();
        let mut removed = removed;
        removed.sort_unstable();
        assert_eq!(removed_fields, removed, "{old:?}");
    }
}

/// Only elements that really share keys have warnings.
#[test]
fn a_key_that_occurs_twice_has_a_warning_for_its_place() {
    let [old, new] = [volume(Some("x"), None), volume(None, Some("y"))];
    let named = |name: &str| json!({"name": name, "emptyDir": "x"});
    for (list, expected) in [
        (vec!["v"], vec![]),
        (vec!["u", "v", "w"], vec![]),
        (vec!["u", "u", "v"], vec![]),
        (vec!["v", "w", "w"], vec![]),
        (vec!["v", "v"], vec![PatchWarningKind::AmbiguousElements]),
        (
            vec!["u", "v", "w", "v"],
            vec![PatchWarningKind::AmbiguousElements],
        ),
    ] {
        let elements: Value = list.iter().map(|name| named(name)).collect();
        let switch = switch(&old, &new)
            .unwrap()
            .element(&[("name", json!("v"))], &elements);
        let kinds: Vec<PatchWarningKind> = switch
            .unwrap()
            .warnings()
            .iter()
            .map(PatchWarning::kind)
            .collect();
        assert_eq!(kinds, expected, "{list:?}");
    }
    // The other element is the first with the first key, but it has not all keys.
    let element = |mode: &str| json!({"name": "v", "mode": mode, "emptyDir": "x"});
    let keys = [("name", json!("v")), ("mode", json!("b"))];
    for (list, expected) in [
        (["a", "b"], vec![PatchWarningKind::ListReplaced]),
        (["b", "a"], vec![]),
        (["b", "b"], vec![PatchWarningKind::AmbiguousElements]),
    ] {
        let elements: Value = list.iter().map(|mode| element(mode)).collect();
        let switch = switch(&old, &new)
            .unwrap()
            .element(&keys, &elements)
            .unwrap();
        let kinds: Vec<PatchWarningKind> =
            switch.warnings().iter().map(PatchWarning::kind).collect();
        assert_eq!(kinds, expected, "{list:?}");
    }
}

#[test]
fn a_missing_element_is_an_error() {
    let switch = || switch(&volume(None, None), &volume(Some("x"), None)).unwrap();
    for list in [json!([]), json!([{"name": "w"}]), json!({}), json!([1])] {
        let error = switch()
            .element(&[("name", json!("v"))], &list)
            .unwrap_err();
        assert!(matches!(error, SwitchError::ElementNotFound { .. }));
        assert!(error.to_string().contains("name: \"v\""), "{error}");
    }
    let keys = [("name", json!("v")), ("mode", json!("b"))];
    let error = switch().element(&keys, &json!([])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the live list has no element with name: \"v\", mode: \"b\"; \
         pass the list that contains the old state"
    );
}

#[test]
fn a_deep_live_list_is_an_error() {
    let list = |depth| {
        let deep_value = (0..depth).fold(json!(1), |inner, _| json!({ "a": inner }));
        json!([{"name": "v", "emptyDir": "x", "a": deep_value}])
    };
    let element = |list: &Value| {
        let switch = switch(&volume(Some("x"), None), &volume(None, Some("y"))).unwrap();
        switch.element(&[("name", json!("v"))], list)
    };
    assert!(element(&list(10)).is_ok());
    let error = element(&list(200)).unwrap_err();
    assert!(error.to_string().contains("exceeded max depth"), "{error}");
}

/// A server finds an element by its first key alone.
#[test]
fn elements_may_share_their_first_key() {
    let schema = PatchSchema::compile(&json!({"properties": {"ports": {
        "items": {"properties": {"s": {"properties": {"rollingUpdate": {"properties": {}}}}}},
        "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "port",
    }}}));
    let schema = schema.unwrap();
    let port = |port: u32, protocol: &str| json!({"port": port, "protocol": protocol, "s": {"type": "RollingUpdate"}});
    let live_object = json!({"ports": [port(53, "UDP"), port(53, "TCP"), port(80, "TCP")]});
    let check_switch = |element: usize, number: u32, protocol: &str| {
        let switch = switch(&strategy(Some(None)), &strategy(None)).unwrap();
        let keys = [("port", json!(number)), ("protocol", json!(protocol))];
        let switch = switch
            .field("s")
            .element(&keys, &live_object["ports"])
            .unwrap()
            .field("ports");
        let mut wanted = live_object.clone();
        wanted["ports"][element]["s"] = json!({"type": "Recreate"});
        let result = schema.apply(live_object.clone(), switch.strategic_patch());
        assert_eq!(result.unwrap(), wanted);
        assert_eq!(
            apply_merge_patch(&live_object, switch.merge_patch()),
            wanted
        );
        switch
    };
    assert_eq!(check_switch(0, 53, "UDP").warnings(), []);
    assert_eq!(check_switch(2, 80, "TCP").warnings(), []);
    let switch_of_second = check_switch(1, 53, "TCP");
    let [warning] = switch_of_second.warnings() else {
        panic!("{:?}", switch_of_second.warnings());
    };
    assert_eq!(warning.kind(), PatchWarningKind::ListReplaced);
    assert_eq!(warning.path(), "ports");
    assert_eq!(warning.elements(), [port(53, "UDP"), port(53, "TCP")]);
    // The keys do not tell the elements apart.
    let switch = switch(&strategy(Some(None)), &strategy(None)).unwrap();
    let switch = switch
        .field("s")
        .element(&[("port", json!(53))], &live_object["ports"]);
    let kinds: Vec<PatchWarningKind> = switch
        .unwrap()
        .warnings()
        .iter()
        .map(PatchWarning::kind)
        .collect();
    assert_eq!(kinds, [PatchWarningKind::AmbiguousElements]);
}

/// A list is replaced, and an element is ambiguous: in the same list, or in a list within.
#[test]
fn ambiguous_elements_in_replaced_lists_have_both_warnings() {
    let port =
        |protocol: &str, inner: Value| json!({"port": 53, "protocol": protocol, "ports": inner});
    let element = |name: &str| json!({"port": 1, "name": name, "s": {"type": "RollingUpdate"}});
    let switch_element = |keys: &[(&str, Value)], live_object: &Value| {
        let switch = switch(&strategy(Some(None)), &strategy(None)).unwrap();
        switch.field("s").element(keys, live_object).unwrap()
    };
    let kinds_paths_and_counts = |switch: &Switch| -> Vec<(PatchWarningKind, String, usize)> {
        let warnings = switch.warnings().iter();
        let kinds_paths_and_counts = warnings.map(|warning| {
            let path = warning.path().to_string();
            (warning.kind(), path, warning.elements().len())
        });
        kinds_paths_and_counts.collect()
    };
    let protocol = |protocol: &str| [("port", json!(53)), ("protocol", json!(protocol))];
    // The first element has another protocol, and the other two the same.
    let live_object = json!([
        port("UDP", json!([])),
        port("TCP", json!([])),
        port("TCP", json!([]))
    ]);
    let switched = switch_element(&protocol("TCP"), &live_object).field("ports");
    assert_eq!(
        kinds_paths_and_counts(&switched),
        [
            (PatchWarningKind::ListReplaced, "ports".to_owned(), 3),
            (PatchWarningKind::AmbiguousElements, "ports".to_owned(), 2),
        ]
    );
    // The inner element is ambiguous, and the outer list is replaced.
    let inner = json!([element("a"), element("b")]);
    let live_object = json!([port("UDP", json!([])), port("TCP", inner.clone())]);
    let switched = switch_element(&[("port", json!(1))], &inner).field("ports");
    let switched = switched
        .element(&protocol("TCP"), &live_object)
        .unwrap()
        .field("ports");
    assert_eq!(
        kinds_paths_and_counts(&switched),
        [
            (
                PatchWarningKind::AmbiguousElements,
                "ports[53].ports".to_owned(),
                2
            ),
            (PatchWarningKind::ListReplaced, "ports".to_owned(), 2),
        ]
    );
}

/// The union is in a field of an element, and does not have the keys of the element itself.
#[test]
fn a_union_may_be_in_a_field_of_an_element() {
    let object = json!({"list": [{"id": 1, "s": {"type": "RollingUpdate"}, "more": 2}, {"id": 2}]});
    let switch = switch(&strategy(Some(None)), &strategy(None))
        .unwrap()
        .field("s");
    let switch = switch
        .element(&[("id", json!(1))], &object["list"])
        .unwrap()
        .field("list");
    assert_eq!(
        apply_merge_patch(&object, switch.merge_patch()),
        json!({"list": [{"id": 1, "s": {"type": "Recreate"}, "more": 2}, {"id": 2}]})
    );
    assert_eq!(
        switch.strategic_patch(),
        &json!({"list": [{"id": 1, "s": {"type": "Recreate", "rollingUpdate": null}}]})
    );
    assert_eq!(
        switch.apply_body(&json!({})),
        json!({"list": [{"id": 1, "s": {"type": "Recreate"}}]})
    );
}

/// The same union as `Strategy`, as an enum. A switch also clears members that the enum does not
/// know.
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum StrategyEnum {
    Recreate,
    RollingUpdate(Option<u32>),
    #[union(other)]
    Other(RawUnion),
}

#[test]
fn enums_and_structs_switch_equally() {
    #[derive(Union, Serialize, JsonSchema)]
    #[schemars(transform = union_runtime::add_unions::<Spec>)]
    struct Spec {
        #[union(nested, patch_strategy = "retainKeys")]
        strategy: StrategyEnum,
    }
    let schema = patch_schema::<Spec>().expect("the schema of a derived type is well formed");
    let states = [
        json!({"type": "Recreate"}),
        json!({"type": "RollingUpdate"}),
        json!({"type": "RollingUpdate", "rollingUpdate": 1}),
        json!({"type": "Paused", "paused": {"until": "noon"}}),
    ];
    let deserialize =
        |state: &Value| StrategyEnum::deserialize(state).expect("the JSON fits the type");
    for old in &states {
        for new in &states {
            let switch = switch(&deserialize(old), &deserialize(new))
                .unwrap()
                .field("strategy");
            let (before, after) = (json!({"strategy": old}), json!({"strategy": new}));
            assert_eq!(apply_merge_patch(&before, switch.merge_patch()), after);
            let patched = schema.apply(before.clone(), switch.strategic_patch());
            assert_eq!(patched.unwrap(), after);
            let body = switch.apply_body(&before);
            assert_eq!(body["strategy"], *new);
        }
    }
}

/// Live objects have fields that the type does not know: of a newer version, or beside an inlined
/// union. Each patch keeps these fields.
#[test]
fn unknown_fields_are_kept() {
    let unknown = [
        json!({}),
        json!({"pausedUntil": "noon"}),
        json!({"zone": {"name": "a", "members": [1, 2]}, "a.b": null, "": 1}),
        json!({"$odd": [{"name": "x"}], "rollingUpdates": {"maxSurge": 1}}),
    ];
    let with_unknown = |known: &Value, unknown: &Value| {
        let mut fields = known.as_object().cloned().unwrap_or_default();
        fields.extend(unknown.as_object().cloned().unwrap_or_default());
        Value::Object(fields)
    };
    let object_with = |strategy: &Value, volume: &Value| {
        live_object(json!({"strategy": strategy, "volumes": [volume]}))
    };
    let mut switch_count = 0;
    for unknown in &unknown {
        let states = [None, Some(None), Some(Some(1)), Some(Some(2))].map(strategy);
        for old in &states {
            for new in &states {
                let switch = switch(old, new).unwrap().field("strategy").field("spec");
                let [before, after] = [old, new].map(|state| {
                    object_with(&with_unknown(&json!(state), unknown), &json!({"name": "v"}))
                });
                assert_eq!(
                    schema()
                        .apply(before.clone(), switch.strategic_patch())
                        .unwrap(),
                    after
                );
                assert_eq!(apply_merge_patch(&before, switch.merge_patch()), after);
                switch_count += 1;
            }
        }
        let states =
            [(None, None), (Some("x"), None), (None, Some("y"))].map(|(a, b)| volume(a, b));
        for old in &states {
            for new in &states {
                let [before, after] = [old, new].map(|state| {
                    object_with(
                        &json!(strategy(None)),
                        &with_unknown(&json!(state), unknown),
                    )
                });
                let switch = switch_in_volumes(old, new, &before);
                assert_eq!(
                    schema()
                        .apply(before.clone(), switch.strategic_patch())
                        .unwrap(),
                    after
                );
                assert_eq!(apply_merge_patch(&before, switch.merge_patch()), after);
                switch_count += 1;
            }
        }
    }
    assert_eq!(switch_count, 4 * (16 + 9));
}

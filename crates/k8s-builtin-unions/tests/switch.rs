//! Switches of the unions of all kinds: from each member to each other member, at every path.

use std::collections::{BTreeMap, BTreeSet};

use k8s_builtin_unions::{BuiltinKind, KindUnions, find_kind, kinds};
use k8s_strategic_merge_patch::{MemberChoice, MemberSwitchError, PatchSchema};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use union_json::{SchemaNode, UnionAtNode};
use union_runtime::path::FieldPath;
use union_runtime::{DiscriminatorSpec, MemberSpec, UnionSpec};

/// The types of the data file, with the patch strategies of their fields.
#[derive(Deserialize)]
struct Table {
    types: BTreeMap<String, BTreeMap<String, Field>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Field {
    #[serde(rename = "type")]
    type_name: String,
    shape: String,
    keys: Vec<String>,
    patch_strategy: String,
    merge_key: String,
}

impl Field {
    fn is_list(&self) -> bool {
        self.shape == "list"
    }

    /// Returns the key by which a strategic merge patch finds an element.
    fn merge_key(&self) -> Option<&str> {
        let mut words = self.patch_strategy.split(',');
        let is_merged = self.is_list() && words.any(|word| word == "merge");
        (is_merged && !self.merge_key.is_empty()).then_some(&self.merge_key)
    }

    fn has_retain_keys(&self) -> bool {
        let mut words = self.patch_strategy.split(',');
        let is_element = self.is_list() && self.merge_key().is_none();
        words.any(|word| word == "retainKeys") && !is_element
    }
}

fn table() -> Table {
    serde_json::from_str(include_str!("../data/unions.json")).expect("the data file")
}

/// The unions of an object in a kind, and the fields that lead to the object.
struct Place<'u> {
    steps: Vec<(String, Field)>,
    unions: Vec<UnionSpec<'u>>,
}

/// Returns the places of all unions of a kind, each type inside itself once.
fn places<'u>(kind: BuiltinKind, unions: &'u KindUnions, table: &Table) -> Vec<Place<'u>> {
    let roots: Vec<_> = unions
        .layers()
        .iter()
        .map(union_json::Unions::root_node)
        .collect();
    let mut places = Vec::new();
    let mut pending = vec![(Vec::new(), vec![kind.type_name().to_owned()], roots)];
    while let Some((steps, types, nodes)) = pending.pop() {
        let unions = nodes.iter().flatten().flat_map(|node| node.unions());
        let unions = unions.map(UnionAtNode::spec);
        let unions: Vec<_> = unions.filter(|spec| spec.members().len() > 0).collect();
        for (name, field) in &table.types[&types[types.len() - 1]] {
            if !table.types.contains_key(&field.type_name) || types.contains(&field.type_name) {
                continue;
            }
            let mut steps: Vec<(String, Field)> = steps.clone();
            steps.push((name.clone(), field.clone()));
            let mut types = types.clone();
            types.push(field.type_name.clone());
            let nodes = nodes.iter().map(|node| child(*node, name, field)).collect();
            pending.push((steps, types, nodes));
        }
        if !unions.is_empty() {
            places.push(Place { steps, unions });
        }
    }
    places
}

fn child<'u>(node: Option<SchemaNode<'u>>, name: &str, field: &Field) -> Option<SchemaNode<'u>> {
    let (_, node) = node?.fields().find(|(field, _)| *field == name)?;
    match field.shape.as_str() {
        "list" => node.items(),
        "map" => node.additional_properties(),
        _ => Some(node),
    }
}

impl Place<'_> {
    fn path(&self) -> FieldPath {
        let mut path = FieldPath::root();
        for (name, field) in &self.steps {
            path = path.field(name);
            path = match field.shape.as_str() {
                "list" => path.index(1),
                "map" => path.key("key"),
                _ => path,
            };
        }
        path
    }

    /// Returns an object of the kind with an object in this place. A list has another element
    /// before.
    fn live(&self, inner: &Map<String, Value>) -> Value {
        let mut value = Value::Object(inner.clone());
        for (name, field) in self.steps.iter().rev() {
            let keys = field
                .keys
                .iter()
                .map(String::as_str)
                .chain(field.merge_key());
            let keys: BTreeSet<&str> = keys.collect();
            value = match field.shape.as_str() {
                "list" => {
                    let mut other = json!({});
                    for key in keys {
                        other[key] = "a".into();
                        value[key] = "b".into();
                    }
                    json!([other, value])
                }
                "map" => json!({ "key": value }),
                _ => value,
            };
            value = json!({ name: value });
        }
        value
    }

    /// Returns the patch of the whole object: strategic, or else a JSON merge patch.
    fn patch(&self, union_patch: Value, new_live: &Value, is_strategic: bool) -> Value {
        wrap(&self.steps, union_patch, new_live, is_strategic)
    }

    /// Returns true if the unions of this place are valid in an object of the kind.
    fn is_valid(&self, unions: &KindUnions, object: &Map<String, Value>) -> bool {
        let path = self.path();
        let report = unions.validate(&self.live(object));
        let mut errors = report.errors().iter();
        !errors.any(|error| *error.path() == path || error.path().parent() == Some(path.clone()))
    }
}

fn wrap(steps: &[(String, Field)], union_patch: Value, new: &Value, is_strategic: bool) -> Value {
    let Some(((name, field), rest)) = steps.split_first() else {
        return union_patch;
    };
    let new = &new[name];
    let patch = match field.shape.as_str() {
        "list" => match field.merge_key().filter(|_| is_strategic) {
            Some(key) => {
                let mut element = wrap(rest, union_patch, &new[1], is_strategic);
                element[key] = "b".into();
                json!([element])
            }
            None => new.clone(),
        },
        "map" => json!({ "key": wrap(rest, union_patch, &new["key"], is_strategic) }),
        _ => wrap(rest, union_patch, new, is_strategic),
    };
    json!({ name: patch })
}

/// A member, or a discriminator value without a member.
#[derive(Clone, Copy, Debug, PartialEq)]
struct State<'u> {
    field: Option<&'u str>,
    value: &'u str,
}

fn states<'u>(spec: &UnionSpec<'u>) -> Vec<State<'u>> {
    let members = spec.members().map(|member| State {
        field: Some(member.name()),
        value: member.value(),
    });
    let mut states: Vec<State<'u>> = members.collect();
    let values = spec.discriminator().map(DiscriminatorSpec::values);
    for value in values
        .into_iter()
        .flat_map(union_runtime::DiscriminatorValues::iter)
    {
        if states.iter().all(|state| state.value != value) {
            states.push(State { field: None, value });
        }
    }
    states
}

/// Sets a state of a union in an object, which has no other member of the union.
fn set(object: &mut Map<String, Value>, spec: &UnionSpec<'_>, state: State<'_>, value: &str) {
    if let Some(field) = state.field {
        object.insert(field.to_owned(), value.into());
    }
    if let Some(discriminator) = spec.discriminator() {
        object.insert(discriminator.name().to_owned(), state.value.into());
    }
}

/// Returns a valid object of a place in which a union has a state. Returns `None` if every such
/// object is invalid.
fn object_with(
    place: &Place<'_>,
    unions: &KindUnions,
    spec: &UnionSpec<'_>,
    state: State<'_>,
) -> Option<Map<String, Value>> {
    let mut object = Map::new();
    set(&mut object, spec, state, "x");
    for other in &place.unions {
        if place.is_valid(unions, &object) {
            break;
        }
        let own = |name: &str| spec.members().any(|member| member.name() == name);
        let additions = states(other).into_iter().filter_map(|addition| {
            let mut object = object.clone();
            let keeps_state = addition
                .field
                .is_none_or(|field| !own(field) || Some(field) == state.field);
            set(&mut object, other, addition, "x");
            keeps_state.then_some(object)
        });
        let counts = additions.map(|object| {
            let path = place.path();
            let report = unions.validate(&place.live(&object));
            let errors = report.errors().iter();
            let errors = errors
                .filter(|error| error.path().starts_with(&path))
                .count();
            (errors, object)
        });
        if let Some((_, better)) = counts.min_by_key(|(errors, _)| *errors) {
            object = better;
        }
    }
    place.is_valid(unions, &object).then_some(object)
}

/// Checks a switch. Returns false if another union of the object is invalid after the switch.
fn check(
    place: &Place<'_>,
    (unions, schema): (&KindUnions, &PatchSchema),
    old: &Map<String, Value>,
    spec: &UnionSpec<'_>,
    to: State<'_>,
) -> bool {
    let has_field = |spec: &&UnionSpec<'_>| {
        let mut names = spec.members().map(MemberSpec::name);
        names.any(|name| Some(name) == to.field)
    };
    let mut new = old.clone();
    let mut changes = Map::new();
    let touched: Vec<&UnionSpec<'_>> = match to.field {
        Some(_) => place.unions.iter().filter(has_field).collect(),
        None => vec![spec],
    };
    for spec in touched {
        for member in spec
            .members()
            .filter(|member| Some(member.name()) != to.field)
        {
            new.remove(member.name());
            changes.insert(member.name().to_owned(), Value::Null);
        }
        // Each union has a discriminator value of its own for the member.
        let state = states(spec)
            .into_iter()
            .find(|state| to.field.is_some() && state.field == to.field);
        set(&mut new, spec, state.unwrap_or(to), "y");
    }
    for (name, value) in &new {
        if old.get(name) != Some(value) {
            changes.insert(name.clone(), value.clone());
        }
    }
    let (live, new_live) = (place.live(old), place.live(&new));
    let path = place.path();
    let mut choice = MemberChoice::new(path.clone(), to.field.unwrap_or(to.value));
    if to.field.is_some() {
        choice = choice.with_value("y".into());
    }
    let switch = match unions.switch(schema, &live, &choice) {
        Err(MemberSwitchError::Invalid { .. }) if !place.is_valid(unions, &new) => return false,
        switch => switch.unwrap_or_else(|error| panic!("{path}: {to:?}: {live}: {error}")),
    };
    let merge_patch = place.patch(changes.clone().into(), &new_live, false);
    assert_eq!(switch.merge_patch(), &merge_patch, "{path}: {to:?}");
    assert_eq!(switch.switched_object(&live), new_live, "{path}: {to:?}");
    if place
        .steps
        .last()
        .is_some_and(|(_, field)| field.has_retain_keys())
    {
        changes.retain(|_, value| !value.is_null());
        let element = place.path().find(&new_live).expect("the object").clone();
        let names: Vec<&String> = element.as_object().expect("an object").keys().collect();
        changes.insert("$retainKeys".to_owned(), json!(names));
    }
    let strategic_patch = place.patch(changes.into(), &new_live, true);
    assert_eq!(switch.strategic_patch(), &strategic_patch, "{path}: {to:?}");
    let patched = schema
        .apply(live, switch.strategic_patch())
        .expect("a valid changes");
    assert_eq!(patched, new_live, "{path}: {to:?}");
    true
}

#[test]
fn every_union_switches_from_each_member_to_each_other_member() {
    let table = table();
    let mut seen = BTreeSet::new();
    let (mut switched, mut retain_keys) = (0, 0);
    let (mut invalid, mut excluded) = (BTreeSet::new(), BTreeSet::new());
    for kind in kinds() {
        let unions = kind.compiler().with_unenforced().compile().expect("unions");
        let schema = kind.patch_schema().expect("a schema");
        for place in places(kind, &unions, &table) {
            let last_type = place.steps.last().map(|(_, field)| field.type_name.clone());
            // In the other kinds that have a type, each member is switched only to the next one.
            let is_first = seen.insert(last_type.clone());
            for spec in &place.unions {
                let states = states(spec);
                for (i, from) in states.iter().enumerate() {
                    let Some(old) = object_with(&place, &unions, spec, *from) else {
                        excluded.insert(format!("{}: {}", place.path(), from.value));
                        continue;
                    };
                    for (j, to) in states.iter().enumerate() {
                        let is_next = j == (i + 1) % states.len();
                        if i == j || !(is_first || is_next) {
                            continue;
                        }
                        if check(&place, (&unions, &schema), &old, spec, *to) {
                            switched += 1;
                            let last = place.steps.last();
                            retain_keys +=
                                usize::from(last.is_some_and(|(_, field)| field.has_retain_keys()));
                        } else {
                            invalid.insert(format!("{}: {from:?} to {to:?}", place.path()));
                        }
                    }
                }
            }
        }
    }
    // Another union of the target requires another member.
    let expected = [
        "spec.metrics[1].containerResource.target: Value",
        "spec.metrics[1].external.target: Utilization",
        "spec.metrics[1].resource.target: Value",
    ];
    assert_eq!(excluded, expected.map(str::to_owned).into());
    // These objects need several new members, such as `apiGroups` and `resources` of a PolicyRule.
    assert!(!invalid.is_empty() && invalid.len() < 30, "{invalid:#?}");
    assert!(
        switched > 3_000 && retain_keys > 1_000,
        "{switched}, {retain_keys}"
    );
}

/// Returns the unions and the schema of a kind.
fn pod() -> (KindUnions, PatchSchema) {
    let kind = find_kind("v1", "Pod").expect("a built-in kind");
    let unions = kind.compiler().compile().expect("unions");
    (unions, kind.patch_schema().expect("a schema"))
}

#[test]
fn the_value_of_a_member_is_replaced_and_not_merged() {
    let (unions, schema) = pod();
    let live = json!({"spec": {"volumes": [
        {"name": "v", "configMap": {"name": "a", "items": [{"key": "k", "path": "p"}]}, "emptyDir": {}},
    ]}});
    let path = FieldPath::resolve("spec.volumes[0]", &live).expect("a path");
    let choice = MemberChoice::new(path, "configMap").with_value(json!({"name": "b"}));
    let switch = unions.switch(&schema, &live, &choice).expect("a switch");
    assert_eq!(
        switch.strategic_patch(),
        &json!({"spec": {"volumes": [{
            "name": "v",
            "$retainKeys": ["configMap", "name"],
            "configMap": {"$patch": "replace", "name": "b"},
        }]}}),
    );
    let expected = json!({"spec": {"volumes": [{"name": "v", "configMap": {"name": "b"}}]}});
    assert_eq!(
        schema
            .apply(live, switch.strategic_patch())
            .expect("a patch"),
        expected
    );
}

#[test]
fn errors_name_what_is_allowed() {
    let (unions, schema) = pod();
    let container = json!({"name": "app", "env": [{"name": "A", "value": "x"}]});
    let live =
        json!({"spec": {"containers": [container], "volumes": [{"name": "v", "emptyDir": {}}]}});
    let nested = json!({"fieldRef": {}, "secretKeyRef": {}});
    for (path, member, value, expected) in [
        (
            "spec.containers[0]",
            "value",
            None,
            "spec.containers[0]: no union has this path; the unions of the object are at spec, \
             spec.containers[0].env[0], spec.volumes[0]",
        ),
        (
            "spec.containers[0].env[0]",
            "valuesFrom",
            None,
            "spec.containers[0].env[0]: unknown member \"valuesFrom\"; use one of: value, valueFrom",
        ),
        (
            "spec.containers[0].env[0]",
            "valueFrom",
            None,
            "spec.containers[0].env[0].valueFrom: the live object has no value; pass the value of the member",
        ),
        (
            "spec.containers[0].env[0]",
            "valueFrom",
            Some(nested),
            "the union is invalid after the switch: spec.containers[0].env[0].valueFrom: Invalid value: \
             \"{fieldRef, secretKeyRef}\": must specify exactly one of: `configMapKeyRef`, `fieldRef`, `fileKeyRef`, \
             `resourceFieldRef`, `secretKeyRef`: remove all but one",
        ),
        (
            "spec.volumes[0]",
            "configMap",
            Some(json!({"$patch": "delete"})),
            "spec.volumes[0]: no strategic merge patch has exactly this result; replace the object instead",
        ),
    ] {
        let path = FieldPath::resolve(path, &live).expect("a path");
        let mut choice = MemberChoice::new(path, member);
        if let Some(value) = value {
            choice = choice.with_value(value);
        }
        let error = unions
            .switch(&schema, &live, &choice)
            .expect_err("an error");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_value_that_counts_as_unset_is_not_a_switch() {
    let kind = find_kind("resource.k8s.io/v1beta1", "ResourceSlice").expect("a built-in kind");
    let (unions, schema) = (kind.compiler().compile(), kind.patch_schema());
    let (unions, schema) = (unions.expect("unions"), schema.expect("a schema"));
    let live = json!({"spec": {"nodeName": "a", "devices": []}});
    let choice = MemberChoice::new(FieldPath::from(["spec"]), "allNodes");
    let switch =
        |value: bool| unions.switch(&schema, &live, &choice.clone().with_value(value.into()));
    assert!(switch(true).is_ok());
    assert!(matches!(
        switch(false),
        Err(MemberSwitchError::Invalid { .. })
    ));
}

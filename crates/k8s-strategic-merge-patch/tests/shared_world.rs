//! Tests of patches in a small world: lists of up to three ports of a Service, with two numbers,
//! two protocols and a third field. A patch gives what its author wants, or has a warning.

use std::collections::{BTreeMap, BTreeSet};

use k8s_strategic_merge_patch::{DiffError, OnConflict, Patch, PatchSchema, PatchWarningKind};
use serde_json::{Map, Value, json};

use crate::shared_keys::{apply, kinds, lists, service, sorted};

/// The number of a port, and the protocol if ports share the number. Both identify the port.
type Identity = (i64, Option<String>);

/// Returns the ports of the world.
fn ports() -> Vec<Value> {
    let mut ports = Vec::new();
    for number in [53, 54] {
        for protocol in ["TCP", "UDP"] {
            for extra_field in [None, Some(1), Some(2)] {
                let mut port = json!({"port": number, "protocol": protocol});
                if let Some(extra_field) = extra_field {
                    port["third"] = json!(extra_field);
                }
                ports.push(port);
            }
        }
    }
    ports
}

/// All lists of up to three ports, with their documents.
struct World {
    schema: PatchSchema,
    lists: Vec<Vec<Value>>,
    documents: Vec<Value>,
}

impl World {
    fn new() -> Self {
        let lists = lists(&ports(), 3);
        let documents = lists.iter().map(|ports| json!({"ports": ports}));
        Self {
            schema: service(),
            documents: documents.collect(),
            lists,
        }
    }
}

fn number(port: &Value) -> i64 {
    port["port"].as_i64().expect("a number")
}

/// Returns the numbers that ports of one list share.
fn shared_numbers(lists: [&[Value]; 3]) -> BTreeSet<i64> {
    let is_shared = |wanted: &i64| {
        lists.iter().any(|list| {
            let with_number = list.iter().filter(|port| number(port) == *wanted);
            with_number.count() > 1
        })
    };
    [53, 54].into_iter().filter(is_shared).collect()
}

/// Returns the ports by their identities; `None` if two ports have the same identity.
fn by_identity<'v>(
    list: &'v [Value],
    shared: &BTreeSet<i64>,
) -> Option<BTreeMap<Identity, &'v Map<String, Value>>> {
    let mut fields_by_identity = BTreeMap::new();
    for port in list {
        let fields = port.as_object().expect("an object");
        let number = number(port);
        let protocol = shared
            .contains(&number)
            .then(|| port["protocol"].to_string());
        if fields_by_identity
            .insert((number, protocol), fields)
            .is_some()
        {
            return None;
        }
    }
    Some(fields_by_identity)
}

/// Returns true if the elements of a patch may be other elements than the author's.
fn is_uncertain(patch: &Patch) -> bool {
    let is_uncertain = |kind| {
        matches!(
            kind,
            PatchWarningKind::AmbiguousElements | PatchWarningKind::NotExpressible
        )
    };
    kinds(patch).into_iter().any(is_uncertain)
}

fn warns_of_order(patch: &Patch) -> bool {
    kinds(patch).contains(&PatchWarningKind::OrderNotChanged)
}

/// Returns the elements that the list should have after a three-way patch.
fn wanted(lists: [&[Value]; 3]) -> Option<Vec<Value>> {
    let shared = shared_numbers(lists);
    let [original, modified, current] = lists.map(|list| by_identity(list, &shared));
    let (original, modified, current) = (original?, modified?, current?);
    let mut wanted = Vec::new();
    for (identity, fields) in &modified {
        let mut element: Map<String, Value> =
            current.get(identity).copied().cloned().unwrap_or_default();
        if let Some(original) = original.get(identity) {
            element.retain(|name, _| !original.contains_key(name));
        }
        element.extend((*fields).clone());
        wanted.push(element.into());
    }
    for (identity, fields) in current {
        if !original.contains_key(&identity) && !modified.contains_key(&identity) {
            wanted.push(Value::Object(fields.clone()));
        }
    }
    Some(wanted)
}

/// Returns true if a list has an element with the fields of each of these elements.
fn has_elements(list: &[Value], elements: &[Value]) -> bool {
    let has_fields = |found: &Value, element: &Value| {
        let mut fields = element.as_object().expect("an object").iter();
        fields.all(|(name, value)| found.get(name) == Some(value))
    };
    elements
        .iter()
        .all(|element| list.iter().any(|found| has_fields(found, element)))
}

#[test]
fn a_difference_gives_the_modified_list() {
    let world = World::new();
    let count = world.lists.len();
    let mut changed_order_count = 0;
    // The steps have no common factor with the number of lists, so that all lists are met.
    for case in (0..count.pow(2)).step_by(1_009) {
        let (before, after) = (case % count, case / count);
        let [old, new] = [before, after].map(|i| &world.documents[i]);
        let patch = world.schema.diff(old, new).expect("a patch");
        let result = apply(&world.schema, old, &patch);
        assert!(!is_uncertain(&patch), "{old} {new}: {:?}", patch.warnings());
        let wanted = &world.lists[after];
        assert_eq!(sorted(&result), sorted(wanted), "{old} {new}: {patch}");
        let is_in_order = result == *wanted;
        assert_eq!(is_in_order, !warns_of_order(&patch), "{old} {new}: {patch}");
        changed_order_count += usize::from(!is_in_order);
        if before == after {
            assert_eq!(patch, json!({}));
        }
    }
    assert!(changed_order_count > 50, "{changed_order_count}");
}

/// The live object is unchanged, so the result is the whole modified list.
#[test]
fn a_three_way_patch_of_an_unchanged_object_gives_the_modified_list() {
    let world = World::new();
    let count = world.lists.len();
    for case in (0..count.pow(2)).step_by(2_003) {
        let (before, after) = (case % count, case / count);
        let [old, new] = [before, after].map(|i| &world.documents[i]);
        let patch = world.schema.three_way(old, new, old, OnConflict::Fail);
        let patch = patch.expect("no conflict");
        let result = apply(&world.schema, old, &patch);
        assert!(!is_uncertain(&patch), "{old} {new}: {:?}", patch.warnings());
        assert_eq!(
            sorted(&result),
            sorted(&world.lists[after]),
            "{old} {new}: {patch}"
        );
    }
}

/// The elements of three lists, by port and protocol: nothing is lost without a warning.
#[test]
fn a_three_way_patch_gives_what_its_author_wants_or_warns() {
    let world = World::new();
    let count = world.lists.len();
    let (mut certain_count, mut uncertain_count) = (0, 0);
    for case in (0..count.pow(3)).step_by(1_583_117) {
        let indices = [case % count, case / count % count, case / count / count];
        let lists = indices.map(|index| &*world.lists[index]);
        let Some(wanted) = wanted(lists) else {
            continue;
        };
        let [original, modified, current] = indices.map(|index| &world.documents[index]);
        let three_way = |on_conflict| {
            world
                .schema
                .three_way(original, modified, current, on_conflict)
        };
        let patch = three_way(OnConflict::Overwrite).expect("a patch");
        match three_way(OnConflict::Fail) {
            Ok(checked) => assert_eq!(checked, patch),
            Err(DiffError::Conflict(conflicts)) => assert_eq!(*conflicts.patch(), patch),
            Err(error) => panic!("{error}"),
        }
        if is_uncertain(&patch) {
            uncertain_count += 1;
            continue;
        }
        certain_count += 1;
        let result = apply(&world.schema, current, &patch);
        let is_wanted = if by_identity(&result, &shared_numbers(lists)).is_some() {
            sorted(&result) == sorted(&wanted)
        } else {
            // The author changed a protocol to the protocol of another element.
            has_elements(&result, lists[1]) && has_elements(&result, &wanted)
        };
        assert!(
            is_wanted,
            "{original} {modified} {current}: {patch} gives {result:?} instead of {wanted:?}; {:?}",
            kinds(&patch)
        );
    }
    assert!(
        certain_count > uncertain_count,
        "{certain_count} {uncertain_count}"
    );
}

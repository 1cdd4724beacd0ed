//! Tests of field paths as data, and of the reader of printed paths.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{BuildHasher, RandomState};

use serde_json::{Value, json};
use union_random::Random;
use union_runtime::comparator::Comparison;
use union_runtime::path::{FieldPath, PathStep};

use crate::world::{Counts, NAMES, SchemaWithObjects};

/// Returns the paths of all values in an object. A member is a field or a key at random, because
/// both resolve to the same value.
pub(crate) fn paths_of_values(random: &mut Random, object: &Value) -> Vec<FieldPath> {
    let mut paths = vec![FieldPath::root()];
    let mut pending = vec![(FieldPath::root(), object)];
    while let Some((path, value)) = pending.pop() {
        let mut visit = |step: PathStep<'_>, child| {
            let path = path.clone().step(step);
            paths.push(path.clone());
            pending.push((path, child));
        };
        match value {
            Value::Object(object) => {
                for (name, child) in object {
                    let is_field = random.chance(50);
                    visit(
                        if is_field {
                            PathStep::Field(name)
                        } else {
                            PathStep::Key(name)
                        },
                        child,
                    );
                }
            }
            Value::Array(elements) => {
                elements
                    .iter()
                    .enumerate()
                    .for_each(|(i, child)| visit(PathStep::Index(i), child));
            }
            _ => {}
        }
    }
    paths
}

/// Returns the paths of all values in an object by the strings that the paths are printed as.
fn paths_by_string(paths: &[FieldPath]) -> BTreeMap<String, BTreeSet<FieldPath>> {
    let mut by_string: BTreeMap<String, BTreeSet<FieldPath>> = BTreeMap::new();
    for path in paths {
        for spelling in spellings(path) {
            by_string
                .entry(spelling.to_string())
                .or_default()
                .insert(spelling);
        }
    }
    by_string
}

/// Returns the path with each of its last two names as a field and as a key.
fn spellings(path: &FieldPath) -> Vec<FieldPath> {
    let steps: Vec<PathStep<'_>> = path.steps().collect();
    let mut spellings = vec![FieldPath::root()];
    for (index, step) in steps.iter().enumerate() {
        let spelled_steps = match step {
            PathStep::Field(name) | PathStep::Key(name) if index + 2 >= steps.len() => {
                vec![PathStep::Field(name), PathStep::Key(name)]
            }
            step => vec![*step],
        };
        let extend_path = |path: &FieldPath| {
            spelled_steps
                .iter()
                .map(|step| path.clone().step(*step))
                .collect::<Vec<_>>()
        };
        spellings = spellings.iter().flat_map(extend_path).collect();
    }
    spellings
}

#[test]
fn an_unambiguous_string_resolves_to_its_path() {
    let (mut resolved_count, mut ambiguous_count) = (0, 0);
    for seed in 0..1500 {
        let random = &mut Random::new(seed);
        let object = SchemaWithObjects::random(random, &mut Counts::default()).new;
        let paths = paths_of_values(random, &object);
        // A string may spell every name in two ways. Only the last two names are tried in both
        // ways.
        for (text, paths) in paths_by_string(&paths) {
            match FieldPath::resolve(&text, &object) {
                Some(path) => {
                    assert_eq!(
                        path,
                        text.as_str(),
                        "seed {seed}: it is printed as it was read"
                    );
                    assert!(
                        paths.len() == 1 && paths.contains(&path),
                        "seed {seed}: {text:?} {paths:?} in {object}"
                    );
                    assert!(path.find(&object).is_some());
                    resolved_count += 1;
                }
                None => ambiguous_count += 1,
            }
            let resolved_or_absent = FieldPath::resolve_or_absent(&text, &object);
            assert_eq!(
                resolved_or_absent,
                FieldPath::resolve(&text, &object),
                "seed {seed}: {text:?}"
            );
        }
    }
    assert!(
        resolved_count > 10_000 && ambiguous_count > 10 && ambiguous_count * 10 < resolved_count,
        "{resolved_count} {ambiguous_count}"
    );
}

/// Checks all objects of two levels with one or two members: the reader finds all values that a
/// string can mean.
#[test]
fn an_ambiguous_string_does_not_resolve() {
    let (mut resolved_count, mut ambiguous_count) = (0, 0);
    for a in NAMES {
        for b in NAMES {
            for c in NAMES {
                let object = json!({a: {b: [0]}, c: [{b: 0}, 1]});
                let random = &mut Random::new(0);
                let mut paths_by_string: BTreeMap<String, BTreeSet<FieldPath>> = BTreeMap::new();
                for path in paths_of_values(random, &object) {
                    let steps: Vec<PathStep<'_>> = path.steps().collect();
                    // Each step by name is tried in both spellings.
                    let mut spelled_paths = vec![FieldPath::root()];
                    for step in steps {
                        spelled_paths = spelled_paths
                            .into_iter()
                            .flat_map(|path| match step {
                                PathStep::Field(name) | PathStep::Key(name) => {
                                    vec![path.clone().field(name), path.key(name)]
                                }
                                PathStep::Index(index) => vec![path.index(index)],
                            })
                            .collect();
                    }
                    for spelling in spelled_paths {
                        paths_by_string
                            .entry(spelling.to_string())
                            .or_default()
                            .insert(spelling);
                    }
                }
                for (text, paths) in paths_by_string {
                    let resolved = FieldPath::resolve(&text, &object);
                    if paths.len() == 1 {
                        assert_eq!(resolved, paths.first().cloned(), "{text:?} in {object}");
                        resolved_count += 1;
                    } else {
                        assert_eq!(resolved, None, "{text:?} in {object}: {paths:?}");
                        ambiguous_count += 1;
                    }
                }
            }
        }
    }
    assert!(
        resolved_count > 20_000 && ambiguous_count > 50,
        "{resolved_count} {ambiguous_count}"
    );
}

#[test]
fn a_missing_field_belongs_to_the_value_that_lacks_it() {
    let object = json!({"spec": {"a.b": {"c": [1]}, "ports": [{"name": "x"}], "n": 1}});
    let root = || FieldPath::root().field("spec");
    for (text, path) in [
        ("spec.missing", root().field("missing")),
        ("spec[missing]", root().key("missing")),
        ("spec.a.b.d", root().field("a.b").field("d")),
        (
            "spec.ports[0].port",
            root().field("ports").index(0).field("port"),
        ),
        // The string does not show the end of one name and the start of the next name.
        ("spec.x.y", root().field("x.y")),
        ("gone", FieldPath::root().field("gone")),
    ] {
        assert_eq!(FieldPath::resolve(text, &object), None, "{text}");
        assert_eq!(
            FieldPath::resolve_or_absent(text, &object),
            Some(path),
            "{text}"
        );
    }
    for text in [
        "spec.ports[00].name",
        "spec.ports[+0].name",
        "spec.ports[ 0].name",
    ] {
        assert_eq!(FieldPath::resolve(text, &object), None, "{text}");
    }
}

#[test]
fn paths_are_compared_and_ordered_by_their_steps() {
    let hash_builder = RandomState::new();
    let mut comparison_count = 0;
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let object = SchemaWithObjects::random(random, &mut Counts::default()).new;
        let mut paths = paths_of_values(random, &object);
        paths.extend(paths_of_values(random, &object));
        for a in &paths {
            for b in &paths {
                let is_same = a.steps().eq(b.steps());
                assert_eq!(a == b, is_same);
                assert_eq!(a.cmp(b).is_eq(), is_same);
                assert_eq!(a.cmp(b), b.cmp(a).reverse());
                if is_same {
                    assert_eq!(
                        hash_builder.hash_one(a),
                        hash_builder.hash_one(b),
                        "{a:?} {b:?}"
                    );
                    assert_eq!(a.find(&object), b.find(&object));
                }
                comparison_count += 1;
            }
            let collected: FieldPath = a.steps().collect();
            assert_eq!(collected.as_str(), a.as_str());
            let parent = a.parent();
            assert_eq!(parent.is_none(), a.is_root());
            if let (Some(parent), Some(step)) = (parent, a.steps().next_back()) {
                assert!(a.starts_with(&parent) && !parent.starts_with(a));
                assert_eq!(parent.step(step).as_str(), a.as_str());
            }
            let printed = a.clone().with_printed_form("elsewhere");
            assert_eq!(&printed, a);
            assert_eq!(printed.as_str(), if a.is_root() { "" } else { "elsewhere" });
        }
        // In the order of paths, the paths inside a value directly follow the path of the value.
        paths.sort();
        for outer in &paths {
            let mut paths_from_inside = paths.iter().skip_while(|path| !path.starts_with(outer));
            assert!(
                paths_from_inside
                    .by_ref()
                    .skip_while(|path| path.starts_with(outer))
                    .all(|path| !path.starts_with(outer))
            );
        }
        let distinct: HashSet<&FieldPath> = paths.iter().collect();
        let ordered: BTreeSet<&FieldPath> = paths.iter().collect();
        assert_eq!(distinct.len(), ordered.len());
    }
    assert!(comparison_count > 100_000, "{comparison_count}");
    let [field, key, index] = [PathStep::Field("0"), PathStep::Key("0"), PathStep::Index(0)]
        .map(|step| FieldPath::root().step(step));
    assert!(field == key && key != index && field.as_str() != key.as_str());
}

#[test]
fn strings_and_objects_of_any_size_are_resolved() {
    let wrap = |inner: Value| Value::from_iter([("a", inner)]);
    let nested_object = |levels: usize| (0..levels).fold(json!(1), |inner, _| wrap(inner));
    for text in [
        "[".repeat(100_000),
        "a.".repeat(100_000),
        "a[0]".repeat(100_000),
        "x".repeat(1_000_000),
    ] {
        assert_eq!(FieldPath::resolve(&text, &json!({"a": [1]})), None);
        // The object has no such value, for any reading of the string.
        if let Some(path) = FieldPath::resolve_or_absent(&text, &json!({"a": {"b": 1}})) {
            assert_eq!(path, text.as_str());
        }
    }
    let mut object = nested_object(10_000);
    let text = vec!["a"; 10_000].join(".");
    assert_eq!(
        FieldPath::resolve(&text, &object).map(|path| path.steps().len()),
        Some(10_000)
    );
    // Dropping the object at once would overflow the stack.
    while let Some(inner) = object
        .as_object_mut()
        .and_then(|object| object.values_mut().next())
    {
        object = Value::take(inner);
    }
    // The keys have a common prefix, and each value still has one path.
    let object_of_prefixes = (0..18).fold(
        json!({"a": 0, "a.a": 0}),
        |inner, _| json!({"a": inner.clone(), "a.a": inner["a"]}),
    );
    assert_eq!(
        FieldPath::resolve(&["a"; 18].join("."), &object_of_prefixes),
        None
    );
}

/// The first element with all values is found, also if the schema does not have keys.
#[test]
fn an_element_is_found_by_the_values_of_its_keys() {
    let object = json!([{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2}, {"a": 1, "b": 2}, 3]);
    let schema = json!({"type": "array", "items": {"type": "object"}});
    let comparison = Comparison::new(&schema, &object, &object);
    let [one, two] = [json!(1), json!(2)];
    for (keys, position) in [
        (&[("a", &one)][..], Some(0)),
        (&[("a", &two)], Some(2)),
        (&[("b", &two)], Some(1)),
        (&[("a", &one), ("b", &two)], Some(1)),
        (&[("a", &two), ("b", &two)], None),
        (&[("c", &one)], None),
        (&[], Some(0)),
    ] {
        let element = comparison.root().element(keys);
        let element = element.map(|element| element.new_value());
        assert_eq!(
            element,
            position.map(|position: usize| &object[position]),
            "{keys:?}"
        );
    }
    assert!(
        comparison
            .root()
            .index(4)
            .is_some_and(|scalar| scalar.element(&[]).is_none())
    );
}

/// A name that is empty in the other spelling fits everywhere, so that the combinations of
/// spellings are exponential in the number of names.
#[test]
fn spellings_that_overlap_are_tried_in_bounded_time() {
    let spell = |name: &str| name.replace(['.', 'A'], "");
    for (name, separator) in [
        (".", "."),
        (".", ""),
        ("A", "."),
        ("AA", ".A"),
        ("a.a", "."),
    ] {
        let depth = 60;
        let object = (0..depth).fold(json!(1), |inner, _| json!({ name: inner }));
        let printed = vec![name; depth].join(separator);
        // The string may be ambiguous, or a path that the object does not have.
        let _ = FieldPath::resolve_with(&printed, &object, spell);
    }
    let object = json!({"aA": {"bA": 1}});
    let path = FieldPath::resolve_with("a.b", &object, spell);
    assert_eq!(path, Some(FieldPath::from(["aA", "bA"])));
}

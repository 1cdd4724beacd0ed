//! Property tests with random schemas and documents. Documents do not contain null, and keys and
//! scalars are unique within a list.

use std::collections::BTreeSet;

use k8s_strategic_merge_patch::{DiffError, OnConflict, PatchSchema};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// The type and the patch strategy of a field of the random schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Scalar,
    Object { retain_keys: bool },
    Replaced,
    Elements { retain_keys: bool },
    Atomic,
    Set,
}

const FIELDS: [Field; 8] = [
    Field::Scalar,
    Field::Object { retain_keys: false },
    Field::Object { retain_keys: true },
    Field::Replaced,
    Field::Elements { retain_keys: false },
    Field::Elements { retain_keys: true },
    Field::Atomic,
    Field::Set,
];

/// The fields of the random schema, named `f0`, `f1` and so on. Objects and elements have this
/// schema too.
type RandomSchema = Vec<Field>;

fn random_schema() -> impl Strategy<Value = RandomSchema> {
    prop::collection::vec(prop::sample::select(FIELDS.to_vec()), 1..7)
}

fn compile(random_schema: &RandomSchema) -> PatchSchema {
    let strategy = |words: &[&str]| json!(words.join(","));
    let item = json!({"$ref": "#/definitions/Item"});
    let mut properties = json!({"name": {"type": "string"}});
    for (i, field) in random_schema.iter().enumerate() {
        properties[format!("f{i}")] = match field {
            Field::Scalar => json!({"type": "integer"}),
            Field::Object { retain_keys: false } => item.clone(),
            Field::Object { retain_keys: true } => {
                json!({"$ref": "#/definitions/Item", "x-kubernetes-patch-strategy": "retainKeys"})
            }
            Field::Replaced => json!({"type": "object", "x-kubernetes-patch-strategy": "replace"}),
            Field::Elements { retain_keys } => json!({
                "type": "array",
                "items": item,
                "x-kubernetes-patch-merge-key": "name",
                "x-kubernetes-patch-strategy": strategy(if *retain_keys { &["retainKeys", "merge"] } else { &["merge"] }),
            }),
            Field::Atomic => json!({"type": "array", "items": {"type": "integer"}}),
            Field::Set => json!({"type": "array", "x-kubernetes-patch-strategy": "merge"}),
        };
    }
    let schema = json!({
        "$ref": "#/definitions/Item",
        "definitions": {"Item": {"type": "object", "properties": properties}},
    });
    PatchSchema::compile(&schema).expect("the schema is well formed")
}

/// Generates a list of unique numbers.
fn unique_numbers() -> impl Strategy<Value = Vec<i64>> {
    Just(vec![1, 2, 3, 10, 20])
        .prop_shuffle()
        .prop_flat_map(|numbers| {
            (0..=numbers.len()).prop_map(move |count| numbers.iter().copied().take(count).collect())
        })
}

fn object(random_schema: RandomSchema, depth: u32) -> BoxedStrategy<Value> {
    let fields: Vec<_> = random_schema
        .iter()
        .enumerate()
        .map(|(i, field)| {
            let value: BoxedStrategy<Value> = match field {
                Field::Scalar => prop_oneof![
                    (0_i64..3).prop_map(Value::from),
                    Just(json!(1.5)),
                    Just(json!("x"))
                ]
                .boxed(),
                Field::Object { .. } if depth > 0 => object(random_schema.clone(), depth - 1),
                Field::Object { .. } => Just(json!({})).boxed(),
                Field::Replaced => prop::collection::btree_map("k[0-3]", 0_i64..3, 0..3)
                    .prop_map(|map| json!(map))
                    .boxed(),
                Field::Elements { .. } if depth > 0 => {
                    let names = Just(vec!["a", "b", "c", "d"]).prop_shuffle();
                    (
                        names,
                        prop::collection::vec(object(random_schema.clone(), depth - 1), 0..4),
                    )
                        .prop_map(|(names, objects)| {
                            let items = objects.into_iter().zip(names).map(|(mut object, name)| {
                                object["name"] = name.into();
                                object
                            });
                            items.collect()
                        })
                        .boxed()
                }
                Field::Elements { .. } => Just(json!([])).boxed(),
                Field::Atomic => prop::collection::vec(0_i64..3, 0..4)
                    .prop_map(|list| json!(list))
                    .boxed(),
                Field::Set => unique_numbers().prop_map(|list| json!(list)).boxed(),
            };
            (Just(format!("f{i}")), prop::option::weighted(0.7, value))
        })
        .collect();
    fields
        .prop_map(|fields| {
            let set_fields = fields
                .into_iter()
                .filter_map(|(name, value)| Some((name, value?)));
            Value::Object(set_fields.collect::<Map<_, _>>())
        })
        .boxed()
}

fn schema_and_documents<const N: usize>() -> impl Strategy<Value = (RandomSchema, [Value; N])> {
    random_schema().prop_flat_map(|random_schema| {
        let documents: [_; N] = std::array::from_fn(|_| object(random_schema.clone(), 2));
        (Just(random_schema), documents)
    })
}

fn field_of(random_schema: &RandomSchema, name: &str) -> Option<Field> {
    let index: usize = name.strip_prefix('f')?.parse().ok()?;
    random_schema.get(index).copied()
}

fn has_directive(value: &Value) -> bool {
    match value {
        Value::Object(object) => object
            .iter()
            .any(|(key, value)| key.starts_with('$') || has_directive(value)),
        Value::Array(values) => values.iter().any(has_directive),
        _ => false,
    }
}

/// Returns true if every `$retainKeys` is sorted, without duplicates, and lists all fields that its
/// object sets.
fn retain_keys_are_valid(patch: &Value) -> bool {
    let Value::Object(object) = patch else {
        return patch
            .as_array()
            .is_none_or(|values| values.iter().all(retain_keys_are_valid));
    };
    let is_valid = object.get("$retainKeys").is_none_or(|names| {
        let names: Vec<&str> = names
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap())
            .collect();
        let set_fields = object
            .iter()
            .filter(|(key, value)| !value.is_null() && !key.starts_with('$'));
        names.is_sorted_by(|name, next_name| name < next_name)
            && set_fields
                .map(|(key, _)| key.as_str())
                .all(|key| names.contains(&key))
    });
    is_valid && object.values().all(retain_keys_are_valid)
}

/// Returns true if the result of a three-way patch has everything that the author wanted.
fn has_all_wanted(
    random_schema: &RandomSchema,
    wanted: &Value,
    result: &Value,
    retain_keys: bool,
) -> bool {
    let (Value::Object(wanted), Value::Object(result)) = (wanted, result) else {
        return false;
    };
    // The order of keys is not compared: a map keeps the order of insertion if a crate of the build
    // enables this.
    let has_same_keys =
        wanted.len() == result.len() && wanted.keys().all(|key| result.contains_key(key));
    let has_required_keys = !retain_keys || wanted.is_empty() || has_same_keys;
    let has_required_values = wanted.iter().all(|(name, wanted)| {
        let Some(result) = result.get(name) else {
            return false;
        };
        match field_of(random_schema, name) {
            Some(Field::Object { retain_keys }) => {
                has_all_wanted(random_schema, wanted, result, retain_keys)
            }
            Some(Field::Elements { retain_keys }) => {
                let [wanted, result] = [wanted, result].map(|list| list.as_array().unwrap());
                let names: Vec<&Value> = wanted.iter().map(|item| &item["name"]).collect();
                let result_elements: Vec<&Value> = result
                    .iter()
                    .filter(|item| names.contains(&&item["name"]))
                    .collect();
                result_elements.len() == wanted.len()
                    && wanted.iter().zip(result_elements).all(|(wanted, result)| {
                        has_all_wanted(random_schema, wanted, result, retain_keys)
                    })
            }
            Some(Field::Set) => {
                let [wanted, result] = [wanted, result].map(|list| list.as_array().unwrap());
                wanted
                    .iter()
                    .eq(result.iter().filter(|item| wanted.contains(item)))
            }
            _ => wanted == result,
        }
    });
    has_required_keys && has_required_values
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    /// Property 1: a difference, applied to the first document, results in the second document,
    /// with lists in order.
    #[test]
    fn applying_a_difference_gives_the_modified_document((random_schema, [original, modified]) in schema_and_documents()) {
        let schema = compile(&random_schema);
        let patch = schema.diff(&original, &modified).unwrap();
        prop_assert_eq!(schema.apply(original, &patch).unwrap(), modified, "{}", patch);
        // Property 4.
        prop_assert!(retain_keys_are_valid(&patch), "{}", patch);
    }

    /// Property 2: equal documents have an empty difference, except for objects that are replaced.
    #[test]
    fn equal_documents_have_no_difference((random_schema, [object]) in schema_and_documents()) {
        let schema = compile(&random_schema);
        let patch = schema.diff(&object, &object).unwrap();
        if !random_schema.contains(&Field::Replaced) {
            prop_assert_eq!(patch, json!({}));
        }
    }

    /// Property 3: a three-way patch gives the live object everything that the author wants.
    #[test]
    fn a_three_way_patch_gives_the_wanted_document((random_schema, [original, modified, current]) in schema_and_documents()) {
        let schema = compile(&random_schema);
        let patch = schema.three_way(&original, &modified, &current, OnConflict::Overwrite).unwrap();
        let result = schema.apply(current.clone(), &patch).unwrap();
        prop_assert!(has_all_wanted(&random_schema, &modified, &result, false), "{current} patched by {patch} is {result}");
        prop_assert!(!has_directive(&result), "{result}");
        prop_assert!(retain_keys_are_valid(&patch), "{}", patch);
        // Property 5: without conflicts, the search for conflicts does not change the patch.
        match schema.three_way(&original, &modified, &current, OnConflict::Fail) {
            Ok(checked_patch) => prop_assert_eq!(checked_patch, patch),
            Err(DiffError::Conflict(conflicts)) => {
                prop_assert!(conflicts.iter().next().is_some());
                prop_assert_eq!(conflicts.patch(), &*patch);
                let paths: BTreeSet<&str> = conflicts.iter().map(|conflict| conflict.path().as_str()).collect();
                prop_assert_eq!(paths.len(), conflicts.iter().count());
            }
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    /// If all three documents are equal, the patch is empty, except for objects that are replaced,
    /// and there is no conflict.
    #[test]
    fn equal_documents_have_no_conflict((random_schema, [object, _]) in schema_and_documents()) {
        let schema = compile(&random_schema);
        let patch = schema.three_way(&object, &object, &object, OnConflict::Fail).unwrap();
        if !random_schema.contains(&Field::Replaced) {
            prop_assert_eq!(patch, json!({}));
        }
    }
}

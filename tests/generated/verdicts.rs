//! Tests that the CRDs of generated types give the same verdicts as the original CRDs.

use std::collections::BTreeMap;

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::Value;
use union_runtime::{Violation, ViolationKind, only_when};

use crate::objects::{kinds_of, sample_objects};
use crate::registry::{Kind, kinds};

/// The schemas of a kind, from its original CRD and from the CRD of its Rust type.
pub(crate) struct SchemaPair {
    original: StructuralSchema,
    own: StructuralSchema,
}

impl SchemaPair {
    /// Compiles the schemas, or returns `None` if the types have no schema.
    pub(crate) fn of(kind: &Kind) -> Option<Self> {
        let crds = [kind.original(), kind.crd?()];
        let compile = |crd: &Value| StructuralSchema::compiler().crd(crd, Some(kind.version));
        // An original CRD that a server would reject today is compiled as a stored CRD.
        let is_accepted_today = compile(&crds[0]).is_ok();
        let [original, own_schema] = crds.map(|crd| {
            let schema = if is_accepted_today {
                compile(&crd)
            } else {
                StructuralSchema::compiler()
                    .stored()
                    .crd(&crd, Some(kind.version))
            };
            schema.unwrap_or_else(|errors| panic!("{} {}: {errors}", kind.api_version, kind.kind))
        });
        Some(Self {
            original,
            own: own_schema,
        })
    }

    /// Returns the verdicts about a create, or about an update of an old object.
    pub(crate) fn validate(&self, object: &Value, old: Option<&Value>) -> Verdicts {
        let settings = ServerSettings::default();
        // A stored object has a resource version, and a client sends it back in an update.
        let with_resource_version = |object: &Value| {
            let mut object = object.clone();
            object["metadata"]["resourceVersion"] = "1".into();
            object
        };
        [&self.original, &self.own].map(|schema| {
            let mut object = object.clone();
            let report = match old {
                None => schema.create(&mut object, &settings),
                Some(old) => {
                    object = with_resource_version(&object);
                    schema.update(&mut object, &with_resource_version(old), &settings)
                }
            };
            if report.is_accepted() {
                Ok(object)
            } else {
                Err(report.errors().to_vec())
            }
        })
    }
}

/// Returns variants of an object: with each value removed, or replaced by another type, string or
/// number.
fn variants(object: &Value) -> Vec<Value> {
    let mut variants = Vec::new();
    let mut pending_pointers = vec![String::new()];
    while let Some(pointer) = pending_pointers.pop() {
        let child_names: Vec<String> = match object.pointer(&pointer) {
            Some(Value::Object(fields)) => fields
                .keys()
                .map(|name| name.replace('~', "~0").replace('/', "~1"))
                .collect(),
            Some(Value::Array(values)) => {
                (0..values.len()).map(|index| index.to_string()).collect()
            }
            _ => Vec::new(),
        };
        for name in child_names {
            let child_pointer = format!("{pointer}/{name}");
            let is_type_or_metadata =
                ["/apiVersion", "/kind", "/metadata"].contains(&&*child_pointer);
            if is_type_or_metadata {
                continue;
            }
            variants.extend(variants_at(object, &pointer, &child_pointer, &name));
            pending_pointers.push(child_pointer);
        }
    }
    variants
}

/// Returns the variants of an object at one pointer.
fn variants_at(object: &Value, parent: &str, pointer: &str, name: &str) -> Vec<Value> {
    let mut variants = Vec::new();
    let mut object_without_value = object.clone();
    match object_without_value.pointer_mut(parent) {
        Some(Value::Object(fields)) => {
            drop(fields.remove(&name.replace("~1", "/").replace("~0", "~")));
        }
        Some(Value::Array(values)) => drop(values.remove(name.parse().unwrap())),
        _ => {}
    }
    variants.push(object_without_value);
    let texts = [
        "",
        "x",
        "Y-z",
        "a b",
        "1h",
        "2024-01-01T00:00:00Z",
        "1.2.3.4",
    ];
    let replacements = texts.iter().map(|text| Value::from(*text));
    let replacements = replacements.chain([0, 1, -1, 70_000, 5_000_000_000_i64].map(Value::from));
    let replacements = replacements.chain([
        Value::Null,
        true.into(),
        Value::Array(Vec::new()),
        serde_json::json!({}),
        1.5.into(),
    ]);
    for replacement in replacements {
        let mut object_with_replacement = object.clone();
        if let Some(value) = object_with_replacement.pointer_mut(pointer) {
            *value = replacement;
        }
        variants.push(object_with_replacement);
    }
    // This variant repeats an element of a list.
    let mut object_with_repeated_element = object.clone();
    if let Some(Value::Array(values)) = object_with_repeated_element.pointer_mut(parent)
        && let Some(last) = values.last().cloned()
    {
        values.push(last);
        variants.push(object_with_repeated_element);
    }
    variants
}

/// The verdicts of the original CRD and of the Rust type's CRD: the resulting object or the errors.
pub(crate) type Verdicts = [Result<Value, Vec<Violation>>; 2];

/// Returns the reason why the verdicts may differ, if there is one. For an update,
/// `create_verdicts` are the verdicts about a create of its new object.
fn known_difference(
    [original, own]: &Verdicts,
    create_verdicts: Option<&Verdicts>,
) -> Option<&'static str> {
    let requires_only_spec = |errors: &[Violation]| matches!(errors, [error] if error.kind() == ViolationKind::Required && error.path() == "spec");
    match (original, own, create_verdicts) {
        (Ok(_), Err(own), _) if requires_only_spec(own) => {
            Some("the original does not ask for `spec`; kube's root type does")
        }
        // The verdicts differ only in the violations that the update tolerates.
        (Err(original), Ok(_), Some([Err(_), Err(_)])) => {
            if original
                .iter()
                .all(|error| error.detail().starts_with("no such key: "))
            {
                Some(
                    "an update left an object without its discriminator as it was: rules that cannot be evaluated are \
                     not tolerated, those of the derive are",
                )
            } else if original
                .iter()
                .all(|error| error.kind() == ViolationKind::Invalid)
            {
                Some(
                    "a rule went with its union, since a keyword of the member says the rest of it; an update that \
                     changes other fields tolerates the keyword, and did not tolerate the rule",
                )
            } else {
                None
            }
        }
        (Ok(_), Err(own), Some([Err(_), Err(_)])) => {
            // The message up to the name of the discriminator.
            let only_when = only_when("", "").to_string();
            let (only_when, _) = only_when.split_once('`').unwrap_or_default();
            let is_about_unset_value = |error: &Violation| error.detail().starts_with(only_when);
            own.iter().all(is_about_unset_value).then_some(
                "an empty value that counts as unset to a rule, and that a keyword refuses in new objects: an update \
                 that leaves it tolerates the keyword, and not the rule of the derive",
            )
        }
        _ => None,
    }
}

#[test]
fn a_server_accepts_the_own_crds() {
    let mut accepted_count = 0;
    for kind in kinds() {
        let Some(crd) = kind.crd.map(|crd| crd()) else {
            continue;
        };
        // A CRD with one version that is not the storage version must be merged with others by
        // `merge_crds`.
        let is_original_accepted = || {
            k8s_crd_validation::crd::Review::new()
                .create(&kind.original())
                .is_accepted()
        };
        if crd["spec"]["versions"][0]["storage"] == true && is_original_accepted() {
            let report = k8s_crd_validation::crd::Review::new().create(&crd);
            let (version, kind) = (&kind.api_version, kind.kind);
            assert!(report.is_accepted(), "{version} {kind}: {report}");
            accepted_count += 1;
        }
    }
    assert!(accepted_count >= 2, "only {accepted_count}");
}

/// The counts of equal and of different verdicts, with the first example of each difference.
#[derive(Default)]
pub(crate) struct Tally {
    accepted: usize,
    rejected: usize,
    known_differences: BTreeMap<&'static str, usize>,
    unknown_differences: BTreeMap<String, String>,
}

impl Tally {
    /// Counts the verdicts about a request.
    pub(crate) fn add(
        &mut self,
        label: &str,
        verdicts: &Verdicts,
        create_verdicts: Option<&Verdicts>,
    ) {
        let [original, own] = verdicts;
        *if original.is_ok() {
            &mut self.accepted
        } else {
            &mut self.rejected
        } += 1;
        let is_same = match (original, own) {
            (Ok(original), Ok(own)) => original == own,
            (Err(_), Err(_)) => true,
            _ => false,
        };
        let errors = own.as_ref().err().or(original.as_ref().err());
        if is_same {
        } else if let Some(reason) = known_difference(verdicts, create_verdicts) {
            *self.known_differences.entry(reason).or_default() += 1;
        } else {
            let key = format!("{errors:?}");
            self.unknown_differences
                .entry(key)
                .or_insert_with(|| format!("{label}\noriginal: {original:?}\nown: {own:?}"));
        }
    }
}

impl Tally {
    /// Prints the counts, and panics if verdicts differ without a reason.
    #[track_caller]
    pub(crate) fn assert_no_differences(&self, label: &str) {
        let Self {
            accepted,
            rejected,
            known_differences,
            unknown_differences,
        } = self;
        println!(
            "{label}: {accepted} accepted and {rejected} refused by the originals; {} judged otherwise as listed, {} not",
            known_differences.values().sum::<usize>(),
            unknown_differences.len()
        );
        for (reason, count) in known_differences {
            println!("  {count}: {reason}");
        }
        let unknown_differences: Vec<&str> =
            unknown_differences.values().map(|text| &**text).collect();
        assert!(
            unknown_differences.is_empty(),
            "{}",
            unknown_differences.join("\n\n")
        );
        assert!(*accepted > 50 && *rejected > 100);
        // A higher number would not be an exception any more.
        assert!(known_differences.values().sum::<usize>() * 100 < accepted + rejected);
    }
}

/// The schemas of kinds, compiled at the first use.
#[derive(Default)]
pub(crate) struct CompiledSchemas(
    BTreeMap<(&'static str, String, &'static str), Option<SchemaPair>>,
);

impl CompiledSchemas {
    /// Returns the schemas of a kind, or `None` if its types have no schema.
    pub(crate) fn of(&mut self, kind: &Kind) -> Option<&SchemaPair> {
        let key = (kind.module, kind.api_version.clone(), kind.kind);
        let schemas_of_kind = self.0.entry(key).or_insert_with(|| SchemaPair::of(kind));
        schemas_of_kind.as_ref()
    }
}

#[test]
fn own_crds_validate_like_the_originals() {
    let kinds = kinds();
    let mut compiled_schemas = CompiledSchemas::default();
    let (mut creates, mut updates) = (Tally::default(), Tally::default());
    for (file, object) in sample_objects() {
        for kind in kinds_of(&object, &kinds) {
            let Some(schemas_of_kind) = compiled_schemas.of(kind) else {
                continue;
            };
            let sample_verdicts = schemas_of_kind.validate(&object, None);
            creates.add(&file, &sample_verdicts, None);
            // The other settings change only the form of the types, so some of the cases are
            // enough.
            let step = if kind.module == "types" { 1 } else { 11 };
            for (index, variant) in variants(&object).into_iter().enumerate().step_by(step) {
                let label = || format!("{file}, {}: {variant}", kind.module);
                let create_verdicts = schemas_of_kind.validate(&variant, None);
                creates.add(&label(), &create_verdicts, None);
                // Updates from and to the variant, which may be invalid.
                if index % 6 == 0 {
                    let update_verdicts = schemas_of_kind.validate(&variant, Some(&object));
                    updates.add(
                        &format!("{}, an update", label()),
                        &update_verdicts,
                        Some(&create_verdicts),
                    );
                    let verdicts_of_reverse_update =
                        schemas_of_kind.validate(&object, Some(&variant));
                    updates.add(
                        &format!("{}, changed back", label()),
                        &verdicts_of_reverse_update,
                        Some(&sample_verdicts),
                    );
                }
            }
        }
    }
    creates.assert_no_differences("creates");
    updates.assert_no_differences("updates");
}

//! Prints cases for `tests/reference/cel` as JSON lines: all small states of several unions, each
//! with the verdict of `validate_unions` and with the schema of the union in a CRD.

#[path = "../schema/enforcement/types.rs"]
mod enforced;
mod names;
#[path = "../schema/enforcement/native.rs"]
mod native;
mod types;
#[path = "../schema/enforcement/world.rs"]
mod world;

use std::io::{self, BufWriter, Write};

use k8s_crd_validation::cost_report;
use kube::core::schema::{OptionalEnum, OptionalIntOrString, StructuralSchemaRewriter};
use native::{Native, with_another_change, with_another_field};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::AddNullable;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use union_runtime::spec::{UnionSpec, UnionType};
use union_runtime::{Ratchet, Report, Settings, Union as _};

/// A type whose small states are all cases.
struct Group {
    name: &'static str,
    schema: Value,
    unions: Vec<&'static UnionSpec<'static>>,
    /// The value of a set member.
    set: Value,
    nulls: Nulls,
    /// A function that returns the errors of an object, or an empty string if the object is valid.
    verdict: fn(Value) -> String,
    /// A function that returns the errors of an update with `Ratchet::Unchanged`. If this function
    /// is present, the cases are updates.
    update: Option<Update>,
}

/// The fields that are null in some cases. `DIFFERENCES.md` explains why the other fields are never
/// null.
#[derive(Clone, Copy, PartialEq)]
enum Nulls {
    Everywhere,
    Members,
    Nowhere,
}

type Object = Map<String, Value>;

/// A function that returns the errors of an update from the second object to the first object, or
/// `None` if serde rejects the old object.
type Update = fn(Value, Value) -> Option<String>;

/// The expected CRDs of the tests of union-kube, with one version and with two versions. The server
/// must accept these CRDs with strict field validation.
const GOLDEN: [&str; 2] = [
    include_str!("../../crates/union-kube/tests/application_crd.json"),
    include_str!("../../crates/union-kube/tests/job_crd.json"),
];

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for golden in GOLDEN {
        let crd: Value = serde_json::from_str(golden)?;
        let golden =
            json!({ "group": "the CRDs of union-kube", "native": "", "crd": crd, "strict": true });
        writeln!(out, "{golden}")?;
    }
    let full: Value = serde_json::from_str(FULL)?;
    let full =
        json!({ "group": "the full CRD", "native": "unknown field", "crd": full, "strict": true });
    writeln!(out, "{full}")?;
    for group in groups() {
        for line in group.lines() {
            writeln!(out, "{line}")?;
        }
    }
    let mut enforcement = Enforcement { lines: Vec::new() };
    enforced::visit_all(&mut enforcement);
    for line in enforcement.lines {
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// The cases of the unions in `tests/schema/enforcement/types.rs`, with each `Enforcement` of
/// union-runtime, and the costs of their rules.
struct Enforcement {
    lines: Vec<Value>,
}

/// The maximum number of states of a type. If a type has more states, evenly spaced states are
/// used.
const MAX_STATES: usize = 1500;

impl enforced::Visit for Enforcement {
    fn visit<T: UnionType + JsonSchema + DeserializeOwned>(&mut self, name: &str, enforce: &str) {
        if enforce == "none" {
            return;
        }
        let schema = schema::<T>();
        let group = format!("{name} by {enforce}");
        let is_forgiving = enforce == "same_reason";
        let several = if is_forgiving {
            // The rules of `SameReason` read the old value. In a list without keys, elements have
            // no old value, but the values of a map do. A bound keeps the rules within the cost
            // limit of a server.
            json!({ "type": "object", "maxProperties": 20, "additionalProperties": schema })
        } else {
            json!({ "type": "array", "items": schema })
        };
        for (place, schema) in [("in a CRD", &schema), ("several in a CRD", &several)] {
            self.lines.push(crd(&group, place, schema));
        }
        if enforce == "cel" || is_forgiving {
            self.lines.push(costs(&group, &schema));
        }
        if is_forgiving {
            self.updates(&group, &schema, &Native::new::<T>(&schema));
        }
        let properties = schema["properties"].as_object().into_iter().flatten();
        let defaulted: Vec<&String> = properties
            .filter(|(_, property)| property.get("default").is_some())
            .map(|(name, _)| name)
            .collect();
        let objects = world::objects(&world::specs::<T>());
        let step = objects.len().div_ceil(MAX_STATES);
        for object in objects.iter().step_by(step) {
            // DIFFERENCES.md: serde rejects null where a server replaces null by the default.
            let is_null = |name: &&String| object.get(*name) == Some(&Value::Null);
            if defaulted.iter().any(is_null) {
                continue;
            }
            self.lines.push(json!({
                "group": group,
                "schema": schema,
                "object": object,
                "native": verdict_by(object.clone().into(), T::validate_unions),
                "verdictOnly": enforce == "one_of",
            }));
        }
    }
}

impl Enforcement {
    /// Adds updates, with the expected verdicts of a server. The rules in the schema tolerate the
    /// same errors as `Ratchet::SameReason`.
    fn updates(&mut self, group: &str, schema: &Value, native: &Native) {
        // The schema is not at the root, where a server reads a field `kind` as the kind of the
        // object.
        let schema = json!({
            "type": "object", "properties": { "spec": with_another_field(schema) },
        });
        for (old, new) in native.pairs(MAX_STATES) {
            let says = match (native.accepts(old, new), native.known_difference(old, new)) {
                (false, _) => "the object is invalid for another reason",
                (true, Some(_)) => continue,
                (true, None) => "",
            };
            let (old, new) = with_another_change(old, new);
            self.lines.push(json!({
                "group": group,
                "schema": schema,
                "object": { "spec": new },
                "old": { "spec": old },
                "native": says,
                "verdictOnly": true,
            }));
        }
    }
}

/// Returns a case with our estimate of the costs of the rules of a struct.
fn costs(group: &str, schema: &Value) -> Value {
    // Rules that read the old value need a map, because elements of a list have no old value.
    let several = if schema.to_string().contains("\"optionalOldSelf\"") {
        json!({ "type": "object", "additionalProperties": schema })
    } else {
        json!({ "type": "array", "items": schema })
    };
    let report = cost_report(&json!({ "type": "object", "properties": { "several": several } }));
    let rules = report.map(|report| report.rules).unwrap_or_default();
    let rules: Vec<String> = schema["x-kubernetes-validations"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|rule| rules.iter().find(|cost| rule["rule"] == cost.rule))
        .map(|cost| {
            format!(
                "{} x {}, message {}",
                cost.cost_per_evaluation, cost.max_evaluations, cost.message_cost
            )
        })
        .collect();
    json!({
        "group": group,
        "name": "costs",
        "schema": schema,
        "costs": true,
        "native": rules.join("\n"),
    })
}

/// The last CRD in its full form, which contains our keyword `x-kubernetes-unions`. Strict field
/// validation must reject this form.
const FULL: &str = include_str!("../../crates/union-kube/tests/job_full.json");

fn groups() -> Vec<Group> {
    let mut groups = vec![
        group::<types::Plain>("required discriminator"),
        group::<types::Absent>("optional discriminator"),
        group::<types::OptionalMembers>("optional member"),
        group::<types::AllOptional>("everything optional"),
        group::<types::Empty>("the value \"\""),
        group::<types::EmptyAbsent>("the value \"\", optional"),
        group::<types::OptionDefault>("default of an Option"),
        group::<types::OddValues>("odd values"),
        group::<names::Reserved>("reserved words"),
        group::<names::Signs>("signs in names"),
        group::<names::Runs>("runs of signs in names"),
    ];
    for group in [
        group::<types::StructDefault>("default of the struct"),
        group::<types::FieldDefault>("default of the field"),
    ] {
        groups.push(Group {
            nulls: Nulls::Members,
            ..group
        });
    }
    groups.push(Group {
        set: json!([]),
        ..group::<names::Keeps>("unknown values kept, lists")
    });
    groups.extend([
        updates::<types::AllOptional>("updates, everything optional"),
        updates::<types::Empty>("updates, the value \"\""),
        updates::<names::Keeps>("updates, unknown values kept"),
    ]);
    groups.push(Group {
        name: "two flattened unions",
        schema: schema::<names::Copy>(),
        unions: [names::Source::unions(), names::Target::unions()]
            .iter()
            .flat_map(|unions| unions.iter())
            .collect(),
        set: json!(1),
        nulls: Nulls::Everywhere,
        verdict: |object| {
            verdict_by(object, |copy: &names::Copy| {
                let mut report = copy.source.validate_unions();
                report.extend(copy.target.validate_unions());
                report
            })
        },
        update: None,
    });
    groups
}

fn group<T: UnionType + JsonSchema + DeserializeOwned>(name: &'static str) -> Group {
    Group {
        name,
        schema: schema::<T>(),
        unions: T::unions().iter().collect(),
        set: json!(1),
        nulls: Nulls::Everywhere,
        verdict: |object| verdict_by(object, T::validate_unions),
        update: None,
    }
}

fn updates<T: UnionType + JsonSchema + Serialize + DeserializeOwned>(name: &'static str) -> Group {
    Group {
        update: Some(|new, old| {
            let old = serde_json::from_value(old).ok()?;
            let settings = Settings::default().ratchet(Ratchet::Unchanged);
            Some(verdict_by(new, |new: &T| {
                new.validate_unions_update(&old, &settings)
            }))
        }),
        nulls: Nulls::Nowhere,
        ..group::<T>(name)
    }
}

/// Returns the errors of an object as a string. An object that serde cannot read is also invalid.
fn verdict_by<T: DeserializeOwned>(object: Value, validate: impl Fn(&T) -> Report) -> String {
    match serde_json::from_value(object) {
        Ok(object) => validate(&object).to_string(),
        Err(error) => error.to_string(),
    }
}

/// Returns the schema as kube's `CustomResource` puts it into a CRD.
fn schema<T: JsonSchema>() -> Value {
    let schema = SchemaSettings::openapi3()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .with_transform(AddNullable::default())
        .with_transform(StructuralSchemaRewriter)
        .with_transform(OptionalEnum)
        .with_transform(OptionalIntOrString)
        .into_generator()
        .into_root_schema_for::<T>();
    schema.to_value()
}

/// Returns an object for each value of one field, and an object without the field.
fn field(name: &str, forms: &[Value]) -> Vec<Object> {
    let with = |form: &Value| Object::from_iter([(name.to_owned(), form.clone())]);
    [Object::new()]
        .into_iter()
        .chain(forms.iter().map(with))
        .collect()
}

/// Returns each object on the left, merged with each object on the right.
fn product(left: &[Object], right: &[Object]) -> Vec<Object> {
    product_of(left, right)
        .map(|(one, other)| one.clone().into_iter().chain(other.clone()).collect())
        .collect()
}

fn product_of<'a>(
    left: &'a [Object],
    right: &'a [Object],
) -> impl Iterator<Item = (&'a Object, &'a Object)> {
    left.iter()
        .flat_map(|one| right.iter().map(move |other| (one, other)))
}

impl Group {
    fn lines(&self) -> Vec<Value> {
        let start = vec![Object::new()];
        let objects = self.unions.iter().fold(start, |objects, union| {
            product(&objects, &self.states(union))
        });
        let list = json!({ "type": "array", "items": self.schema });
        let mut lines = vec![
            crd(self.name, "in a CRD", &self.schema),
            crd(self.name, "in a list in a CRD", &list),
        ];
        match self.update {
            None => lines.extend(objects.iter().map(|object| self.create(object))),
            Some(update) => lines.extend(
                product_of(&objects, &objects)
                    .filter_map(|(new, old)| self.update(update, new, old)),
            ),
        }
        lines
    }

    fn create(&self, object: &Object) -> Value {
        json!({
            "group": self.name,
            "schema": self.schema,
            "object": object,
            "native": (self.verdict)(object.clone().into()),
        })
    }

    fn update(&self, verdict: Update, new: &Object, old: &Object) -> Option<Value> {
        Some(json!({
            "group": self.name,
            "schema": self.schema,
            "object": new,
            "old": old,
            "native": verdict(new.clone().into(), old.clone().into())?,
        }))
    }

    /// Returns all states of a union. The discriminator is absent, null, a value or an unknown
    /// value. Each member is unset, null or set.
    fn states(&self, union: &UnionSpec<'_>) -> Vec<Object> {
        // All types here have a discriminator.
        let Some(discriminator) = union.discriminator() else {
            return Vec::new();
        };
        let mut values = vec![json!("nobody")];
        values.extend(discriminator.values().iter().map(|value| json!(value)));
        if !discriminator.values().contains("") {
            values.push(json!(""));
        }
        if self.nulls == Nulls::Everywhere {
            values.push(Value::Null);
        }
        let mut forms = vec![self.set.clone()];
        // The number of states is the product of the forms of all members, so members of larger
        // unions are never null.
        if self.nulls != Nulls::Nowhere && union.members().len() < 4 {
            forms.push(Value::Null);
        }
        union
            .members()
            .fold(field(discriminator.name(), &values), |objects, member| {
                product(&objects, &field(member.name(), &forms))
            })
    }
}

/// Returns a CRD whose `spec` has this schema, and which the server must accept.
fn crd(group: &str, name: &str, schema: &Value) -> Value {
    json!({
        "group": group,
        "name": name,
        "native": "",
        "crd": {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": { "name": "cases.example.com" },
            "spec": {
                "group": "example.com",
                "names": { "kind": "Case", "plural": "cases" },
                "scope": "Namespaced",
                "versions": [{
                    "name": "v1",
                    "served": true,
                    "storage": true,
                    "schema": { "openAPIV3Schema": {
                        "type": "object",
                        "properties": { "spec": schema },
                    } },
                }],
            },
        },
    })
}

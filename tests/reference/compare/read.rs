//! Compares which schemas with `x-kubernetes-unions` in the 2019 shape are read, and to which
//! unions: union-runtime and kube-openapi's `schemaconv`.

use std::collections::BTreeSet;
use std::error::Error;

use serde_json::{Map, Value, json};
use union_json::{SchemaSource, Unions};

use crate::place::Place;
use crate::prediction::{Outcome, Predicate};
use crate::reference::Reference;
use crate::schema::Struct;
use crate::tally::Tally;
use union_random::Random;

/// A name or value is a word that YAML 1.1 reads as a bool, such as `no`. The reference reads JSON
/// as YAML, and rejects the schema.
const YAML_WORD: Predicate = "yaml-word";
// Each of the other predicates is about an invalid part of a schema. We reject the schema; the
// reference does not validate this part.
const UNKNOWN_FIELD: Predicate = "unknown-field";
const UNKNOWN_KEY: Predicate = "unknown-key";
const NO_MEMBERS: Predicate = "no-members";
const EMPTY_VALUE: Predicate = "empty-value";
const EMPTY_NAME: Predicate = "empty-name";
const NOT_IN_ENUM: Predicate = "not-in-enum";
const NO_TEXT: Predicate = "no-text";

pub(crate) const PREDICATES: &[Predicate] = &[
    YAML_WORD,
    UNKNOWN_FIELD,
    UNKNOWN_KEY,
    NO_MEMBERS,
    EMPTY_VALUE,
    EMPTY_NAME,
    NOT_IN_ENUM,
    NO_TEXT,
];

/// A defect that was added to a valid schema.
#[derive(Clone, Copy)]
enum Defect {
    /// A defect for which both sides reject the schema.
    Both(Broken),
    /// A defect for which only we reject the schema.
    Ours(Predicate),
}

#[derive(Clone, Copy)]
enum Broken {
    Extension,
    Union,
    Discriminator,
    Members,
    Value,
    ValueTwice,
    FieldTwice,
    DiscriminatorTwice,
    OwnMember,
}

const DEFECTS: [Defect; 16] = [
    Defect::Both(Broken::Extension),
    Defect::Both(Broken::Union),
    Defect::Both(Broken::Discriminator),
    Defect::Both(Broken::Members),
    Defect::Both(Broken::Value),
    Defect::Both(Broken::ValueTwice),
    Defect::Both(Broken::FieldTwice),
    Defect::Both(Broken::DiscriminatorTwice),
    Defect::Both(Broken::OwnMember),
    Defect::Ours(UNKNOWN_FIELD),
    Defect::Ours(UNKNOWN_KEY),
    Defect::Ours(NO_MEMBERS),
    Defect::Ours(EMPTY_VALUE),
    Defect::Ours(EMPTY_NAME),
    Defect::Ours(NOT_IN_ENUM),
    Defect::Ours(NO_TEXT),
];

const MEMBERS: &str = "fields-to-discriminateBy";
const UNIONS: &str = "x-kubernetes-unions";

struct Case {
    schema: Value,
    defect: Option<Defect>,
    has_yaml_word: bool,
}

pub(crate) fn run(
    reference: &Reference,
    random: &mut Random,
    count: usize,
) -> Result<Tally, Box<dyn Error>> {
    let cases: Vec<Case> = (0..count).map(|_| Case::random(random)).collect();
    let questions: Vec<Value> = cases
        .iter()
        .map(|case| json!({ "subject": "schema", "name": "", "schema": case.schema }))
        .collect();
    let answers = reference.ask(&questions)?;
    let mut tally = Tally::default();
    for (case, answer) in cases.iter().zip(answers) {
        let ours = Unions::compile(SchemaSource::Schema(&case.schema)).err();
        let outcome = case.compare(ours.is_some(), answer != json!({}));
        tally.count(outcome, || {
            let ours = ours.map(|error| error.to_string()).unwrap_or_default();
            format!(
                "{}\n  ours:      {ours}\n  reference: {answer}",
                case.schema
            )
        });
    }
    Ok(tally)
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let place = Place::random(random);
        let mut schema = Struct::with_unions(random).schema();
        let at = random.below(schema[UNIONS].as_array().map_or(1, Vec::len));
        let defect = random.chance(60).then(|| *random.pick(&DEFECTS));
        let has_yaml_word = defect.is_none() && random.chance(25);
        if has_yaml_word {
            add_yaml_word(random, &mut schema, at);
        }
        match defect {
            None => {}
            Some(Defect::Both(broken)) => broken.add(random, &mut schema, at),
            Some(Defect::Ours(predicate)) => add_unchecked(predicate, &mut schema, at),
        }
        Self {
            schema: place.schema(schema),
            defect,
            has_yaml_word,
        }
    }

    fn compare(&self, we_rejected: bool, they_rejected: bool) -> Outcome {
        let we_reject = self.defect.is_some();
        let they_reject = self.has_yaml_word || matches!(self.defect, Some(Defect::Both(_)));
        if (we_rejected, they_rejected) != (we_reject, they_reject) {
            return Outcome::Differ(format!(
                "expected rejection: we {we_reject}, the reference {they_reject}"
            ));
        }
        match self.defect {
            _ if we_reject == they_reject => Outcome::Agree {
                is_rejected: we_reject,
            },
            Some(Defect::Ours(predicate)) => Outcome::Explained(BTreeSet::from([predicate])),
            _ => Outcome::Explained(BTreeSet::from([YAML_WORD])),
        }
    }
}

/// Adds a member whose name or value is a word of [`YAML_WORD`].
fn add_yaml_word(random: &mut Random, schema: &mut Value, at: usize) {
    let word = *random.pick(&["y", "N", "yes", "No", "ON", "off"]);
    let (name, value) = if random.chance(50) {
        (word, "Word")
    } else {
        ("word", word)
    };
    schema["properties"][name] = json!({ "type": "string" });
    schema[UNIONS][at][MEMBERS][name] = json!(value);
    if let Some(Value::Array(values)) = discriminator(schema, at).get_mut("enum") {
        values.push(json!(value));
    }
}

/// Returns the schema of the discriminator. Adds a discriminator if the union has none.
fn discriminator(schema: &mut Value, at: usize) -> &mut Value {
    let found = schema[UNIONS][at]["discriminator"].as_str();
    let name = found.unwrap_or("which").to_owned();
    if found.is_none() {
        schema[UNIONS][at]["discriminator"] = json!(name);
        schema["properties"][&name] = json!({ "type": "string" });
    }
    &mut schema["properties"][name]
}

impl Broken {
    fn add(self, random: &mut Random, schema: &mut Value, at: usize) {
        let no_text = random
            .pick(&[json!(5), json!(null), json!({}), json!(["a"])])
            .clone();
        let no_object = random
            .pick(&[json!(5), json!(null), json!("a"), json!([])])
            .clone();
        let member = first_member(&schema[UNIONS][at]);
        let unions = &mut schema[UNIONS];
        match self {
            Self::Extension => {
                *unions = random
                    .pick(&[json!(5), json!(null), json!("a"), json!({})])
                    .clone();
            }
            Self::Union => unions[at] = no_object,
            Self::Discriminator => unions[at]["discriminator"] = no_text,
            Self::Members => unions[at][MEMBERS] = no_object,
            Self::Value => unions[at][MEMBERS][&member] = no_text,
            Self::ValueTwice => {
                let value = unions[at][MEMBERS][&member].clone();
                unions[at][MEMBERS]["again"] = value;
                schema["properties"]["again"] = json!({ "type": "string" });
            }
            Self::FieldTwice => push(unions, json!({ MEMBERS: { member: "Again" } })),
            Self::DiscriminatorTwice => {
                discriminator(schema, at);
                let name = schema[UNIONS][at]["discriminator"].clone();
                schema["properties"]["again"] = json!({ "type": "string" });
                let again = json!({ "discriminator": name, MEMBERS: { "again": "Again" } });
                push(&mut schema[UNIONS], again);
            }
            Self::OwnMember => {
                let text = json!({ "type": "string" });
                schema["properties"][&member] = text;
                schema[UNIONS][at]["discriminator"] = json!(member);
            }
        }
    }
}

fn add_unchecked(predicate: Predicate, schema: &mut Value, at: usize) {
    match predicate {
        UNKNOWN_FIELD => schema[UNIONS][at][MEMBERS]["nowhere"] = json!("Nowhere"),
        UNKNOWN_KEY => schema[UNIONS][at]["unknown"] = json!("text"),
        NO_MEMBERS => schema[UNIONS][at][MEMBERS] = json!({}),
        EMPTY_NAME => schema[UNIONS][at]["discriminator"] = json!(""),
        EMPTY_VALUE => {
            discriminator(schema, at);
            let member = first_member(&schema[UNIONS][at]);
            schema[UNIONS][at][MEMBERS][member] = json!("");
        }
        NOT_IN_ENUM => discriminator(schema, at)["enum"] = json!(["other"]),
        _ => discriminator(schema, at)["type"] = json!("integer"),
    }
}

fn first_member(union: &Value) -> String {
    let members = union[MEMBERS].as_object().map(Map::keys);
    let first = members.and_then(|mut names| names.next());
    first.cloned().unwrap_or_default()
}

fn push(unions: &mut Value, union: Value) {
    if let Value::Array(unions) = unions {
        unions.push(union);
    }
}

//! Tests that `k8s-crd-validation` reports unknown fields and repeated keys as the server does.
//!
//! The cases of `../../reference/field_cases` are sent as they are, in YAML and JSON, with each
//! value of `fieldValidation`. Strict errors, and the headers of warnings, are compared to the
//! letter.

#[path = "../../reference/field_cases/case.rs"]
mod case;
#[path = "../../reference/field_cases/library.rs"]
mod library;
#[path = "../../reference/field_cases/make.rs"]
mod make;
#[path = "../../reference/field_cases/mistakes.rs"]
mod mistakes;
#[path = "../../reference/field_cases/names.rs"]
mod names;
#[path = "../../reference/field_cases/schemas.rs"]
mod schemas;
#[path = "../../reference/field_cases/tally.rs"]
mod tally;
#[path = "../../reference/field_cases/tree.rs"]
mod tree;
#[path = "../../reference/field_cases/types.rs"]
mod types;

use k8s_crd_validation::StructuralSchema;
use serde_json::{Value, json};
use union_random::Random;

use crate::cluster::{self, CRDS, Cluster, Fallible};
use case::{Case, Validation};
use library::Answer;
use tally::Tally;
use types::Structs;

const SCHEMA_COUNT: usize = 8;
const CASES_PER_SCHEMA: usize = 30;

const VALIDATIONS: [Validation; 4] = [
    Validation::Strict,
    Validation::Warn,
    Validation::Ignore,
    Validation::Unset,
];

/// The number of characters of warnings after which a server shortens them.
const MAX_WARNINGS: usize = 4096;
/// The number of warnings that the client reads in any case: it reads 100 headers.
const MAX_HEADERS: usize = 80;

pub(crate) async fn run(cluster: &Cluster, reference: &str, seed: u64) -> Fallible<bool> {
    let mut random = Random::new(seed);
    let structs = Structs::of(reference)?;
    let mut tally = Tally::new(&structs);
    cluster
        .serve(&crd(&json!({"type": "object"}), "v1"))
        .await?;
    for index in 0..SCHEMA_COUNT {
        let (schema, _) = case::schema(&mut random);
        // The server serves this additional version when it has taken over the new schema.
        let crd = crd(&schema, &format!("v{}", index + 2));
        let compiled = StructuralSchema::compiler()
            .crd(&crd, Some(VERSION))
            .map_err(|report| format!("{report:?}"))?;
        cluster
            .change(&format!("{PLURAL}.{GROUP}"), &crd["spec"])
            .await?;
        for _ in 0..CASES_PER_SCHEMA {
            let mut case = Case::custom(&schema, &structs, &mut random);
            (case.op, case.old) = ("create", None);
            let path = format!("/apis/{GROUP}/{VERSION}/namespaces/default/{PLURAL}");
            send_and_compare(cluster, &path, &case, Some(&compiled), &mut tally).await?;
        }
    }
    let fields: Vec<_> = structs.all().collect();
    for field in &fields {
        let case = Case::crd(Some(*field), &structs, &mut random);
        send_and_compare(cluster, CRDS, &case, None, &mut tally).await?;
    }
    print!("unknown fields: ");
    Ok(tally.finish(&fields))
}

/// Sends the body with each value of the parameter, and compares the responses.
async fn send_and_compare(
    cluster: &Cluster,
    path: &str,
    case: &Case,
    schema: Option<&StructuralSchema>,
    tally: &mut Tally<'_>,
) -> Fallible {
    for validation in VALIDATIONS {
        let ours = library::answer(schema, case, validation);
        let length: usize = ours.warnings.iter().map(|text| text.chars().count()).sum();
        if length > MAX_WARNINGS || ours.warnings.len() > MAX_HEADERS {
            continue;
        }
        let query = match validation {
            Validation::Unset => String::new(),
            _ => format!("&fieldValidation={}", validation.name()),
        };
        let path = format!("{path}?dryRun=All{query}");
        let content_type = case.content_type();
        let theirs = decoder_answer(&cluster.post_text(&path, content_type, &case.text).await?);
        let ours = ours.about_crd(&theirs);
        tally.add(case, validation, &theirs, &ours);
    }
    Ok(())
}

/// Returns the part of the server's response that is about decoding.
fn decoder_answer(server: &cluster::ServerResponse) -> Answer {
    let message = cluster::text(&server.body["message"]);
    let is_decoding = server.code == 400
        && [
            "cannot be handled as a",
            "is unrecognized",
            "couldn't get version/kind",
        ]
        .iter()
        .any(|part| message.contains(part));
    let errors = if is_decoding {
        json!([{"type": "BadRequest", "text": message}])
    } else {
        json!([])
    };
    Answer::read(&json!({"errors": errors, "warnings": server.warnings})).of_decoder()
}

const GROUP: &str = "mygroup.example.com";
const VERSION: &str = "v1beta1";
const PLURAL: &str = "mycoolcrds";

fn crd(schema: &Value, other_version: &str) -> Value {
    let version = |name: &str, schema: &Value| {
        json!({
            "name": name, "served": true, "storage": name == VERSION,
            "schema": {"openAPIV3Schema": schema}, "subresources": {"status": {}},
        })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{PLURAL}.{GROUP}")},
        "spec": {
            "group": GROUP,
            "names": {"kind": make::KIND, "plural": PLURAL},
            "scope": "Namespaced",
            "versions": [
                version(VERSION, schema),
                version(other_version, &json!({"type": "object"})),
            ],
        },
    })
}

//! (c) Tests that `StructuralSchema` predicts the responses of the server: causes, warnings, and
//! the resulting object.
//!
//! Old objects are stored under a CRD that accepts any object. Then the schema of the CRD is
//! replaced by several random, stricter schemas, one after the other.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use union_runtime::{Violation, ViolationKind};

use crate::case::{Batch, Case, Definition, Op};
use crate::cluster::{Cause, Cluster, Fallible, ServerResponse, text};
use crate::explain;
use crate::same::same;
use crate::tally::Tally;
use union_random::Random;

/// The number of schemas that each CRD gets, and the number of cases for each schema.
const SCHEMAS_PER_CRD: usize = 8;
const CASES_PER_SCHEMA: usize = 24;
/// The number of CRDs that are tested at the same time.
const MAX_TASKS: usize = 4;

/// The number of times that the server is queried again if its response differs.
const MAX_REPEATS: usize = 50;

const VERSION: &str = "v1";
const KIND: &str = "Thing";
const PLURAL: &str = "things";
/// The metadata fields that a client may write, and that the cases have.
const CLIENT_METADATA: [&str; 4] = ["labels", "annotations", "finalizers", "zz"];

/// The results for schemas and for requests.
#[derive(Default)]
struct Tallies {
    schemas: Tally,
    requests: Tally,
}

/// Runs random cases, of which at least `updates` are updates, on both sides.
pub(crate) async fn run(cluster: &Cluster, seed: u64, min_updates: usize) -> Fallible<bool> {
    let mut random = Random::new(seed);
    let mut tallies = Tallies::default();
    // About three of four cases are updates.
    let crd_count = (min_updates * 3 / 2).div_ceil(SCHEMAS_PER_CRD * CASES_PER_SCHEMA);
    let mut tasks = JoinSet::new();
    for index in 0..crd_count {
        if tasks.len() == MAX_TASKS
            && let Some(tallies_of_crd) = tasks.join_next().await
        {
            tallies.add(tallies_of_crd??);
        }
        let (cluster, seed) = (cluster.clone(), random.below(usize::MAX) as u64);
        tasks.spawn(async move { test_crd(&cluster, index, seed).await });
    }
    while let Some(tallies_of_crd) = tasks.join_next().await {
        tallies.add(tallies_of_crd??);
    }
    let all_schemas_agree = tallies.schemas.finish("random schemas", crd_count);
    Ok(tallies
        .requests
        .finish("updates by random schemas", min_updates)
        && all_schemas_agree)
}

impl Tallies {
    fn add(&mut self, other_tallies: Self) {
        self.schemas.add(other_tallies.schemas);
        self.requests.add(other_tallies.requests);
    }
}

/// A random schema with its cases.
struct SchemaUnderTest {
    version: Value,
    schema: StructuralSchema,
    /// The schema, compiled from the CRD that the server returns.
    served: Option<StructuralSchema>,
    cases: Vec<StoredCase>,
}

/// A case, and its old object as the server stored it.
struct StoredCase {
    case: Case,
    name: String,
    old: Value,
}

/// Tests a CRD with some random schemas, one after the other.
async fn test_crd(cluster: &Cluster, index: usize, seed: u64) -> Fallible<Tallies> {
    let mut random = Random::new(seed);
    let mut tallies = Tallies::default();
    let group = format!("random{index}.example.com");
    let version_without_schema = json!({
        "name": VERSION, "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {
            "type": "object", "x-kubernetes-preserve-unknown-fields": true,
        }},
    });
    cluster
        .serve(&crd(&group, &[version_without_schema]))
        .await?;
    let mut schemas_under_test = Vec::new();
    while schemas_under_test.len() < SCHEMAS_PER_CRD {
        let is_invalid = random.chance(8);
        let batch = Batch::random(&mut random, CASES_PER_SCHEMA, is_invalid, true);
        let version = crd_version(&batch.definition);
        let crd = crd(&group, std::slice::from_ref(&version));
        match StructuralSchema::compiler().crd(&crd, None) {
            Ok(schema) => {
                let index = schemas_under_test.len();
                let cases =
                    store(cluster, &group, index, batch.cases, &mut tallies.requests).await?;
                schemas_under_test.push(SchemaUnderTest {
                    version,
                    schema,
                    served: None,
                    cases,
                });
            }
            Err(report) => {
                let name = &crd["metadata"]["name"];
                let response = cluster
                    .put_crd(&text(name), &crd["spec"], "?dryRun=All")
                    .await?;
                tallies
                    .schemas
                    .count_event("rejected", !response.is_accepted());
                let our_causes = sorted(causes(report.errors()));
                let server_causes = sorted(response.causes());
                match difference_of_causes(&server_causes, &our_causes) {
                    None => tallies.schemas.count_agreement(),
                    Some(_) if explain::is_type_name(&server_causes, &our_causes) => {
                        tallies.schemas.count_event(explain::TYPE_NAME, true);
                    }
                    Some(_) if explain::is_metadata_default(&server_causes, &our_causes) => {
                        tallies.schemas.count_event(explain::METADATA_DEFAULT, true);
                    }
                    Some(difference) => tallies
                        .schemas
                        .add_difference(format!("{difference}\n{version}")),
                }
            }
        }
    }
    for (index, schema_under_test) in schemas_under_test.iter_mut().enumerate() {
        // The server serves this additional version as soon as it uses the new schema.
        let marker_name = format!("v{}", index + 2);
        let marker_version = json!({
            "name": marker_name, "served": true, "storage": false,
            "schema": {"openAPIV3Schema": {"type": "object"}},
        });
        let spec = &crd(&group, &[schema_under_test.version.clone(), marker_version])["spec"];
        let served_crd = match cluster.change(&format!("{PLURAL}.{group}"), spec).await {
            Ok(served_crd) => served_crd,
            Err(error) => {
                tallies
                    .schemas
                    .add_difference(format!("{error}\n{}", schema_under_test.version));
                continue;
            }
        };
        schema_under_test.served = StructuralSchema::compiler().crd(&served_crd, None).ok();
        tallies.schemas.count_agreement();
        for stored_case in &schema_under_test.cases {
            test_case(
                cluster,
                &group,
                schema_under_test,
                stored_case,
                &mut tallies.requests,
            )
            .await?;
        }
    }
    Ok(tallies)
}

/// Stores the old objects of cases.
async fn store(
    cluster: &Cluster,
    group: &str,
    schema: usize,
    cases: Vec<Case>,
    tally: &mut Tally,
) -> Fallible<Vec<StoredCase>> {
    let mut stored_cases = Vec::new();
    for (index, case) in cases.into_iter().enumerate() {
        let name = format!("s{schema}-{index}");
        let mut old = Value::Null;
        if case.op != Op::Create {
            let mut metadata = json!({"name": name, "namespace": "default"});
            copy_client_metadata(&mut metadata, &case.old["metadata"]);
            let object = with_identity(&case.old, group, metadata);
            let response = cluster.post(&objects_path(group), &object).await?;
            // An object with invalid metadata cannot be stored.
            if !response.is_accepted() {
                tally.count_event("old ones that cannot be stored", true);
                continue;
            }
            old = response.body;
        }
        stored_cases.push(StoredCase { case, name, old });
    }
    Ok(stored_cases)
}

/// Returns the URL path of the objects of a CRD.
fn objects_path(group: &str) -> String {
    format!("/apis/{group}/{VERSION}/namespaces/default/{PLURAL}")
}

fn sorted(mut causes: Vec<Cause>) -> Vec<Cause> {
    causes.sort();
    causes
}

/// Returns the version of a CRD that a batch of cases is validated by.
fn crd_version(definition: &Definition) -> Value {
    let mut version = match definition {
        Definition::Schema { schema, status } => {
            let subresources = if *status {
                json!({"status": {}})
            } else {
                json!({})
            };
            json!({"schema": {"openAPIV3Schema": schema}, "subresources": subresources})
        }
        Definition::Crd { crd, .. } | Definition::Stored { crd, .. } => {
            crd["spec"]["versions"][0].clone()
        }
    };
    version["name"] = VERSION.into();
    version["served"] = true.into();
    version["storage"] = true.into();
    version
}

fn crd(group: &str, versions: &[Value]) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{PLURAL}.{group}")},
        "spec": {
            "group": group,
            "names": {"kind": KIND, "plural": PLURAL},
            "scope": "Namespaced",
            "versions": versions,
        },
    })
}

/// Sends the request of a case, and compares the response with ours.
async fn test_case(
    cluster: &Cluster,
    group: &str,
    schema_under_test: &SchemaUnderTest,
    StoredCase { case, name, old }: &StoredCase,
    tally: &mut Tally,
) -> Fallible {
    let path = objects_path(group);
    let mut metadata = match case.op {
        Op::Create => json!({"name": name, "namespace": "default"}),
        _ => old["metadata"].clone(),
    };
    copy_client_metadata(&mut metadata, &case.new["metadata"]);
    let new = with_identity(&case.new, group, metadata);
    let response = send(cluster, case.op, &path, name, &new).await?;
    let our_response = OurResponse::compute(&schema_under_test.schema, case.op, &new, old);
    tally.count_event("creates", case.op == Op::Create);
    tally.count_event("of the status", case.op == Op::Status);
    tally.count_event("rejected", !response.is_accepted());
    tally.count_event("with warnings", !response.warnings.is_empty());
    tally.count_event("with what is tolerated", our_response.has_tolerated);
    let Some(difference) = our_response.difference(&response) else {
        tally.count_agreement();
        return Ok(());
    };
    let served = schema_under_test.served.as_ref();
    let response_by_served = served.map(|schema| OurResponse::compute(schema, case.op, &new, old));
    // If the lint rejects the returned CRD, because a default is another number there, there is no
    // second response to compare with.
    let difference_by_served =
        response_by_served.and_then(|our_response| our_response.difference(&response));
    let response_without_managed_fields = OurResponse::compute(
        &schema_under_test.schema,
        case.op,
        &without_managed_fields(&new),
        old,
    );
    let explanation = if difference_by_served.is_none() {
        Some(explain::CRD_NUMBERS)
    } else if response_without_managed_fields
        .difference(&response)
        .is_none()
    {
        Some(explain::MANAGED_FIELDS)
    } else {
        explain::known_difference(&response, &our_response.causes, |response, causes| {
            our_response
                .with_causes(causes)
                .difference(response)
                .is_none()
        })
    };
    if let Some(name) = explanation {
        tally.count_event(name, true);
        return Ok(());
    }
    // The server has several possible responses to some requests, so it is queried again.
    for _ in 0..MAX_REPEATS {
        let response = send(cluster, case.op, &path, name, &new).await?;
        if [&our_response, &response_without_managed_fields]
            .iter()
            .any(|our_response| our_response.difference(&response).is_none())
        {
            let name = if explain::is_unreadable(&our_response.causes) {
                explain::ONE_OF_SEVERAL
            } else {
                explain::SEVERAL_ANSWERS
            };
            tally.count_event(name, true);
            return Ok(());
        }
    }
    let (op, version) = (case.op.name(), &schema_under_test.version);
    let served = difference_by_served.unwrap_or_default();
    tally.add_difference(format!(
        "{op}: {difference}\nby the CRD as it is stored: {served}\n{version}\nold {old}\nnew {new}"
    ));
    Ok(())
}

/// Sends a request as a dry run.
async fn send(
    cluster: &Cluster,
    op: Op,
    path: &str,
    name: &str,
    new: &Value,
) -> Fallible<ServerResponse> {
    const QUERY: &str = "?dryRun=All";
    match op {
        Op::Create => cluster.post(&format!("{path}{QUERY}"), new).await,
        Op::Update => cluster.put(&format!("{path}/{name}{QUERY}"), new).await,
        Op::Status => {
            let path = format!("{path}/{name}/status{QUERY}");
            cluster.put(&path, new).await
        }
    }
}

/// Returns the object without its managed fields, because the server computes these itself.
fn without_managed_fields(new: &Value) -> Value {
    let mut new = new.clone();
    if let Some(metadata) = new["metadata"].as_object_mut() {
        metadata.remove("managedFields");
    }
    new
}

/// The response that `StructuralSchema` computes for a request.
struct OurResponse {
    causes: Vec<Cause>,
    warnings: Vec<String>,
    has_tolerated: bool,
    /// The object in the response, if the request is accepted.
    object: Value,
}

impl OurResponse {
    fn compute(schema: &StructuralSchema, op: Op, new: &Value, old: &Value) -> Self {
        let settings = ServerSettings::default();
        let mut object = new.clone();
        let report = match op {
            Op::Create => schema.create(&mut object, &settings),
            Op::Update => schema.update(&mut object, old, &settings),
            Op::Status => schema.update_status(&mut object, old, &settings),
        };
        // A create drops the status. The server then reads the object from its storage, which adds
        // the default of the status, so the response has this default.
        let stored = object.clone();
        drop(schema.update(&mut object, &stored, &settings));
        let mut warnings = report.warnings().to_vec();
        warnings.sort();
        // Two rules may give the same warning, and a response has each header once.
        warnings.dedup();
        Self {
            causes: causes(report.errors()),
            warnings,
            has_tolerated: !report.tolerated().is_empty(),
            object,
        }
    }

    /// Returns the same response with other causes.
    fn with_causes(&self, causes: &[Cause]) -> Self {
        Self {
            causes: causes.to_vec(),
            warnings: self.warnings.clone(),
            has_tolerated: self.has_tolerated,
            object: self.object.clone(),
        }
    }

    /// Describes the difference to the server's response, if there is one.
    fn difference(&self, response: &ServerResponse) -> Option<String> {
        if let Some(difference) = difference_of_causes(&response.causes(), &self.causes) {
            return Some(difference);
        }
        let mut warnings = response.warnings.clone();
        warnings.sort();
        if warnings != self.warnings {
            return Some(format!(
                "the server warns {warnings:#?}\nwe {:#?}",
                self.warnings
            ));
        }
        // The server sets metadata such as managed fields and timestamps.
        let [served, ours] = [&response.body, &self.object].map(|object| {
            let mut object = object.clone();
            object["metadata"] = Value::Null;
            object
        });
        (response.is_accepted() && !same(&served, &ours))
            .then(|| format!("the server's object: {served}\nours: {ours}"))
    }
}

/// Describes the difference between two sorted lists of causes, if there is one.
fn difference_of_causes(server_causes: &[Cause], our_causes: &[Cause]) -> Option<String> {
    if server_causes == our_causes {
        return None;
    }
    let causes_missing_in = |other_causes: &[Cause], causes: &[Cause]| -> Vec<Cause> {
        let mut unmatched = other_causes.to_vec();
        let is_missing =
            |cause: &&Cause| match unmatched.iter().position(|candidate| candidate == *cause) {
                Some(index) => {
                    unmatched.remove(index);
                    false
                }
                None => true,
            };
        causes.iter().filter(is_missing).cloned().collect()
    };
    let (only_server, only_ours) = (
        causes_missing_in(our_causes, server_causes),
        causes_missing_in(server_causes, our_causes),
    );
    Some(format!(
        "only the server: {only_server:#?}\nonly we: {only_ours:#?}"
    ))
}

/// Converts our errors to the causes of a `Status`.
fn causes(violations: &[Violation]) -> Vec<Cause> {
    let cause = |violation: &Violation| {
        if violation.kind() == ViolationKind::BadRequest {
            let reason = violation.kind().reason().to_owned();
            let text = format!(
                "{KIND} in version \"{VERSION}\" cannot be handled as a {KIND}: {violation}"
            );
            return [reason, String::new(), text];
        }
        let cause = violation.cause();
        ["reason", "field", "message"].map(|key| text(&cause[key]))
    };
    let mut causes: Vec<Cause> = violations.iter().map(cause).collect();
    causes.sort();
    causes
}

/// Returns the object with an API version, a kind and metadata.
fn with_identity(object: &Value, group: &str, metadata: Value) -> Value {
    let mut object = object.clone();
    object["apiVersion"] = format!("{group}/{VERSION}").into();
    object["kind"] = KIND.into();
    object["metadata"] = metadata;
    object
}

/// Copies the fields of the metadata that a client may write.
fn copy_client_metadata(metadata: &mut Value, source_metadata: &Value) {
    for name in CLIENT_METADATA {
        if let Some(value) = source_metadata.get(name) {
            metadata[name] = value.clone();
        }
    }
}

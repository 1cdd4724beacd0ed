//! (c) Tests that `StructuralSchema` predicts the responses of the server: causes, warnings, and
//! the resulting object.
//!
//! Old objects are stored under a CRD that accepts any object. Then the schema of the CRD is
//! replaced by several random, stricter schemas, one after the other.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use union_runtime::{Violation, ViolationKind};

use crate::case::{Batch, Case, Judge, Op};
use crate::cluster::{Answer, Cause, Cluster, Fallible, text};
use crate::explain;
use crate::same::same;
use crate::tally::Tally;
use union_random::Random;

/// The number of schemas that each CRD gets, and the number of cases for each schema.
const SCHEMAS: usize = 8;
const CASES: usize = 24;
/// The number of CRDs that are tested at the same time.
const TASKS: usize = 4;

/// The number of times that the server is queried again if its response differs.
const AGAIN: usize = 50;

const VERSION: &str = "v1";
const KIND: &str = "Thing";
const PLURAL: &str = "things";
/// The metadata fields that a client may write, and that the cases have.
const OWN_METADATA: [&str; 4] = ["labels", "annotations", "finalizers", "zz"];

/// The tallies of schemas and of requests.
#[derive(Default)]
struct Tallies {
    lint: Tally,
    requests: Tally,
}

/// Runs random cases, of which at least `updates` are updates, on both sides.
pub(crate) async fn run(cluster: &Cluster, seed: u64, updates: usize) -> Fallible<bool> {
    let mut random = Random::new(seed);
    let mut tallies = Tallies::default();
    // About three of four cases are updates.
    let crds = (updates * 3 / 2).div_ceil(SCHEMAS * CASES);
    let mut tasks = JoinSet::new();
    for number in 0..crds {
        if tasks.len() == TASKS
            && let Some(done) = tasks.join_next().await
        {
            tallies.add(done??);
        }
        let (cluster, seed) = (cluster.clone(), random.below(usize::MAX) as u64);
        tasks.spawn(async move { one_crd(&cluster, number, seed).await });
    }
    while let Some(done) = tasks.join_next().await {
        tallies.add(done??);
    }
    let lint = tallies.lint.finish("random schemas", crds);
    Ok(tallies
        .requests
        .finish("updates by random schemas", updates)
        && lint)
}

impl Tallies {
    fn add(&mut self, other: Self) {
        self.lint.add(other.lint);
        self.requests.add(other.requests);
    }
}

/// A random schema with its cases.
struct Judging {
    version: Value,
    schema: StructuralSchema,
    /// The schema, compiled from the CRD that the server returns.
    served: Option<StructuralSchema>,
    cases: Vec<Stored>,
}

/// A case, and its old object as the server stored it.
struct Stored {
    case: Case,
    name: String,
    old: Value,
}

/// Tests a CRD with some random schemas, one after the other.
async fn one_crd(cluster: &Cluster, number: usize, seed: u64) -> Fallible<Tallies> {
    let mut random = Random::new(seed);
    let mut tallies = Tallies::default();
    let group = format!("random{number}.example.com");
    let lax = json!({
        "name": VERSION, "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {
            "type": "object", "x-kubernetes-preserve-unknown-fields": true,
        }},
    });
    cluster.serve(&crd(&group, &[lax])).await?;
    let mut all = Vec::new();
    while all.len() < SCHEMAS {
        let broken = random.chance(8);
        let batch = Batch::random(&mut random, CASES, broken, true);
        let version = version(&batch.judge);
        let crd = crd(&group, std::slice::from_ref(&version));
        match StructuralSchema::compiler().crd(&crd, None) {
            Ok(schema) => {
                let number = all.len();
                let cases =
                    store(cluster, &group, number, batch.cases, &mut tallies.requests).await?;
                all.push(Judging {
                    version,
                    schema,
                    served: None,
                    cases,
                });
            }
            Err(report) => {
                let name = &crd["metadata"]["name"];
                let answer = cluster
                    .put_crd(&text(name), &crd["spec"], "?dryRun=All")
                    .await?;
                tallies.lint.count("refused", !answer.is_accepted());
                let ours = sorted(causes(report.errors()));
                let server = sorted(answer.causes());
                match difference_of(&server, &ours) {
                    None => tallies.lint.agrees(),
                    Some(_) if explain::is_type_name(&server, &ours) => {
                        tallies.lint.count(explain::TYPE_NAME, true);
                    }
                    Some(_) if explain::is_metadata_default(&server, &ours) => {
                        tallies.lint.count(explain::METADATA_DEFAULT, true);
                    }
                    Some(how) => tallies.lint.differs(format!("{how}\n{version}")),
                }
            }
        }
    }
    for (number, judging) in all.iter_mut().enumerate() {
        // The server serves this additional version as soon as it uses the new schema.
        let mark = format!("v{}", number + 2);
        let mark = json!({
            "name": mark, "served": true, "storage": false,
            "schema": {"openAPIV3Schema": {"type": "object"}},
        });
        let spec = &crd(&group, &[judging.version.clone(), mark])["spec"];
        let served = match cluster.change(&format!("{PLURAL}.{group}"), spec).await {
            Ok(served) => served,
            Err(error) => {
                tallies
                    .lint
                    .differs(format!("{error}\n{}", judging.version));
                continue;
            }
        };
        judging.served = StructuralSchema::compiler().crd(&served, None).ok();
        tallies.lint.agrees();
        for stored in &judging.cases {
            one_case(cluster, &group, judging, stored, &mut tallies.requests).await?;
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
) -> Fallible<Vec<Stored>> {
    let mut all = Vec::new();
    for (number, case) in cases.into_iter().enumerate() {
        let name = format!("s{schema}-{number}");
        let mut old = Value::Null;
        if case.op != Op::Create {
            let mut metadata = json!({"name": name, "namespace": "default"});
            take_own(&mut metadata, &case.old["metadata"]);
            let object = identify(&case.old, group, metadata);
            let answer = cluster.post(&path(group), &object).await?;
            // An object with invalid metadata cannot be stored.
            if !answer.is_accepted() {
                tally.count("old ones that cannot be stored", true);
                continue;
            }
            old = answer.body;
        }
        all.push(Stored { case, name, old });
    }
    Ok(all)
}

fn path(group: &str) -> String {
    format!("/apis/{group}/{VERSION}/namespaces/default/{PLURAL}")
}

fn sorted(mut causes: Vec<Cause>) -> Vec<Cause> {
    causes.sort();
    causes
}

/// Returns the version of a CRD that a batch of cases is validated by.
fn version(judge: &Judge) -> Value {
    let mut version = match judge {
        Judge::Schema { schema, status } => {
            let subresources = if *status {
                json!({"status": {}})
            } else {
                json!({})
            };
            json!({"schema": {"openAPIV3Schema": schema}, "subresources": subresources})
        }
        Judge::Crd { crd, .. } | Judge::Stored { crd, .. } => crd["spec"]["versions"][0].clone(),
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

async fn one_case(
    cluster: &Cluster,
    group: &str,
    judging: &Judging,
    Stored { case, name, old }: &Stored,
    tally: &mut Tally,
) -> Fallible {
    let path = path(group);
    let mut metadata = match case.op {
        Op::Create => json!({"name": name, "namespace": "default"}),
        _ => old["metadata"].clone(),
    };
    take_own(&mut metadata, &case.new["metadata"]);
    let new = identify(&case.new, group, metadata);
    let answer = ask(cluster, case.op, &path, name, &new).await?;
    let ours = Ours::of(&judging.schema, case.op, &new, old);
    tally.count("creates", case.op == Op::Create);
    tally.count("of the status", case.op == Op::Status);
    tally.count("refused", !answer.is_accepted());
    tally.count("with warnings", !answer.warnings.is_empty());
    tally.count("with what is tolerated", ours.tolerates);
    let Some(how) = ours.difference(&answer) else {
        tally.agrees();
        return Ok(());
    };
    let served = judging.served.as_ref();
    let by_served = served.map(|schema| Ours::of(schema, case.op, &new, old));
    // If the lint rejects the returned CRD, because a default is another number there, there is no
    // second response to compare with.
    let by_served = by_served.and_then(|ours| ours.difference(&answer));
    let managed = Ours::of(&judging.schema, case.op, &managed_anew(&new), old);
    let explained = if by_served.is_none() {
        Some(explain::CRD_NUMBERS)
    } else if managed.difference(&answer).is_none() {
        Some(explain::MANAGED_FIELDS)
    } else {
        explain::of_request(&answer, &ours.causes, |answer, causes| {
            ours.with(causes).difference(answer).is_none()
        })
    };
    if let Some(name) = explained {
        tally.count(name, true);
        return Ok(());
    }
    // The server has several possible responses to some requests, so it is queried again.
    for _ in 0..AGAIN {
        let answer = ask(cluster, case.op, &path, name, &new).await?;
        if [&ours, &managed]
            .iter()
            .any(|ours| ours.difference(&answer).is_none())
        {
            let name = if explain::is_unreadable(&ours.causes) {
                explain::ONE_OF_SEVERAL
            } else {
                explain::SEVERAL_ANSWERS
            };
            tally.count(name, true);
            return Ok(());
        }
    }
    let (op, version) = (case.op.name(), &judging.version);
    let served = by_served.unwrap_or_default();
    tally.differs(format!(
        "{op}: {how}\nby the CRD as it is stored: {served}\n{version}\nold {old}\nnew {new}"
    ));
    Ok(())
}

async fn ask(cluster: &Cluster, op: Op, path: &str, name: &str, new: &Value) -> Fallible<Answer> {
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

/// Returns the object without its managed fields, as it is when the server updates them.
fn managed_anew(new: &Value) -> Value {
    let mut new = new.clone();
    if let Some(metadata) = new["metadata"].as_object_mut() {
        metadata.remove("managedFields");
    }
    new
}

/// The response of `StructuralSchema` to a request.
struct Ours {
    causes: Vec<Cause>,
    warnings: Vec<String>,
    tolerates: bool,
    /// The object in the response, if the request is accepted.
    object: Value,
}

impl Ours {
    fn of(schema: &StructuralSchema, op: Op, new: &Value, old: &Value) -> Self {
        let settings = ServerSettings::default();
        let mut object = new.clone();
        let report = match op {
            Op::Create => schema.create(&mut object, &settings),
            Op::Update => schema.update(&mut object, old, &settings),
            Op::Status => schema.update_status(&mut object, old, &settings),
        };
        // The response has the object as it is read from storage: with the default of a status that
        // a create has dropped.
        let stored = object.clone();
        drop(schema.update(&mut object, &stored, &settings));
        let mut warnings = report.warnings().to_vec();
        warnings.sort();
        // Two rules may give the same warning, and a response has each header once.
        warnings.dedup();
        Self {
            causes: causes(report.errors()),
            warnings,
            tolerates: !report.tolerated().is_empty(),
            object,
        }
    }

    /// Returns the same response with other causes.
    fn with(&self, causes: &[Cause]) -> Self {
        Self {
            causes: causes.to_vec(),
            warnings: self.warnings.clone(),
            tolerates: self.tolerates,
            object: self.object.clone(),
        }
    }

    /// Describes the difference to the server's response, if there is one.
    fn difference(&self, answer: &Answer) -> Option<String> {
        if let Some(how) = difference_of(&answer.causes(), &self.causes) {
            return Some(how);
        }
        let mut warnings = answer.warnings.clone();
        warnings.sort();
        if warnings != self.warnings {
            return Some(format!(
                "the server warns {warnings:#?}\nwe {:#?}",
                self.warnings
            ));
        }
        // The server sets metadata such as managed fields and timestamps.
        let [served, ours] = [&answer.body, &self.object].map(|object| {
            let mut object = object.clone();
            object["metadata"] = Value::Null;
            object
        });
        (answer.is_accepted() && !same(&served, &ours))
            .then(|| format!("the server's object: {served}\nours: {ours}"))
    }
}

/// Describes the difference between two sorted lists of causes, if there is one.
fn difference_of(server: &[Cause], ours: &[Cause]) -> Option<String> {
    if server == ours {
        return None;
    }
    let only = |one: &[Cause], other: &[Cause]| -> Vec<Cause> {
        let mut rest = other.to_vec();
        let is_new = |cause: &&Cause| match rest.iter().position(|each| each == *cause) {
            Some(at) => {
                rest.remove(at);
                false
            }
            None => true,
        };
        one.iter().filter(is_new).cloned().collect()
    };
    let (missing, surplus) = (only(server, ours), only(ours, server));
    Some(format!(
        "only the server: {missing:#?}\nonly we: {surplus:#?}"
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
fn identify(object: &Value, group: &str, metadata: Value) -> Value {
    let mut object = object.clone();
    object["apiVersion"] = format!("{group}/{VERSION}").into();
    object["kind"] = KIND.into();
    object["metadata"] = metadata;
    object
}

/// Copies the fields of the metadata that a client may write.
fn take_own(metadata: &mut Value, from: &Value) {
    for name in OWN_METADATA {
        if let Some(value) = from.get(name) {
            metadata[name] = value.clone();
        }
    }
}

//! (f) Tests of admission policies instead of the webhook, on a whole kube-apiserver: it stores
//! and rejects the same objects as native `admit_unions`.

use k8s_crd_validation::ServerSettings;
use serde_json::{Value, json};
use union_policy::Policies;
use union_random::Random;
use union_runtime::{Settings, Violation};

use crate::cluster::{Cluster, Deadline, Fallible, ServerResponse, text};
use crate::tally::Tally;
use crate::unions::{mutate_spec, remove_untested_values};
use crate::webhook::random::{self, QUERY, UPDATES};
use crate::webhook::stories::count_story;
use crate::webhook::world::{self, Kind, expect_equal};

/// The API group of the kind that is checked by policies only.
const GROUP: &str = "policy.example.com";

const ADMISSION: &str = "/apis/admissionregistration.k8s.io/v1";

/// The number of random requests for each request that must agree.
const REQUEST_FACTOR: usize = 2;

/// The tolerance, in percent, of the longest list that a policy is documented to process.
const TOLERANCE_PERCENT: u64 = 5;

pub(crate) async fn run(cluster: &Cluster, seed: u64, min_agreements: usize) -> Fallible<bool> {
    let mut random = Random::new(seed);
    let things = Kind::from_crd(world::things_crd(GROUP)?)?;
    let old_objects = random::old_objects(&things, &mut random, min_agreements * REQUEST_FACTOR);
    let invalid_spec = json!({"optional": {"type": "None", "beta": {"exec": 1}}});
    let legacy = things.object("legacy", invalid_spec);
    things
        .serve_with_stored(cluster, &[vec![legacy], old_objects.clone()].concat())
        .await?;

    let mut tally = Tally::default();
    let settings = union_policy::Settings::default();
    let mutating = union_policy::mutating_policies(&things.crd, &settings)?;
    let validating = union_policy::validating_policies(&things.crd, &settings)?;
    for policies in [&mutating, &validating] {
        apply(cluster, policies, &mut tally).await?;
    }
    wait_until_evaluated(cluster, &things).await?;
    let results = [
        (
            "a create is completed",
            complete_create(cluster, &things).await,
        ),
        (
            "an unaware client switches",
            normalize_update(cluster, &things).await,
        ),
        ("a patch switches", normalize_patch(cluster, &things).await),
        (
            "a status is switched",
            normalize_status(cluster, &things).await,
        ),
        (
            "a wrong create",
            reject_invalid_create(cluster, &things).await,
        ),
        (
            "stored wrong before",
            edit_legacy_object(cluster, &things).await,
        ),
        ("a kind of others", third_party_crd(cluster).await),
        ("a long list", long_list(cluster).await),
    ];
    for (name, result) in results {
        count_story(&mut tally, name, result);
    }
    let mut all_passed = tally.finish("policies, objects and stories", 12);
    let requests = random_requests(cluster, &things, &mut random, &old_objects).await?;
    all_passed &= requests.finish("policies, unions, native `admit_unions`", min_agreements);
    Ok(all_passed)
}

/// Creates policies and their bindings with strict field validation, and counts a difference if the
/// server responds with a warning.
pub(crate) async fn apply(cluster: &Cluster, policies: &Policies, tally: &mut Tally) -> Fallible {
    send(cluster, policies, "", tally).await
}

/// Sends policies and their bindings as [`apply`] does, with further parameters of the query.
pub(crate) async fn send(
    cluster: &Cluster,
    policies: &Policies,
    query: &str,
    tally: &mut Tally,
) -> Fallible {
    for object in &policies.objects {
        let kind = text(&object["kind"]);
        let resource = match kind.strip_suffix('y') {
            Some(kind) => format!("{}ies", kind.to_lowercase()),
            None => format!("{}s", kind.to_lowercase()),
        };
        let path = format!("{ADMISSION}/{resource}?fieldValidation=Strict{query}");
        let response = cluster.post(&path, object).await?;
        let result = if response.is_accepted() {
            expect_equal("warnings", &response.warnings, &Vec::new())
        } else {
            Err(format!("rejected: {}", response.body).into())
        };
        count_story(tally, &kind, result);
    }
    Ok(())
}

/// Waits until the server evaluates both policies.
async fn wait_until_evaluated(cluster: &Cluster, things: &Kind) -> Fallible {
    let deadline = Deadline::new();
    let path = things.path("v1") + "?dryRun=All";
    let invalid_object = things.object("probe", json!({"optional": {"type": "Alpha"}}));
    let completed = things.object("probe", json!({"deduced": {"alpha": 1}}));
    loop {
        let rejection = cluster.post(&path, &invalid_object).await?;
        let completion = cluster.post(&path, &completed).await?;
        if !rejection.is_accepted() && completion.body["spec"]["deduced"]["type"] == "Alpha" {
            return Ok(());
        }
        deadline.wait("the policies are asked").await?;
    }
}

/// Returns an error unless the request is accepted with this spec or status.
fn expect_accepted(response: &ServerResponse, field: &str, spec: &Value) -> Fallible {
    if !response.is_accepted() {
        return Err(format!("rejected: {}", response.body).into());
    }
    expect_equal("the stored object", &response.body[field], spec)
}

async fn complete_create(cluster: &Cluster, things: &Kind) -> Fallible {
    let new_object = things.object("completed", json!({"deduced": {"beta": 2}}));
    let response = cluster.post(&things.path("v1"), &new_object).await?;
    expect_accepted(
        &response,
        "spec",
        &json!({"deduced": {"type": "Beta", "beta": 2}}),
    )
}

async fn normalize_update(cluster: &Cluster, things: &Kind) -> Fallible {
    let spec = json!({"optional": {"type": "Alpha", "alpha": 1}});
    let path = things.path("v1");
    let response = cluster
        .post(&path, &things.object("switched", spec))
        .await?;
    let mut new = response.body;
    new["spec"]["optional"]["type"] = "None".into();
    let response = cluster.put(&format!("{path}/switched"), &new).await?;
    expect_accepted(&response, "spec", &json!({"optional": {"type": "None"}}))
}

async fn normalize_patch(cluster: &Cluster, things: &Kind) -> Fallible {
    let spec = json!({"optional": {"type": "Alpha", "alpha": 1}});
    let path = things.path("v1");
    cluster.post(&path, &things.object("patched", spec)).await?;
    let change = json!({"spec": {"optional": {"type": "Beta", "beta": {"exec": 1}}}});
    let kind = "application/merge-patch+json";
    let response = cluster
        .patch(&format!("{path}/patched"), kind, &change)
        .await?;
    expect_accepted(
        &response,
        "spec",
        &json!({"optional": {"type": "Beta", "beta": {"exec": 1}}}),
    )
}

async fn normalize_status(cluster: &Cluster, things: &Kind) -> Fallible {
    let path = things.path("v1");
    let response = cluster
        .post(&path, &things.object("reported", json!({})))
        .await?;
    let mut new = response.body;
    new["status"] = json!({"optional": {"type": "Alpha", "alpha": 1}});
    let path = format!("{path}/reported/status");
    let mut new = cluster.put(&path, &new).await?.body;
    new["status"]["optional"]["type"] = "None".into();
    let response = cluster.put(&path, &new).await?;
    expect_accepted(&response, "status", &json!({"optional": {"type": "None"}}))
}

async fn reject_invalid_create(cluster: &Cluster, things: &Kind) -> Fallible {
    let spec = json!({"optional": {"type": "Alpha", "beta": {"exec": 1}}, "deduced": {"alpha": 1, "beta": 2}});
    let response = cluster
        .post(&things.path("v1"), &things.object("wrong", spec))
        .await?;
    let message_start = text(&response.body["message"]);
    let expected_start = format!(
        "things.{GROUP} \"wrong\" is forbidden: ValidatingAdmissionPolicy 'validate-unions.v1.things.{GROUP}' with binding \
         'validate-unions.v1.things.{GROUP}' denied request: "
    );
    expect_equal("code", &response.code, &422)?;
    expect_equal("start", &message_start.starts_with(&expected_start), &true)
        .map_err(|_| message_start.into())
}

/// Updates an object that was stored with an invalid union. A change of a label leaves the union as
/// it is, and a change of the union is rejected.
async fn edit_legacy_object(cluster: &Cluster, things: &Kind) -> Fallible {
    let path = format!("{}/legacy", things.path("v1"));
    let old = cluster.get(&path).await?.body;
    let mut new = old.clone();
    new["metadata"]["labels"] = json!({"edited": "yes"});
    let response = cluster.put(&path, &new).await?;
    expect_accepted(&response, "spec", &old["spec"])?;
    let mut new = response.body;
    new["spec"]["optional"]["alpha"] = json!(1);
    let response = cluster.put(&path, &new).await?;
    expect_equal("code", &response.code, &422)
}

/// Tests a third-party CRD without CEL rules, whose union is found by the names of its fields.
async fn third_party_crd(cluster: &Cluster) -> Fallible {
    let group = "foreign.example.com";
    let source = json!({"type": "object", "properties": {
        "type": {"type": "string", "enum": ["Git", "S3", "None"]},
        "git": {"type": "object", "properties": {"url": {"type": "string"}}},
        "s3": {"type": "object", "properties": {"bucket": {"type": "string"}}},
    }});
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("sources.{group}")},
        "spec": {
            "group": group, "scope": "Namespaced", "names": {"plural": "sources", "kind": "Source", "listKind": "SourceList", "singular": "source"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"spec": {"type": "object", "additionalProperties": source}},
            }}}],
        },
    });
    let kind = Kind::from_crd(crd)?;
    cluster.serve(&kind.crd).await?;
    let settings = union_policy::Settings::default().by_convention(true);
    for policies in [
        union_policy::mutating_policies(&kind.crd, &settings)?,
        union_policy::validating_policies(&kind.crd, &settings)?,
    ] {
        apply(cluster, &policies, &mut Tally::default()).await?;
    }
    let path = kind.path("v1");
    let invalid_object = kind.object(
        "wrong",
        json!({"a": {"type": "None", "s3": {"bucket": "b"}}}),
    );
    let deadline = Deadline::new();
    let mut response = cluster
        .post(&format!("{path}?dryRun=All"), &invalid_object)
        .await?;
    while response.is_accepted() {
        deadline
            .wait("the policy of a foreign kind is asked")
            .await?;
        response = cluster
            .post(&format!("{path}?dryRun=All"), &invalid_object)
            .await?;
    }
    let message = text(&response.body["message"]);
    let violation = message
        .split_once("denied request: ")
        .map(|(_, violation)| violation);
    let only_when = union_runtime::only_when("type", "S3");
    let expected_violation = format!("spec[a].s3: Invalid value: \"\": {only_when}");
    expect_equal("message", &violation, &Some(&*expected_violation))?;
    let right = kind.object(
        "right",
        json!({"a/~": {"type": "S3", "s3": {"bucket": "b"}}}),
    );
    let mut new = cluster.post(&path, &right).await?.body;
    new["spec"]["a/~"]["type"] = "Git".into();
    let response = cluster.put(&format!("{path}/right"), &new).await?;
    expect_accepted(&response, "spec", &json!({"a/~": {"type": "Git"}}))
}

/// Tests that a policy's cost budget is enough for a list of type map with the number of elements
/// that the policy's limitation names, and not for a longer list.
async fn long_list(cluster: &Cluster) -> Fallible {
    let group = "long.example.com";
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("lists.{group}"), "annotations": {"union-runtime.dev/unions": json!({"v1": {
            "/properties/spec/properties/items/items/properties/type": {"fieldMembers": {"A": {"name": "a"}, "B": {"name": "b"}}},
        }}).to_string()}},
        "spec": {
            "group": group, "scope": "Namespaced",
            "names": {"plural": "lists", "kind": "List1", "singular": "list1", "listKind": "List1List"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"spec": {"type": "object", "properties": {"items": {
                    "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "maxItems": 100_000,
                    "items": {"type": "object", "required": ["name", "type"], "properties": {
                        "name": {"type": "string"},
                        "type": {"type": "string", "enum": ["A", "B"]},
                        "a": {"type": "integer"},
                        "b": {"type": "integer"},
                    }},
                }}}},
            }}}],
        },
    });
    let kind = Kind::from_crd(crd)?;
    cluster.serve(&kind.crd).await?;
    let policies = union_policy::mutating_policies(&kind.crd, &union_policy::Settings::default())?;
    apply(cluster, &policies, &mut Tally::default()).await?;
    let [limitation] = &*policies.limitations else {
        return Err(format!("expected one limitation: {:?}", policies.limitations).into());
    };
    let numbers = limitation.message.split(' ').map(str::parse::<u64>);
    let max_lengths: Vec<u64> = numbers.flatten().collect();
    println!("policies, long lists: {max_lengths:?} elements, in their order and in another");
    expect_equal("numbers", &max_lengths.len(), &2)?;
    for (max_length, is_reversed) in max_lengths.into_iter().zip([false, true]) {
        switch_all(cluster, &kind, 1, is_reversed).await?;
        let is_shorter_accepted = switch_all(
            cluster,
            &kind,
            max_length * (100 - TOLERANCE_PERCENT) / 100,
            is_reversed,
        )
        .await?;
        expect_equal(
            "a list within the limit is accepted",
            &is_shorter_accepted,
            &true,
        )?;
        let is_longer_accepted = switch_all(
            cluster,
            &kind,
            max_length * (100 + TOLERANCE_PERCENT) / 100,
            is_reversed,
        )
        .await?;
        expect_equal("more is accepted", &is_longer_accepted, &false)?;
    }
    Ok(())
}

/// Switches the selected member in all elements of a list, whose order changes if `is_moved`, and
/// returns true if the server accepts the update.
async fn switch_all(
    cluster: &Cluster,
    kind: &Kind,
    element_count: u64,
    is_reversed: bool,
) -> Fallible<bool> {
    let path = kind.path("v1");
    let spec = |selected: &str| {
        let element =
            |index| json!({"name": format!("{index:x>63}"), "type": selected, "a": 1, "b": 1});
        let items: Vec<Value> = (0..element_count).map(element).collect();
        json!({"items": items})
    };
    let name = format!("list-{element_count}-{is_reversed}");
    let created = cluster.post(&path, &kind.object(&name, spec("B"))).await?;
    let mut new = created.body;
    new["spec"] = spec("A");
    if let (true, Some(items)) = (is_reversed, new["spec"]["items"].as_array_mut()) {
        items.reverse();
    }
    let update_path = format!("{path}/{name}?dryRun=All");
    let deadline = Deadline::new();
    loop {
        let response = cluster.put(&update_path, &new).await?;
        if !response.is_accepted() {
            return Ok(false);
        }
        let items = response.body["spec"]["items"].as_array();
        if items.is_some_and(|items| items.iter().all(|item| item.get("b").is_none())) {
            return Ok(true);
        }
        deadline.wait("the policy is asked").await?;
    }
}

/// Sends random requests, and compares the verdicts and the stored objects with those of native
/// `admit_unions`.
async fn random_requests(
    cluster: &Cluster,
    things: &Kind,
    random: &mut Random,
    old: &[Value],
) -> Fallible<Tally> {
    let mut tally = Tally::default();
    let path = things.path("v1");
    for (index, stored) in old.iter().enumerate() {
        let object_path = format!("{path}/{}", text(&stored["metadata"]["name"]));
        let mut stored = cluster.get(&object_path).await?.body;
        for update_index in 0..UPDATES {
            let mut new = stored.clone();
            mutate_spec(random, things.spec_schema(), &mut new["spec"]);
            remove_untested_values(&mut new["spec"], true);
            let response = cluster.put(&format!("{object_path}{QUERY}"), &new).await?;
            compare(things, &new, Some(&stored), &response, &mut tally);
            stored = cluster.get(&object_path).await?.body;
            if update_index % 2 == 1 {
                let mut spec = random::valid_spec(things, random);
                remove_untested_values(&mut spec, false);
                let new = things.object(&format!("new-{index}-{update_index}"), spec);
                let response = cluster.post(&format!("{path}{QUERY}"), &new).await?;
                compare(things, &new, None, &response, &mut tally);
            }
        }
    }
    Ok(tally)
}

/// Computes the expected result in the order of the server: the object is pruned and defaulted,
/// normalized, validated by the schema, and then by the policy.
fn compare(
    things: &Kind,
    new: &Value,
    old: Option<&Value>,
    response: &ServerResponse,
    tally: &mut Tally,
) {
    let validate_by_schema = |object: &mut Value| match old {
        Some(old) => things
            .schema
            .update(object, old, &ServerSettings::default()),
        None => things.schema.create(object, &ServerSettings::default()),
    };
    let mut object = new.clone();
    drop(validate_by_schema(&mut object));
    let settings = Settings::default();
    let changes = things.unions.normalize(&mut object, old, &settings);
    let is_rejected_by_schema = !validate_by_schema(&mut object.clone()).is_accepted();
    let report = match old {
        Some(old) => things.unions.validate_update(&object, old, &settings),
        None => things.unions.validate(&object),
    };
    tally.count_event("creates", old.is_none());
    tally.count_event("updates", old.is_some());
    tally.count_event("normalized", !changes.is_empty());
    tally.count_event(
        "tolerated",
        report.is_accepted() && !report.tolerated().is_empty(),
    );
    tally.count_event("rejected by the server", is_rejected_by_schema);
    let (is_same, expected) = if is_rejected_by_schema {
        (
            !response.is_accepted() && !is_rejected_by_policy(response),
            "the schema rejects it".to_owned(),
        )
    } else if report.is_accepted() {
        (
            response.is_accepted() && response.body["spec"] == object["spec"],
            object["spec"].to_string(),
        )
    } else {
        tally.count_event("rejected by the policy", true);
        let violations: Vec<String> = report.errors().iter().map(Violation::to_string).collect();
        let message = text(&response.body["message"]);
        let violation = message
            .split_once("denied request: ")
            .map_or("", |(_, violation)| violation);
        let violation = violation
            .rsplit_once(" (and ")
            .map_or(violation, |(violation, _)| violation);
        let is_expected_violation = violations
            .iter()
            .any(|text| !violation.is_empty() && text.starts_with(violation));
        (
            is_rejected_by_policy(response) && is_expected_violation,
            violations.join("; "),
        )
    };
    if is_same {
        tally.count_agreement();
    } else {
        let old = old.map_or(&Value::Null, |old| &old["spec"]);
        tally.add_difference(format!(
            "response {}\nexpected {expected}\nold {old}\nnew {}",
            response.body, new["spec"]
        ));
    }
}

fn is_rejected_by_policy(response: &ServerResponse) -> bool {
    text(&response.body["message"]).contains("denied request: ")
}

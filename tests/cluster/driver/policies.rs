//! (f) Tests of admission policies instead of the webhook, on a whole kube-apiserver: it stores
//! and rejects the same objects as native `admit_unions`.

use k8s_crd_validation::ServerSettings;
use serde_json::{Value, json};
use union_policy::Policies;
use union_random::Random;
use union_runtime::{Settings, Violation};

use crate::cluster::{Answer, Cluster, Deadline, Fallible, text};
use crate::tally::Tally;
use crate::unions::{change, clean};
use crate::webhook::random::{self, QUERY, UPDATES};
use crate::webhook::stories::count;
use crate::webhook::world::{self, Kind, same};

/// The API group of the kind that is checked by policies only.
const GROUP: &str = "policy.example.com";

const ADMISSION: &str = "/apis/admissionregistration.k8s.io/v1";

/// The number of random requests for each request that must agree.
const MORE: usize = 2;

/// The tolerance, in percent, of the longest list that a policy is documented to process.
const CLOSE: u64 = 5;

pub(crate) async fn run(cluster: &Cluster, seed: u64, least: usize) -> Fallible<bool> {
    let mut random = Random::new(seed);
    let things = Kind::of(world::things(GROUP)?)?;
    let old = random::old(&things, &mut random, least * MORE);
    let wrong = json!({"optional": {"type": "None", "beta": {"exec": 1}}});
    let legacy = things.object("legacy", wrong);
    things
        .serve_over(cluster, &[vec![legacy], old.clone()].concat())
        .await?;

    let mut tally = Tally::default();
    let settings = union_policy::Settings::default();
    let mutating = union_policy::mutating_policies(&things.crd, &settings)?;
    let validating = union_policy::validating_policies(&things.crd, &settings)?;
    for policies in [&mutating, &validating] {
        apply(cluster, policies, &mut tally).await?;
    }
    until_asked(cluster, &things).await?;
    let told = [
        ("a create is completed", creates(cluster, &things).await),
        ("an unaware client switches", switch(cluster, &things).await),
        ("a patch switches", patch(cluster, &things).await),
        ("a status is switched", status(cluster, &things).await),
        ("a wrong create", wrong_create(cluster, &things).await),
        (
            "stored wrong before",
            legacy_is_edited(cluster, &things).await,
        ),
        ("a kind of others", foreign(cluster).await),
        ("a long list", long_list(cluster).await),
    ];
    for (name, told) in told {
        count(&mut tally, name, told);
    }
    let mut all_good = tally.finish("policies, objects and stories", 12);
    let requests = requests(cluster, &things, &mut random, &old).await?;
    all_good &= requests.finish("policies, unions, native `admit_unions`", least);
    Ok(all_good)
}

/// Creates policies and their bindings with strict field validation, and counts a difference if the
/// server responds with a warning.
pub(crate) async fn apply(cluster: &Cluster, policies: &Policies, tally: &mut Tally) -> Fallible {
    for object in &policies.objects {
        let kind = text(&object["kind"]);
        let resource = match kind.strip_suffix('y') {
            Some(kind) => format!("{}ies", kind.to_lowercase()),
            None => format!("{}s", kind.to_lowercase()),
        };
        let path = format!("{ADMISSION}/{resource}?fieldValidation=Strict");
        let answer = cluster.post(&path, object).await?;
        let told = if answer.is_accepted() {
            same("warnings", &answer.warnings, &Vec::new())
        } else {
            Err(format!("refused: {}", answer.body).into())
        };
        count(tally, &kind, told);
    }
    Ok(())
}

/// Waits until the server evaluates both policies.
async fn until_asked(cluster: &Cluster, things: &Kind) -> Fallible {
    let deadline = Deadline::new();
    let path = things.path("v1") + "?dryRun=All";
    let wrong = things.object("probe", json!({"optional": {"type": "Alpha"}}));
    let completed = things.object("probe", json!({"deduced": {"alpha": 1}}));
    loop {
        let refused = cluster.post(&path, &wrong).await?;
        let made = cluster.post(&path, &completed).await?;
        if !refused.is_accepted() && made.body["spec"]["deduced"]["type"] == "Alpha" {
            return Ok(());
        }
        deadline.wait("the policies are asked").await?;
    }
}

fn stored(answer: &Answer, field: &str, spec: &Value) -> Fallible {
    if !answer.is_accepted() {
        return Err(format!("refused: {}", answer.body).into());
    }
    same("what is stored", &answer.body[field], spec)
}

async fn creates(cluster: &Cluster, things: &Kind) -> Fallible {
    let sent = things.object("completed", json!({"deduced": {"beta": 2}}));
    let answer = cluster.post(&things.path("v1"), &sent).await?;
    stored(
        &answer,
        "spec",
        &json!({"deduced": {"type": "Beta", "beta": 2}}),
    )
}

async fn switch(cluster: &Cluster, things: &Kind) -> Fallible {
    let spec = json!({"optional": {"type": "Alpha", "alpha": 1}});
    let path = things.path("v1");
    let answer = cluster
        .post(&path, &things.object("switched", spec))
        .await?;
    let mut new = answer.body;
    new["spec"]["optional"]["type"] = "None".into();
    let answer = cluster.put(&format!("{path}/switched"), &new).await?;
    stored(&answer, "spec", &json!({"optional": {"type": "None"}}))
}

async fn patch(cluster: &Cluster, things: &Kind) -> Fallible {
    let spec = json!({"optional": {"type": "Alpha", "alpha": 1}});
    let path = things.path("v1");
    cluster.post(&path, &things.object("patched", spec)).await?;
    let change = json!({"spec": {"optional": {"type": "Beta", "beta": {"exec": 1}}}});
    let kind = "application/merge-patch+json";
    let answer = cluster
        .patch(&format!("{path}/patched"), kind, &change)
        .await?;
    stored(
        &answer,
        "spec",
        &json!({"optional": {"type": "Beta", "beta": {"exec": 1}}}),
    )
}

async fn status(cluster: &Cluster, things: &Kind) -> Fallible {
    let path = things.path("v1");
    let answer = cluster
        .post(&path, &things.object("reported", json!({})))
        .await?;
    let mut new = answer.body;
    new["status"] = json!({"optional": {"type": "Alpha", "alpha": 1}});
    let path = format!("{path}/reported/status");
    let mut new = cluster.put(&path, &new).await?.body;
    new["status"]["optional"]["type"] = "None".into();
    let answer = cluster.put(&path, &new).await?;
    stored(&answer, "status", &json!({"optional": {"type": "None"}}))
}

async fn wrong_create(cluster: &Cluster, things: &Kind) -> Fallible {
    let spec = json!({"optional": {"type": "Alpha", "beta": {"exec": 1}}, "deduced": {"alpha": 1, "beta": 2}});
    let answer = cluster
        .post(&things.path("v1"), &things.object("wrong", spec))
        .await?;
    let said = text(&answer.body["message"]);
    let foretold = format!(
        "things.{GROUP} \"wrong\" is forbidden: ValidatingAdmissionPolicy 'validate-unions.v1.things.{GROUP}' with binding \
         'validate-unions.v1.things.{GROUP}' denied request: "
    );
    same("code", &answer.code, &422)?;
    same("start", &said.starts_with(&foretold), &true).map_err(|_| said.into())
}

/// Updates an object that was stored with an invalid union. A change of a label leaves the union as
/// it is, and a change of the union is rejected.
async fn legacy_is_edited(cluster: &Cluster, things: &Kind) -> Fallible {
    let path = format!("{}/legacy", things.path("v1"));
    let old = cluster.get(&path).await?.body;
    let mut new = old.clone();
    new["metadata"]["labels"] = json!({"edited": "yes"});
    let answer = cluster.put(&path, &new).await?;
    stored(&answer, "spec", &old["spec"])?;
    let mut new = answer.body;
    new["spec"]["optional"]["alpha"] = json!(1);
    let answer = cluster.put(&path, &new).await?;
    same("code", &answer.code, &422)
}

/// Tests a CRD of somebody else without CEL rules, whose union is found by the names of its fields.
async fn foreign(cluster: &Cluster) -> Fallible {
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
    let kind = Kind::of(crd)?;
    cluster.serve(&kind.crd).await?;
    let settings = union_policy::Settings::default().by_convention(true);
    for policies in [
        union_policy::mutating_policies(&kind.crd, &settings)?,
        union_policy::validating_policies(&kind.crd, &settings)?,
    ] {
        apply(cluster, &policies, &mut Tally::default()).await?;
    }
    let path = kind.path("v1");
    let wrong = kind.object(
        "wrong",
        json!({"a": {"type": "None", "s3": {"bucket": "b"}}}),
    );
    let deadline = Deadline::new();
    let mut answer = cluster.post(&format!("{path}?dryRun=All"), &wrong).await?;
    while answer.is_accepted() {
        deadline
            .wait("the policy of a foreign kind is asked")
            .await?;
        answer = cluster.post(&format!("{path}?dryRun=All"), &wrong).await?;
    }
    let message = text(&answer.body["message"]);
    let said = message.split_once("denied request: ").map(|(_, said)| said);
    let only_when = union_runtime::only_when("type", "S3");
    let foretold = format!("spec[a].s3: Invalid value: \"\": {only_when}");
    same("message", &said, &Some(&*foretold))?;
    let right = kind.object(
        "right",
        json!({"a/~": {"type": "S3", "s3": {"bucket": "b"}}}),
    );
    let mut new = cluster.post(&path, &right).await?.body;
    new["spec"]["a/~"]["type"] = "Git".into();
    let answer = cluster.put(&format!("{path}/right"), &new).await?;
    stored(&answer, "spec", &json!({"a/~": {"type": "Git"}}))
}

/// Tests that a policy's cost budget is enough for a list of type map with the number of elements
/// that the policy's gap names, and not for a longer list.
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
    let kind = Kind::of(crd)?;
    cluster.serve(&kind.crd).await?;
    let policies = union_policy::mutating_policies(&kind.crd, &union_policy::Settings::default())?;
    apply(cluster, &policies, &mut Tally::default()).await?;
    let [gap] = &*policies.limitations else {
        return Err(format!("not one gap: {:?}", policies.limitations).into());
    };
    let words = gap.message.split(' ').map(str::parse::<u64>);
    let foretold: Vec<u64> = words.flatten().collect();
    println!("policies, long lists: {foretold:?} elements, in their order and in another");
    same("numbers", &foretold.len(), &2)?;
    for (most, is_moved) in foretold.into_iter().zip([false, true]) {
        switch_all(cluster, &kind, 1, is_moved).await?;
        let fitting = switch_all(cluster, &kind, most * (100 - CLOSE) / 100, is_moved).await?;
        same("what fits is accepted", &fitting, &true)?;
        let more = switch_all(cluster, &kind, most * (100 + CLOSE) / 100, is_moved).await?;
        same("more is accepted", &more, &false)?;
    }
    Ok(())
}

/// Switches the selected member in all elements of a list, whose order changes if `is_moved`, and
/// returns true if the server accepts the update.
async fn switch_all(cluster: &Cluster, kind: &Kind, count: u64, is_moved: bool) -> Fallible<bool> {
    let path = kind.path("v1");
    let spec = |ty: &str| {
        let element =
            |number| json!({"name": format!("{number:x>63}"), "type": ty, "a": 1, "b": 1});
        let items: Vec<Value> = (0..count).map(element).collect();
        json!({"items": items})
    };
    let name = format!("list-{count}-{is_moved}");
    let made = cluster.post(&path, &kind.object(&name, spec("B"))).await?;
    let mut new = made.body;
    new["spec"] = spec("A");
    if let (true, Some(items)) = (is_moved, new["spec"]["items"].as_array_mut()) {
        items.reverse();
    }
    let update = format!("{path}/{name}?dryRun=All");
    let deadline = Deadline::new();
    loop {
        let answer = cluster.put(&update, &new).await?;
        if !answer.is_accepted() {
            return Ok(false);
        }
        let items = answer.body["spec"]["items"].as_array();
        if items.is_some_and(|items| items.iter().all(|item| item.get("b").is_none())) {
            return Ok(true);
        }
        deadline.wait("the policy is asked").await?;
    }
}

/// Sends random requests, and compares the verdicts and the stored objects with those of native
/// `admit_unions`.
async fn requests(
    cluster: &Cluster,
    things: &Kind,
    random: &mut Random,
    old: &[Value],
) -> Fallible<Tally> {
    let mut tally = Tally::default();
    let path = things.path("v1");
    for (number, stored) in old.iter().enumerate() {
        let at = format!("{path}/{}", text(&stored["metadata"]["name"]));
        let mut stored = cluster.get(&at).await?.body;
        for turn in 0..UPDATES {
            let mut new = stored.clone();
            change(random, things.spec_schema(), &mut new["spec"]);
            clean(&mut new["spec"], true);
            let answer = cluster.put(&format!("{at}{QUERY}"), &new).await?;
            judge(things, &new, Some(&stored), &answer, &mut tally);
            stored = cluster.get(&at).await?.body;
            if turn % 2 == 1 {
                let mut spec = random::made(things, random);
                clean(&mut spec, false);
                let new = things.object(&format!("new-{number}-{turn}"), spec);
                let answer = cluster.post(&format!("{path}{QUERY}"), &new).await?;
                judge(things, &new, None, &answer, &mut tally);
            }
        }
    }
    Ok(tally)
}

/// Computes the expected result in the order of the server: the object is pruned and defaulted,
/// normalized, validated by the schema, and then by the policy.
fn judge(things: &Kind, new: &Value, old: Option<&Value>, answer: &Answer, tally: &mut Tally) {
    let by_schema = |object: &mut Value| match old {
        Some(old) => things
            .schema
            .update(object, old, &ServerSettings::default()),
        None => things.schema.create(object, &ServerSettings::default()),
    };
    let mut object = new.clone();
    drop(by_schema(&mut object));
    let settings = Settings::default();
    let changes = things.unions.normalize(&mut object, old, &settings);
    let is_by_schema = !by_schema(&mut object.clone()).is_accepted();
    let report = match old {
        Some(old) => things.unions.validate_update(&object, old, &settings),
        None => things.unions.validate(&object),
    };
    tally.count("creates", old.is_none());
    tally.count("updates", old.is_some());
    tally.count("normalized", !changes.is_empty());
    tally.count(
        "tolerated",
        report.is_accepted() && !report.tolerated().is_empty(),
    );
    tally.count("refused by the server", is_by_schema);
    let (is_same, foretold) = if is_by_schema {
        (
            !answer.is_accepted() && !is_by_policy(answer),
            "the schema refuses it".to_owned(),
        )
    } else if report.is_accepted() {
        (
            answer.is_accepted() && answer.body["spec"] == object["spec"],
            object["spec"].to_string(),
        )
    } else {
        tally.count("refused by the policy", true);
        let texts: Vec<String> = report.errors().iter().map(Violation::to_string).collect();
        let message = text(&answer.body["message"]);
        let said = message
            .split_once("denied request: ")
            .map_or("", |(_, said)| said);
        let said = said.rsplit_once(" (and ").map_or(said, |(said, _)| said);
        let is_one = texts
            .iter()
            .any(|text| !said.is_empty() && text.starts_with(said));
        (is_by_policy(answer) && is_one, texts.join("; "))
    };
    if is_same {
        tally.agrees();
    } else {
        let old = old.map_or(&Value::Null, |old| &old["spec"]);
        tally.differs(format!(
            "answer {}\nforetold {foretold}\nold {old}\nnew {}",
            answer.body, new["spec"]
        ));
    }
}

fn is_by_policy(answer: &Answer) -> bool {
    text(&answer.body["message"]).contains("denied request: ")
}

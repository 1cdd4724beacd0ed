//! (e) Tests of the real webhook, called by a whole kube-apiserver: it stores and rejects objects
//! as expected.
//!
//! The webhook runs with the flags of its Deployment and the rights of its service account, and is
//! registered by its own manifests.

mod applied;
mod manifests;
mod process;
pub(crate) mod random;
pub(crate) mod stories;
mod versions;
pub(crate) mod world;

use std::path::Path;

use kube::config::Kubeconfig;
use serde_json::{Value, json};
use union_random::Random;

use self::manifests::the;
use self::process::{Process, Webhook};
use self::world::{GROUP, Kind, World, same};
use crate::cluster::{Cluster, Deadline, Fallible, text};
use crate::tally::Tally;

/// The number of random requests for each request that must agree.
const MORE: usize = 2;

/// Starts the webhook program, with its files in a folder, and tests a server that calls webhooks.
pub(crate) async fn run(
    cluster: &Cluster,
    kubeconfig: &str,
    program: &str,
    folder: &Path,
    seed: u64,
    least: usize,
) -> Fallible<bool> {
    let mut random = Random::new(seed);
    let backups = include_str!("../../../crates/unionctl/samples/crd.yaml");
    let w = World {
        cluster,
        backups: Kind::of(serde_saphyr::from_str(backups)?)?,
        things: Kind::of(world::things(GROUP)?)?,
    };
    let old = random::old(&w.things, &mut random, least * MORE);
    let legacy = stories::legacy_things(&w.things);
    w.things
        .serve_over(cluster, &[legacy, old.clone()].concat())
        .await?;
    let legacy = stories::legacy_backups(&w.backups);
    w.backups.serve_over(cluster, &legacy).await?;

    let mut tally = Tally::default();
    let mut webhook = Webhook::prepare(program, folder).await?;
    let objects = webhook.manifests().await?;
    webhook.take_flags(the(&objects, "Deployment")?)?;
    let token = manifests::apply(cluster, &objects, &mut tally).await?;
    let account = account(&webhook, kubeconfig, &token)?;
    let rights = manifests::rights(&Cluster::connect(&account).await?).await;
    stories::count(&mut tally, "the rights of the account", rights);
    let process = webhook.start(&account, None).await?;
    manifests::register(cluster, &objects, &process, GROUP, &mut tally).await?;
    let mut all_good = tally.finish("webhook, manifests", 14);

    let mut tally = Tally::default();
    let asked = until_asked(&w).await;
    stories::count(&mut tally, "both webhooks are asked", asked);
    stories::tell(&w, &mut tally).await;
    applied::tell(&w, &mut tally).await;
    versions::tell(&w, &mut tally).await;
    let told = logged(&process);
    stories::count(&mut tally, "what is done is logged", told);
    let (alone, beside) = old.split_at(old.len() / 2);
    let mut requests = random::run(&w, &mut random, alone).await?;
    let process = gone(&w, &webhook, process, &account, &mut tally).await?;
    stories::count(
        &mut tally,
        "certificates are renewed",
        renewed(&w, &webhook, &process).await,
    );
    stories::count(&mut tally, "it hangs up", hung_up(&process).await);
    // A policy that normalizes before the webhook must not change any response.
    let policies =
        union_policy::mutating_policies(&w.things.crd, &union_policy::Settings::default())?;
    crate::policies::apply(cluster, &policies, &mut tally).await?;
    requests.add(random::run(&w, &mut random, beside).await?);
    all_good &= tally.finish("webhook, stories as foretold", 35);
    all_good &= requests.finish("webhook, unions, native `admit_unions`", least);
    process.stop().await?;
    Ok(all_good)
}

/// Writes a kubeconfig with the token of the service account, and returns its path.
fn account(webhook: &Webhook, kubeconfig: &str, token: &str) -> Fallible<String> {
    let admin = Kubeconfig::read_from(kubeconfig)?;
    let cluster = admin.clusters.first().and_then(|one| one.cluster.as_ref());
    let cluster = cluster.ok_or("no cluster in the kubeconfig")?;
    webhook.write_kubeconfig("account", &json!(cluster), &json!({"token": token}))
}

/// Waits until the server calls both webhooks for both kinds.
async fn until_asked(w: &World<'_>) -> Fallible {
    let deadline = Deadline::new();
    let things = w.things.path("v1") + "?dryRun=All";
    let wrong = w
        .things
        .object("probe", json!({"optional": {"type": "Alpha"}}));
    let completed = w.things.object("probe", json!({"deduced": {"alpha": 1}}));
    loop {
        let refused = w.cluster.post(&things, &wrong).await?;
        let made = w.cluster.post(&things, &completed).await?;
        // Both kinds are in the same configuration, so one of them is enough to ask about.
        if !refused.is_accepted() && made.body["spec"]["deduced"]["type"] == "Alpha" {
            return Ok(());
        }
        deadline.wait("the webhooks are asked").await?;
    }
}

/// Checks that the log has an entry for a normalized object and one for a rejected object.
fn logged(process: &Process<'_>) -> Fallible {
    let log = process.log()?;
    let is_said = |key: &str, value: &str| {
        let mut lines = log.iter();
        lines.any(|line| text(&line[key]).contains(value) && line["name"] == "switched")
    };
    let switched = is_said("changes", "spec.optional.alpha: cleared");
    same("the log has the switch", &switched, &true)?;
    let forgotten = log
        .iter()
        .any(|line| line["name"] == "forgotten" && line["allowed"] == false);
    same("the log has what was refused", &forgotten, &true)
}

/// Stops the webhook, checks that writes are rejected with the reason, and starts the webhook
/// again.
async fn gone<'w>(
    w: &World<'_>,
    webhook: &'w Webhook,
    process: Process<'w>,
    account: &str,
    tally: &mut Tally,
) -> Fallible<Process<'w>> {
    let address = process.address.clone();
    process.stop().await?;
    let path = w.things.path("v1");
    let sent = w.things.object("gone", json!({"deduced": {"beta": 2}}));
    let answer = w.cluster.post(&path, &sent).await?;
    let foretold = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": format!("Internal error occurred: {}", calling(&address)),
        "reason": "InternalError",
        "details": {"causes": [{"message": calling(&address)}]},
        "code": 500,
    });
    let told = same("answer", &answer.body, &foretold);
    stories::count(tally, "the webhook is gone", told);
    let told = stories::own_namespace(w).await;
    stories::count(tally, "its namespace goes on", told);

    let process = webhook.start(account, Some(&address)).await?;
    let told = async {
        let answer = w.cluster.post(&path, &sent).await?;
        let completed: Value = json!({"deduced": {"type": "Beta", "beta": 2}});
        w.stored(&w.things, &answer, &completed, &[]).await
    };
    stories::count(tally, "the webhook is back", told.await);
    Ok(process)
}

/// Replaces the certificates in their folder: the webhook reads them without a signal and without a
/// restart. The configurations then get the new CA.
async fn renewed(w: &World<'_>, webhook: &Webhook, process: &Process<'_>) -> Fallible {
    const READ: &str = "certificates loaded";
    let before = process.logged(READ)?;
    webhook.renew().await?;
    let deadline = Deadline::new();
    while process.logged(READ)? == before {
        deadline.wait("certificates loaded").await?;
    }
    manifests::trust(w.cluster, &webhook.manifests().await?).await?;
    let path = w.things.path("v1") + "?dryRun=All";
    let sent = w.things.object("renewed", json!({"deduced": {"beta": 2}}));
    // The server uses the new CA some time after the configurations changed.
    loop {
        let answer = w.cluster.post(&path, &sent).await?;
        if answer.is_accepted() {
            return same(
                "type",
                &answer.body["spec"]["deduced"]["type"],
                &json!("Beta"),
            );
        }
        deadline.wait(&text(&answer.body["message"])).await?;
    }
}

/// Checks that the webhook reads its certificates and the CRDs again on SIGHUP.
async fn hung_up(process: &Process<'_>) -> Fallible {
    let messages = ["certificates loaded", "schemas compiled"];
    let [certificates, schemas] = messages.map(|message| process.logged(message));
    let (certificates, schemas) = (certificates?, schemas?);
    process.hang_up().await?;
    let deadline = Deadline::new();
    while process.logged(messages[0])? == certificates || process.logged(messages[1])? == schemas {
        deadline.wait("all is read again").await?;
    }
    Ok(())
}

/// Returns the server's message about a webhook that does not accept connections.
fn calling(address: &str) -> String {
    format!(
        "failed calling webhook \"mutate.union-webhook.example.com\": failed to call webhook: Post \
         \"https://{address}/mutate?timeout=5s\": dial tcp {address}: connect: connection refused"
    )
}

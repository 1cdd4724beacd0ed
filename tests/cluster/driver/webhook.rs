//! (e) Tests of the real webhook, called by a whole kube-apiserver: it stores and rejects objects
//! as expected.
//!
//! The webhook runs with the flags of its Deployment and the rights of its service account, and is
//! registered by its own manifests.

mod applied;
mod manifests;
mod process;
pub(crate) mod random;
mod restarts;
pub(crate) mod stories;
mod versions;
pub(crate) mod world;

use std::path::Path;

use kube::config::Kubeconfig;
use serde_json::{Value, json};
use union_random::Random;

use self::manifests::single_object;
use self::process::{Process, Webhook};
use self::world::{GROUP, Kind, World, expect_equal};
use crate::cluster::{Cluster, Deadline, Fallible, text};
use crate::tally::Tally;

/// The number of random requests for each request that must agree.
const REQUEST_FACTOR: usize = 2;

/// Starts the webhook program, with its files in a folder, and tests a server that calls webhooks.
pub(crate) async fn run(
    cluster: &Cluster,
    kubeconfig: &str,
    program: &str,
    folder: &Path,
    seed: u64,
    min_agreements: usize,
) -> Fallible<bool> {
    let mut random = Random::new(seed);
    let backups = include_str!("../../../crates/unionctl/samples/crd.yaml");
    let world = World {
        cluster,
        backups: Kind::from_crd(serde_saphyr::from_str(backups)?)?,
        things: Kind::from_crd(world::things_crd(GROUP)?)?,
    };
    let old_objects =
        random::old_objects(&world.things, &mut random, min_agreements * REQUEST_FACTOR);
    let legacy_objects = stories::legacy_things(&world.things);
    world
        .things
        .serve_with_stored(cluster, &[legacy_objects, old_objects.clone()].concat())
        .await?;
    let legacy_objects = stories::legacy_backups(&world.backups);
    world
        .backups
        .serve_with_stored(cluster, &legacy_objects)
        .await?;

    let mut tally = Tally::default();
    let mut webhook = Webhook::prepare(program, folder).await?;
    let objects = webhook.manifests().await?;
    webhook.take_flags(single_object(&objects, "Deployment")?)?;
    let token = manifests::apply(cluster, &objects, &mut tally).await?;
    let account_kubeconfig = account_kubeconfig(&webhook, kubeconfig, &token)?;
    let rights_result =
        manifests::check_rights(&Cluster::connect(&account_kubeconfig).await?).await;
    stories::count_story(&mut tally, "the rights of the account", rights_result);
    let process = webhook.start(&account_kubeconfig, None).await?;
    manifests::register(cluster, &objects, &process, GROUP, &mut tally).await?;
    let mut all_passed = tally.finish("webhook, manifests", 15);

    let mut tally = Tally::default();
    let calls_result = wait_until_called(&world).await;
    stories::count_story(&mut tally, "both webhooks are asked", calls_result);
    stories::run(&world, &mut tally).await;
    applied::run(&world, &mut tally).await;
    versions::run(&world, &mut tally).await;
    let result = check_log(&process);
    stories::count_story(&mut tally, "what is done is logged", result);
    let (objects_without_policy, objects_with_policy) = old_objects.split_at(old_objects.len() / 2);
    let mut request_tally = random::run(&world, &mut random, objects_without_policy).await?;
    let process =
        test_stopped_webhook(&world, &webhook, process, &account_kubeconfig, &mut tally).await?;
    stories::count_story(
        &mut tally,
        "certificates are renewed",
        test_renewed_certificates(&world, &webhook, &process).await,
    );
    stories::count_story(
        &mut tally,
        "SIGHUP reloads files",
        test_hangup(&process).await,
    );
    // A policy that normalizes before the webhook must not change any response.
    let policies =
        union_policy::mutating_policies(&world.things.crd, &union_policy::Settings::default())?;
    crate::policies::apply(cluster, &policies, &mut tally).await?;
    request_tally.add(random::run(&world, &mut random, objects_with_policy).await?);
    all_passed &= tally.finish("webhook, scenarios", 37);
    all_passed &= request_tally.finish("webhook, unions, native `admit_unions`", min_agreements);
    process.stop().await?;
    Ok(all_passed)
}

/// Writes a kubeconfig with the token of the service account, and returns its path.
fn account_kubeconfig(webhook: &Webhook, kubeconfig: &str, token: &str) -> Fallible<String> {
    let admin = Kubeconfig::read_from(kubeconfig)?;
    let cluster = admin
        .clusters
        .first()
        .and_then(|entry| entry.cluster.as_ref());
    let cluster = cluster.ok_or("no cluster in the kubeconfig")?;
    webhook.write_kubeconfig("account", &json!(cluster), &json!({"token": token}))
}

/// Waits until the server calls both webhooks for both kinds.
async fn wait_until_called(world: &World<'_>) -> Fallible {
    let deadline = Deadline::new();
    let things = world.things.path("v1") + "?dryRun=All";
    let invalid_object = world
        .things
        .object("probe", json!({"optional": {"type": "Alpha"}}));
    let incomplete_object = world
        .things
        .object("probe", json!({"deduced": {"alpha": 1}}));
    loop {
        let rejection = world.cluster.post(&things, &invalid_object).await?;
        let completion = world.cluster.post(&things, &incomplete_object).await?;
        // Both kinds are in the same configuration, so one of them is enough to ask about.
        if !rejection.is_accepted() && completion.body["spec"]["deduced"]["type"] == "Alpha" {
            return Ok(());
        }
        deadline.wait("the webhooks are asked").await?;
    }
}

/// Checks that the log has an entry for a normalized object and one for a rejected object.
fn check_log(process: &Process<'_>) -> Fallible {
    let log = process.log()?;
    let is_logged = |key: &str, value: &str| {
        let mut lines = log.iter();
        lines.any(|line| text(&line[key]).contains(value) && line["name"] == "switched")
    };
    let is_switch_logged = is_logged("changes", "spec.optional.alpha: cleared");
    expect_equal("the log has the switch", &is_switch_logged, &true)?;
    let is_rejection_logged = log
        .iter()
        .any(|line| line["name"] == "forgotten" && line["allowed"] == false);
    expect_equal("the log has the rejection", &is_rejection_logged, &true)
}

/// Stops the webhook, checks that writes are rejected with the reason, and starts the webhook
/// again.
async fn test_stopped_webhook<'w>(
    world: &World<'_>,
    webhook: &'w Webhook,
    process: Process<'w>,
    account_kubeconfig: &str,
    tally: &mut Tally,
) -> Fallible<Process<'w>> {
    let address = process.address.clone();
    process.stop().await?;
    let path = world.things.path("v1");
    let new_object = world.things.object("gone", json!({"deduced": {"beta": 2}}));
    let response = world.cluster.post(&path, &new_object).await?;
    let expected = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": format!("Internal error occurred: {}", connection_refused_message(&address)),
        "reason": "InternalError",
        "details": {"causes": [{"message": connection_refused_message(&address)}]},
        "code": 500,
    });
    let result = expect_equal("answer", &response.body, &expected);
    stories::count_story(tally, "the webhook is gone", result);
    let result = stories::own_namespace(world).await;
    stories::count_story(tally, "requests in its own namespace", result);

    let result = restarts::run(world, webhook, account_kubeconfig, &address).await;
    stories::count_story(tally, "restarts under load", result);

    let process = webhook.start(account_kubeconfig, Some(&address)).await?;
    let result = async {
        let response = world.cluster.post(&path, &new_object).await?;
        let completed: Value = json!({"deduced": {"type": "Beta", "beta": 2}});
        world
            .expect_stored(&world.things, &response, &completed, &[])
            .await
    };
    stories::count_story(tally, "the webhook is back", result.await);
    Ok(process)
}

/// Replaces the certificates in their folder: the webhook reads them without a signal and without a
/// restart. The configurations then get the new CA.
async fn test_renewed_certificates(
    world: &World<'_>,
    webhook: &Webhook,
    process: &Process<'_>,
) -> Fallible {
    const MESSAGE: &str = "certificates loaded";
    let previous_count = process.count_log_lines(MESSAGE)?;
    webhook.renew().await?;
    let deadline = Deadline::new();
    while process.count_log_lines(MESSAGE)? == previous_count {
        deadline.wait("certificates loaded").await?;
    }
    manifests::update_ca_bundle(world.cluster, &webhook.manifests().await?).await?;
    let path = world.things.path("v1") + "?dryRun=All";
    let new_object = world
        .things
        .object("renewed", json!({"deduced": {"beta": 2}}));
    // The server uses the new CA some time after the configurations changed.
    loop {
        let response = world.cluster.post(&path, &new_object).await?;
        if response.is_accepted() {
            return expect_equal(
                "type",
                &response.body["spec"]["deduced"]["type"],
                &json!("Beta"),
            );
        }
        deadline.wait(&text(&response.body["message"])).await?;
    }
}

/// Checks that the webhook reads its certificates and the CRDs again on SIGHUP.
async fn test_hangup(process: &Process<'_>) -> Fallible {
    let messages = ["certificates loaded", "schemas compiled"];
    let [certificate_count, schema_count] =
        messages.map(|message| process.count_log_lines(message));
    let (certificate_count, schema_count) = (certificate_count?, schema_count?);
    process.hang_up().await?;
    let deadline = Deadline::new();
    while process.count_log_lines(messages[0])? == certificate_count
        || process.count_log_lines(messages[1])? == schema_count
    {
        deadline.wait("all is read again").await?;
    }
    Ok(())
}

/// Returns the server's message about a webhook that does not accept connections.
fn connection_refused_message(address: &str) -> String {
    format!(
        "failed calling webhook \"mutate.union-webhook.example.com\": failed to call webhook: Post \
         \"https://{address}/mutate?timeout=5s\": dial tcp {address}: connect: connection refused"
    )
}

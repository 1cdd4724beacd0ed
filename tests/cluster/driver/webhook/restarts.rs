//! Restarts of the webhook under load, as in a rolling update: no request is rejected because of a
//! restart, and no invalid object is accepted.
//!
//! A proxy takes the place of the Service: it forwards connections to the replicas that are ready.
//! Established connections stay with their replica, as with kube-proxy.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::process::{Process, Webhook};
use super::world::{GROUP, World};
use crate::cluster::{Cluster, Deadline, Fallible};

/// The number of restarts.
const RESTARTS: usize = 10;

/// The number of clients that send requests to the API server at the same time.
const CLIENTS: usize = 8;

/// The number of requests between two restarts, at least.
const REQUESTS_PER_RESTART: usize = 50;

/// The addresses of the replicas that are ready.
type ReadyAddresses = Arc<Mutex<Vec<String>>>;

/// The numbers of requests.
#[derive(Default)]
struct Counts {
    accepted: AtomicUsize,
    rejected: AtomicUsize,
}

impl Counts {
    fn sum(&self) -> usize {
        self.accepted.load(Ordering::Relaxed) + self.rejected.load(Ordering::Relaxed)
    }
}

/// Restarts the webhook under load. The webhook must not be running. `address` is the address in
/// the webhook configurations.
pub(crate) async fn run(
    world: &World<'_>,
    webhook: &Webhook,
    account_kubeconfig: &str,
    address: &str,
) -> Fallible {
    let ready = ReadyAddresses::default();
    let proxy = tokio::spawn(forward(
        TcpListener::bind(address).await?,
        Arc::clone(&ready),
    ));
    let mut replica = webhook.start_replica(account_kubeconfig, 0).await?;
    set_ready(&ready, vec![replica.address.clone()]);
    let (counts, is_over) = (
        Arc::new(Counts::default()),
        Arc::new(AtomicBool::new(false)),
    );
    let mut clients = JoinSet::new();
    for number in 0..CLIENTS {
        clients.spawn(send_requests(
            world.cluster.clone(),
            number,
            Arc::clone(&counts),
            Arc::clone(&is_over),
        ));
    }
    let restarts = async {
        for number in 1..=RESTARTS {
            wait_for_requests(&counts, &clients).await?;
            let next_replica = webhook.start_replica(account_kubeconfig, number).await?;
            set_ready(
                &ready,
                vec![replica.address.clone(), next_replica.address.clone()],
            );
            wait_for_requests(&counts, &clients).await?;
            end_replica(&ready, replica, &next_replica.address).await?;
            replica = next_replica;
        }
        Fallible::Ok(replica)
    };
    let result = restarts.await;
    is_over.store(true, Ordering::Relaxed);
    while let Some(client) = clients.join_next().await {
        client??;
    }
    proxy.abort();
    result?.stop().await?;
    let [accepted, rejected] =
        [&counts.accepted, &counts.rejected].map(|count| count.load(Ordering::Relaxed));
    println!(
        "webhook, restarts: {RESTARTS} under load, {accepted} objects accepted and normalized, \
         {rejected} invalid objects rejected, 0 wrong responses"
    );
    Ok(())
}

fn set_ready(ready: &ReadyAddresses, addresses: Vec<String>) {
    *ready.lock().unwrap_or_else(PoisonError::into_inner) = addresses;
}

/// Sends SIGTERM to a replica, and removes its address when it reports that it is not ready.
async fn end_replica(
    ready: &ReadyAddresses,
    replica: Process<'_>,
    remaining_address: &str,
) -> Fallible {
    let probe = replica.probe_client().await?;
    let ending = replica.stop();
    let removing = async {
        let deadline = Deadline::new();
        while probe
            .get("/readyz")
            .await
            .is_ok_and(|response| response.is_accepted())
        {
            deadline.wait("the replica is not ready").await?;
        }
        set_ready(ready, vec![remaining_address.to_owned()]);
        Fallible::Ok(())
    };
    let (ended, removed) = tokio::join!(ending, removing);
    ended?;
    removed
}

/// Waits until the clients have got more responses, or until one of them fails.
async fn wait_for_requests(counts: &Counts, clients: &JoinSet<Fallible>) -> Fallible {
    let target = counts.sum() + REQUESTS_PER_RESTART;
    let deadline = Deadline::new();
    while counts.sum() < target {
        if clients.len() < CLIENTS {
            return Err("a client has ended".into());
        }
        deadline.wait("requests between two restarts").await?;
    }
    Ok(())
}

/// Forwards each connection to one of the ready replicas.
async fn forward(listener: TcpListener, ready: ReadyAddresses) {
    let mut number = 0;
    while let Ok((mut client, _)) = listener.accept().await {
        number += 1;
        let address = {
            let ready = ready.lock().unwrap_or_else(PoisonError::into_inner);
            ready.get(number % ready.len().max(1)).cloned()
        };
        let Some(address) = address else { continue };
        tokio::spawn(async move {
            if let Ok(mut replica) = TcpStream::connect(address).await {
                let _ = client.set_nodelay(true);
                let _ = replica.set_nodelay(true);
                let _ = copy_bidirectional(&mut client, &mut replica).await;
            }
        });
    }
}

/// Creates valid and invalid objects in turn, as dry runs. Returns an error at the first response
/// that is not as expected.
async fn send_requests(
    cluster: Cluster,
    number: usize,
    counts: Arc<Counts>,
    is_over: Arc<AtomicBool>,
) -> Fallible {
    let path = format!("/apis/{GROUP}/v1/namespaces/default/things?dryRun=All");
    let object = |spec| {
        json!({
            "apiVersion": format!("{GROUP}/v1"), "kind": "Thing",
            "metadata": {"name": format!("restart-{number}"), "namespace": "default"},
            "spec": spec,
        })
    };
    let incomplete_object = object(json!({"deduced": {"beta": 2}}));
    let invalid_object = object(json!({"optional": {"type": "Beta", "alpha": 1}}));
    while !is_over.load(Ordering::Relaxed) {
        let response = cluster.post(&path, &incomplete_object).await?;
        if response.code != 201 || response.body["spec"]["deduced"]["type"] != "Beta" {
            return Err(format!("a valid object: {response:?}").into());
        }
        counts.accepted.fetch_add(1, Ordering::Relaxed);
        let response = cluster.post(&path, &invalid_object).await?;
        if response.code != 422 {
            return Err(format!("an invalid object: {response:?}").into());
        }
        counts.rejected.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

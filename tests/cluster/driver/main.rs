//! Compares the responses of a real API server with the responses of this project: see
//! `tests/cluster/README.md`.
//!
//!     cluster SERVER --log FILE --reference READER [--seed N|fresh] [--least N]
//!         [--webhook PROGRAM] [CRD...]
//!
//! SERVER is a program of `../server` or `../full`, which this program starts and ends. READER is
//! the program of `../../reference/crd`, which prints the fields of a CRD. The CRDs are files and
//! folders. PROGRAM is `union-webhook`, for a server that calls webhooks.

mod apply;
mod builtin_policies;
#[expect(
    dead_code,
    reason = "the reference run prints cases and makes them smaller"
)]
#[path = "../../reference/crd_cases/case.rs"]
mod case;
mod cluster;
mod controller;
mod crds;
mod explain;
mod fields;
#[path = "../../reference/crd_cases/object.rs"]
mod object;
mod policies;
#[path = "../../reference/crd_cases/rules.rs"]
mod rules;
#[path = "../../reference/crd_cases/same.rs"]
mod same;
#[path = "../../reference/crd_cases/schema.rs"]
mod schema;
mod server;
mod small_states;
mod structural;
mod tally;
#[path = "../../reference/crd_cases/type_name.rs"]
mod type_name;
mod types;
mod unions;
#[expect(dead_code, reason = "the example is a program of its own")]
#[path = "../../../examples/unknown_members.rs"]
mod unknown_members;
mod webhook;

use std::error::Error;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;
use std::process::ExitCode;

use cluster::{Cluster, Fallible};
use server::Server;

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().ok_or("which API server?")?;
    let (mut log, mut seed, mut min_agreements) = ("api-server.log".to_owned(), 1, 3000);
    let (mut paths, mut webhook, mut reference) = (Vec::new(), None, None);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--log" => log = value()?,
            "--reference" => reference = Some(value()?),
            "--webhook" => webhook = Some(value()?),
            "--least" => min_agreements = value()?.parse()?,
            "--seed" => {
                seed = match value()?.as_str() {
                    "fresh" => RandomState::new().hash_one(0),
                    seed => seed.parse()?,
                }
            }
            _ => paths.push(argument),
        }
    }
    let reference = reference.ok_or("--reference READER is needed")?;
    println!("a real API server, seed {seed}");
    let server = Server::start(&program, Path::new(&log)).await?;
    let tests = async {
        let cluster = Cluster::connect(&server.kubeconfig).await?;
        let mut all_passed = fields::run(&cluster, &reference, seed).await?;
        all_passed &= test_custom_resources(&cluster, &paths, seed, min_agreements).await?;
        let Some(program) = webhook else {
            println!(
                "policies and webhook: not asked, for the small server has neither; `--full` has"
            );
            return Ok(all_passed);
        };
        let folder = Path::new(&log).with_file_name("webhook");
        let (kubeconfig, min_webhook_agreements) = (&server.kubeconfig, min_agreements / 3);
        all_passed &= policies::run(&cluster, seed, min_webhook_agreements).await?;
        all_passed &= builtin_policies::run(&cluster).await?;
        all_passed &= webhook::run(
            &cluster,
            kubeconfig,
            &program,
            &folder,
            seed,
            min_webhook_agreements,
        )
        .await?;
        Ok(all_passed)
    };
    let result = tests.await;
    server.stop().await?;
    let all_passed =
        result.map_err(|error: Box<dyn Error + Send + Sync>| -> Box<dyn Error> { error })?;
    Ok(if all_passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs all tests that the small server supports, and returns true if all of them pass.
async fn test_custom_resources(
    cluster: &Cluster,
    paths: &[String],
    seed: u64,
    min_agreements: usize,
) -> Fallible<bool> {
    let mut all_passed = crds::run(cluster, paths).await?;
    all_passed &= unions::run(cluster, seed, min_agreements).await?;
    all_passed &= apply::run(cluster).await?;
    all_passed &= controller::run(cluster).await?;
    all_passed &= structural::run(cluster, seed, min_agreements).await?;
    Ok(all_passed)
}

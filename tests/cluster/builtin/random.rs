//! Compares the verdicts of `k8s-builtin-unions` and of a kube-apiserver on random objects.
//!
//!     builtin_random SERVER --log FILE --objects COUNT --seed SEED
//!
//! SERVER is the program of `../full`, which this program starts and ends. The objects have random
//! states of the unions of their kind, and are otherwise as small as the server allows. For each
//! union of an object, the server must report an error iff `KindUnions::validate` does.

#[expect(dead_code, reason = "the driver sends more kinds of requests")]
#[path = "../driver/cluster.rs"]
mod cluster;
mod errors;
#[expect(dead_code, reason = "the probe asks about each value of an enum")]
mod made_value;
#[expect(dead_code, reason = "the probe finds a place for each type")]
mod place;
mod random_compare;
mod random_names;
mod random_objects;
mod random_unions;
mod random_values;
#[expect(dead_code, reason = "the probe repairs direct fields")]
mod repair;
#[path = "../driver/server.rs"]
mod server;
mod types;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use union_random::Random;

use cluster::{Cluster, Fallible};
use random_compare::Comparison;
use random_objects::RandomKind;
use random_values::Values;
use server::Server;
use types::Types;

/// The number of requests at a time.
const PARALLEL: usize = 8;

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, _, log, _, count, _, seed] = arguments.as_slice() else {
        return Err("builtin_random SERVER --log FILE --objects COUNT --seed SEED".into());
    };
    let (count, seed) = (count.parse()?, seed.parse()?);
    let server = Server::start(program, Path::new(log)).await?;
    let result = run(&server, count, seed).await;
    server.stop().await?;
    let has_passed =
        result.map_err(|error: Box<dyn Error + Send + Sync>| -> Box<dyn Error> { error })?;
    Ok(if has_passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn run(server: &Server, count: usize, seed: u64) -> Fallible<bool> {
    let cluster = Cluster::connect(&server.kubeconfig).await?;
    let types = Types::new(cluster.get("/openapi/v2").await?.body);
    let kinds = random_unions::kinds(&types)?;
    let values = Values::make(&cluster, &types, &kinds).await?;
    let kinds: Vec<RandomKind<'_>> = stream::iter(&kinds)
        .map(|kind| RandomKind::new(&cluster, &types, kind))
        .buffered(PARALLEL)
        .try_collect()
        .await?;
    let mut random = Random::new(seed);
    let objects = (0..count).map(|_| {
        let kind = random.pick(&kinds);
        (kind, kind.object(&types, &values, &mut random))
    });
    let objects: Vec<_> = objects.collect();
    let mut comparison = Comparison::new(&types);
    let mut answers = stream::iter(objects)
        .map(|(kind, object)| {
            let cluster = &cluster;
            async move {
                let errors = repair::send(cluster, &kind.unions.kind, &object).await;
                (kind, object, errors)
            }
        })
        .buffered(PARALLEL);
    while let Some((kind, object, errors)) = answers.next().await {
        comparison.add(kind.unions, &object, &errors?);
    }
    let unions = kinds.iter().map(|kind| kind.unions);
    Ok(comparison.print(unions, seed))
}

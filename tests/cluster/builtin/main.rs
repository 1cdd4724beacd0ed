//! Finds the unions of Kubernetes' own types by sending objects to a kube-apiserver.
//!
//!     builtin SERVER --log FILE
//!
//! SERVER is the program of `../full`, which this program starts and ends. For each type that an
//! object of a built-in kind can contain, this program sends an object with each pair of fields of
//! the type, and an object with each field alone. Errors that only the pair has are a relation
//! between the two fields. The program compares these relations with the rows of
//! `k8s-builtin-unions`. For each row, it also sends objects without a member, without a
//! discriminator, and with an empty member beside another one.

#[expect(dead_code, reason = "the driver sends more kinds of requests")]
#[path = "../driver/cluster.rs"]
mod cluster;
mod differences;
mod errors;
mod made_value;
mod place;
mod probe;
mod repair;
mod rows;
#[path = "../driver/server.rs"]
mod server;
mod types;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use cluster::{Cluster, Fallible};
use server::Server;

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, _, log] = arguments.as_slice() else {
        return Err("builtin SERVER --log FILE".into());
    };
    let server = Server::start(program, Path::new(log)).await?;
    let result = run(&server).await;
    server.stop().await?;
    let has_passed =
        result.map_err(|error: Box<dyn Error + Send + Sync>| -> Box<dyn Error> { error })?;
    Ok(if has_passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn run(server: &Server) -> Fallible<bool> {
    let cluster = Cluster::connect(&server.kubeconfig).await?;
    let types = types::Types::new(cluster.get("/openapi/v2").await?.body);
    let has_all_kinds = rows::compare_kinds(&types);
    let answers = probe::run(&cluster, &types).await?;
    Ok(rows::compare(&answers) && has_all_kinds)
}

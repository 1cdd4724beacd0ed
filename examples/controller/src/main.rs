//! `union-controller crd` prints the CRD. `union-controller` reconciles the backups of the cluster
//! in `KUBECONFIG`, until Ctrl-C.

use std::error::Error;

use futures::StreamExt as _;
use kube::{Client, CustomResourceExt as _};
use union_controller::backup::Backup;
use union_controller::run::run;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        None => {}
        Some("crd") => {
            println!("{}", serde_json::to_string_pretty(&Backup::crd())?);
            return Ok(());
        }
        Some(other) => {
            return Err(
                format!("unknown argument `{other}`; expected `crd` or no argument").into(),
            );
        }
    }
    let client = Client::try_default().await?;
    let reconciling = run::<Backup>(client).for_each(|result| async {
        match result {
            Ok(name) => println!("{name}: reconciled"),
            Err(error) => eprintln!("{error}"),
        }
    });
    tokio::select! {
        () = reconciling => {}
        stopped = tokio::signal::ctrl_c() => stopped?,
    }
    Ok(())
}

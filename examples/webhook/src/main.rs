//! `union-webhook`: serves the webhook, creates certificates for it, and prints the manifests that
//! are applied to a cluster.

mod cli;
mod run;

use std::process::ExitCode;

use clap::Parser as _;

use cli::{Cli, Command};
use union_webhook::manifests;
use union_webhook::tls;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Serve(args) => run::serve(*args),
        Command::Certs(args) => {
            tls::create_self_signed(&args.out, &args.host).map_err(|problem| vec![problem])
        }
        Command::Manifests(args) => {
            let text = match (&args.place.image, &args.place.url) {
                (Some(image), _) => manifests::render(&args.certs, image),
                (None, url) => {
                    manifests::render_external(&args.certs, url.as_deref().unwrap_or_default())
                }
            };
            text.and_then(|text| manifests::print(&text))
                .map_err(|problem| vec![problem])
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problems) => {
            for problem in problems {
                eprintln!("error: {problem}");
            }
            ExitCode::from(2)
        }
    }
}

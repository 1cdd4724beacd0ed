//! `union-webhook`: serves the webhook, creates certificates for it, and prints the manifests that
//! register the webhook in a cluster.

mod cli;
mod reload;
mod serve;
mod signals;
mod warnings;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser as _;

use cli::{Cli, Command};
use union_webhook::manifests;
use union_webhook::tls;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Serve(args) => serve::serve(*args),
        Command::Certs(args) => {
            tls::create_self_signed(&args.out, &args.host).map_err(|error| vec![error])
        }
        Command::Manifests(args) => {
            let rendered = match (&args.location.image, &args.location.url) {
                (Some(image), _) => manifests::render(&args.certs, image),
                (None, url) => {
                    manifests::render_external(&args.certs, url.as_deref().unwrap_or_default())
                }
            };
            rendered
                .and_then(|rendered| manifests::print(&rendered))
                .map_err(|error| vec![error])
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(errors) => {
            for error in errors {
                // There is no other place for the message if stderr is closed.
                let _ = writeln!(io::stderr(), "error: {error}");
            }
            ExitCode::from(2)
        }
    }
}

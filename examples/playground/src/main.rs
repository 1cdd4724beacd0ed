//! `union-playground`: builds the page, and serves it on loopback or writes it to a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use union_playground::{ErrorMessage, Page};

/// Build the page on which CRDs and objects are judged in a browser, and serve the page on
/// loopback.
#[derive(Parser)]
#[command(name = "union-playground")]
struct Cli {
    /// The folder to which the page is written, as index.html, instead of being served. The file
    /// works without a server, and on any web server.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// The port on loopback; 0 selects a free port.
    #[arg(long, default_value_t = 8042, conflicts_with = "out")]
    port: u16,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> Result<(), ErrorMessage> {
    let page = union_playground::build()?;
    println!("{}", page.sizes());
    match &cli.out {
        Some(folder) => write_page(&page, folder),
        None => union_playground::serve(&page, cli.port, |address| {
            println!("http://{address}/ (stop with Ctrl-C)");
        }),
    }
}

fn write_page(page: &Page, folder: &Path) -> Result<(), ErrorMessage> {
    let file = folder.join("index.html");
    let result = fs::create_dir_all(folder).and_then(|()| fs::write(&file, &page.html));
    result.map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    println!("{}", file.display());
    Ok(())
}

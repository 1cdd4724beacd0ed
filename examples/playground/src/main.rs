//! `union-playground`: builds the page, and serves it on loopback, writes it to a folder, or writes
//! a site with the page and the documents.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use union_playground::{BuildProfile, ErrorMessage, Page, SiteSettings};

/// Build the page on which CRDs and objects are judged in a browser, and serve the page on
/// loopback.
#[derive(Parser)]
#[command(name = "union-playground")]
struct Cli {
    /// The folder to which the page is written, as index.html, instead of being served. The file
    /// works without a server, and on any web server.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// The folder to which a static site is written: the page and the documents of the repository.
    /// The folder must be empty, or a site, which is replaced. mdBook converts the documents, and
    /// is installed if it is missing.
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    site: Option<PathBuf>,

    /// The public address of the repository, to which the documents of the site link.
    #[arg(long, value_name = "URL", default_value = env!("CARGO_PKG_REPOSITORY"))]
    repository: String,

    /// The port on loopback; 0 selects a free port.
    #[arg(long, default_value_t = 8042, conflicts_with_all = ["out", "site"])]
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
    let page = union_playground::build(BuildProfile::Small)?;
    println!("{}", page.sizes());
    if let Some(folder) = &cli.site {
        let settings = SiteSettings {
            folder: folder.clone(),
            repository_url: cli.repository.clone(),
        };
        let link_count = union_playground::write_site(&page, &settings)?;
        println!(
            "{}: {link_count} internal links",
            folder.join("index.html").display()
        );
        return Ok(());
    }
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

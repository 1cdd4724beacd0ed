//! Runs the page of `examples/playground` in a browser, and compares its results with the results
//! of `unionctl`. The requirements are in the comment of the script `run`.

mod browser;
mod lines;
mod looks;
mod samples;
mod tool;
mod typing;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;

use clap::Parser;

use browser::Browser;
use tool::Tool;
use union_playground::Page;

pub(crate) type Failure = Box<dyn Error>;

/// Runs the page in a browser, and compares its results with the results of unionctl.
#[derive(Parser)]
struct Cli {
    /// The path of unionctl.
    #[arg(long)]
    unionctl: PathBuf,

    /// The path of the script of axe-core.
    #[arg(long)]
    axe: PathBuf,

    /// An empty folder for temporary files.
    #[arg(long)]
    work: PathBuf,

    /// A folder for screenshots of the page.
    #[arg(long)]
    pictures: Option<PathBuf>,

    /// Files of requests, one per line.
    lines: Vec<PathBuf>,
}

/// The largest size of the compressed WebAssembly, in bytes.
const MOST: usize = 2_500_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(&Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: &Cli) -> Result<(), Failure> {
    let page = union_playground::build()?;
    println!("{}", page.sizes());
    if page.module_sizes[1] > MOST {
        return Err(format!("the WebAssembly has more than {MOST} bytes, compressed").into());
    }
    let folder = cli.work.canonicalize()?;
    let file = folder.join("index.html");
    fs::write(&file, &page.html)?;
    let browser = Browser::start(&folder.join("profile")).await?;
    let done = drive(cli, &browser, page, &file).await;
    let ended = browser.end().await;
    done.and(ended)
}

async fn drive(cli: &Cli, browser: &Browser, page: Page, file: &Path) -> Result<(), Failure> {
    let folder = cli.work.join("files");
    fs::create_dir_all(&folder)?;
    let tool = Tool {
        program: cli.unionctl.clone(),
        folder,
    };
    let of_file = format!("file://{}", file.display());
    samples::run(browser, &of_file, &tool).await?;
    for lines in &cli.lines {
        let count = lines::run(browser, &of_file, lines, &tool).await?;
        println!("{}: {count} answers are those of unionctl", lines.display());
    }
    typing::run(browser, &of_file).await?;
    typing::links(browser, &of_file).await?;
    typing::worker(browser, &of_file).await?;
    typing::hostile(browser, &of_file).await?;
    let served = serve(page)?;
    typing::links(browser, &served).await?;
    nothing_is_sent(browser, &served).await?;
    looks::run(browser, &served, &cli.axe, cli.pictures.as_deref()).await
}

/// Serves the page on loopback, and returns its address.
fn serve(page: Page) -> Result<String, Failure> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        union_playground::serve(&page, 0, |address| {
            let _ = sender.send(format!("http://{address}/"));
        })
    });
    Ok(receiver.recv()?)
}

/// Checks that the page loads no other resource, and that the browser blocks requests of the page.
/// Prints the time until the first result.
async fn nothing_is_sent(browser: &Browser, page: &str) -> Result<(), Failure> {
    let mut first = Vec::new();
    for _ in 0..5 {
        browser.open(page).await?;
        let took = browser.get("playground.told().first").await?;
        first.push(took.as_f64().unwrap_or(f64::MAX));
    }
    first.sort_by(f64::total_cmp);
    println!("the first answer, of five times, best to worst, in ms: {first:.0?}");
    let loaded = "performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith('blob:')).map(({ name }) => name)";
    let loaded = browser.get(loaded).await?;
    let kept = browser
        .later("fetch(location.href).then(() => 'sent', () => 'kept')")
        .await?;
    if loaded.as_array().is_some_and(Vec::is_empty) && kept == "kept" {
        println!("nothing but the page is loaded, and nothing can be sent");
        return Ok(());
    }
    Err(format!("loaded: {loaded}, and a request is {kept}").into())
}

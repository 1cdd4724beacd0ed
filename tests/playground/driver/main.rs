//! Runs the page of `examples/playground` in Chromium and in Firefox, and compares its results with
//! the results of `unionctl`. The requirements are in the comment of the script `run`.

mod browser;
mod lines;
mod looks;
mod own_input;
mod samples;
mod site;
mod tool;
mod typing;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;

use clap::Parser;

use browser::{Browser, BrowserProgram};
use tool::Tool;
use union_playground::{BuildProfile, Page};

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

/// The maximum size of the compressed WebAssembly module, in bytes.
const MAX_MODULE_SIZE: usize = 2_500_000;

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
    let page = union_playground::build(BuildProfile::Test)?;
    println!("{}", page.sizes());
    if page.module_sizes[1] > MAX_MODULE_SIZE {
        return Err(
            format!("the WebAssembly has more than {MAX_MODULE_SIZE} bytes, compressed").into(),
        );
    }
    let folder = cli.work.canonicalize()?;
    let page_file = folder.join("index.html");
    fs::write(&page_file, &page.html)?;
    let site_folder = folder.join("site");
    site::write(&page, &site_folder)?;
    let pages = Pages {
        file: format!("file://{}", page_file.display()),
        site: format!("file://{}", site_folder.display()),
        served: serve(page)?,
    };
    let (chromium_result, firefox_result) = tokio::join!(
        run_in(BrowserProgram::Chromium, cli, &folder, &pages),
        run_in(BrowserProgram::Firefox, cli, &folder, &pages),
    );
    chromium_result.and(firefox_result)
}

/// The addresses of the page and of the site.
struct Pages {
    file: String,
    site: String,
    served: String,
}

/// Runs all tests in a browser.
async fn run_in(
    program: BrowserProgram,
    cli: &Cli,
    folder: &Path,
    pages: &Pages,
) -> Result<(), Failure> {
    let folder = folder.join(format!("{program:?}"));
    let browser = Browser::start(program, &folder.join("profile")).await?;
    let test_result = run_tests(cli, &browser, &folder, pages).await;
    let end_result = browser.end().await;
    let result = test_result.and(end_result);
    result.map_err(|failure| format!("{program:?}: {failure}").into())
}

async fn run_tests(
    cli: &Cli,
    browser: &Browser,
    folder: &Path,
    pages: &Pages,
) -> Result<(), Failure> {
    let folder = folder.join("files");
    fs::create_dir_all(&folder)?;
    let tool = Tool {
        program: cli.unionctl.clone(),
        folder,
    };
    let screenshot_folder = cli.pictures.as_ref();
    let screenshot_folder =
        screenshot_folder.map(|folder| folder.join(format!("{:?}", browser.program)));
    let screenshot_folder = screenshot_folder.as_deref();
    let (file, served) = (&pages.file, &pages.served);
    samples::run(browser, file, &tool).await?;
    for lines in &cli.lines {
        let line_count = lines::run(browser, file, lines, &tool).await?;
        browser.report(&format!(
            "{}: {line_count} answers equal the answers of unionctl",
            lines.display()
        ));
    }
    typing::check_typing(browser, file).await?;
    typing::check_links(browser, file).await?;
    typing::check_worker(browser, file).await?;
    typing::check_hostile_input(browser, file).await?;
    own_input::run(browser, file, screenshot_folder).await?;
    typing::check_links(browser, served).await?;
    check_isolation(browser, served).await?;
    looks::run(browser, served, &cli.axe, screenshot_folder).await?;
    site::run(browser, &pages.site, screenshot_folder).await
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
async fn check_isolation(browser: &Browser, page: &str) -> Result<(), Failure> {
    let mut first_result_times = Vec::new();
    for _ in 0..5 {
        browser.open(page).await?;
        let time = browser.evaluate("playground.told().first").await?;
        first_result_times.push(time.as_f64().unwrap_or(f64::MAX));
    }
    first_result_times.sort_by(f64::total_cmp);
    browser.report(&format!(
        "the times of the first result in five runs, best to worst, in ms: {first_result_times:.0?}"
    ));
    let loaded_resources = "performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith('blob:')).map(({ name }) => name)";
    let loaded_resources = browser.evaluate(loaded_resources).await?;
    let request_outcome = browser
        .evaluate_promise("fetch(location.href).then(() => 'sent', () => 'kept')")
        .await?;
    if loaded_resources.as_array().is_some_and(Vec::is_empty) && request_outcome == "kept" {
        browser.report("only the page is loaded, and no data can be sent");
        return Ok(());
    }
    Err(format!("loaded: {loaded_resources}, and a request is {request_outcome}").into())
}

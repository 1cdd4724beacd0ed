//! Tests of the Rust blocks in Markdown pages: every block compiles, runs, and prints the output
//! that the page shows.

mod errors;
mod public_paths;
#[path = "../../examples/tour.rs"]
mod tour;

use std::cell::RefCell;
use std::error::Error;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

thread_local! {
    static OUTPUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Collects the output of the blocks, so that a test can compare the output with the page.
macro_rules! println {
    ($($part:tt)*) => {
        crate::add_to_output(&format!($($part)*))
    };
}

/// Adds a line to the output of the current test.
fn add_to_output(line: &str) {
    OUTPUT.with_borrow_mut(|output| {
        output.push_str(line);
        output.push('\n');
    });
}

#[allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    unused,
    clippy::all,
    clippy::pedantic,
    reason = "the code of pages shows one thing each, as a reader would type it"
)]
mod blocks {
    include!(concat!(env!("OUT_DIR"), "/pages.rs"));
}

/// Runs a block of a page, and compares its output. A page has no lines that rustdoc hides, because
/// GitHub shows every line.
fn run_block(
    page: &str,
    line: usize,
    hidden_line: Option<&str>,
    expected: Option<&str>,
    block: fn() -> Result<(), Box<dyn Error>>,
) {
    assert_eq!(
        hidden_line, None,
        "{page}:{line}: a page has no hidden lines; GitHub shows them"
    );
    if let Err(error) = block() {
        panic!("{page}:{line}: {error}");
    }
    if let Some(expected) = expected {
        let output = OUTPUT.take();
        if output != expected && std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            write_output(page, expected, &output);
            return;
        }
        assert_eq!(
            output, expected,
            "{page}:{line}: UPDATE_SNAPSHOTS=1 writes the output again"
        );
    }
}

/// Writes the output of a block into its page, instead of the old output.
fn write_output(page: &str, old_output: &str, new_output: &str) {
    /// A lock for writing pages, because the tests of a page run in parallel.
    static WRITING: Mutex<()> = Mutex::new(());
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(page);
    let source = std::fs::read_to_string(&path).unwrap();
    let text_block = |output: &str| format!("```text\n{output}```");
    std::fs::write(
        &path,
        source.replacen(&text_block(old_output), &text_block(new_output), 1),
    )
    .unwrap();
}

/// In the program, a line with `//|` is Markdown, and every other line is code.
#[test]
fn the_tour_is_generated_from_its_program() {
    let program = include_str!("../../examples/tour.rs");
    let generated_page = page_from_program(program);
    let page_path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../union-runtime/docs/tour.md"
    );
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(page_path, &generated_page).unwrap();
    }
    let page = std::fs::read_to_string(page_path).unwrap();
    assert!(
        page == generated_page,
        "run this test with UPDATE_SNAPSHOTS=1 to write the page again"
    );
}

#[test]
fn the_tour_runs() {
    tour::main().unwrap();
}

/// Converts the body of `main`, without its last line `Ok(())`, to a page.
fn page_from_program(program: &str) -> String {
    let (_, body) = program.split_once("fn main()").expect("a `main`");
    let (_, body) = body.split_once('\n').expect("a body");
    let (body, _) = body.rsplit_once("\n    Ok(())").expect("the last line");
    let mut page = String::new();
    let mut code = String::new();
    for line in body.lines() {
        let line = line.strip_prefix("    ").unwrap_or(line);
        if let Some(markdown) = line.strip_prefix("//|") {
            end_block(&mut page, &mut code);
            page.push_str(markdown.strip_prefix(' ').unwrap_or(markdown));
            page.push('\n');
        } else {
            code.push_str(line);
            code.push('\n');
        }
    }
    end_block(&mut page, &mut code);
    page
}

/// Writes the collected code as a Rust block, if the code is not empty.
fn end_block(page: &mut String, code: &mut String) {
    let trimmed_code = code.trim_matches('\n');
    if !trimmed_code.is_empty() {
        page.extend(["\n```rust\n", trimmed_code, "\n```\n\n"]);
    }
    code.clear();
}

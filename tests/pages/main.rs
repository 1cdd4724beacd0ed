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
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Collects the output of the blocks, so that a test can compare the output with the page.
macro_rules! println {
    ($($part:tt)*) => {
        crate::keep(&format!($($part)*))
    };
}

fn keep(line: &str) {
    PRINTED.with_borrow_mut(|printed| {
        printed.push_str(line);
        printed.push('\n');
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
fn check(
    page: &str,
    line: usize,
    hidden: Option<&str>,
    expected: Option<&str>,
    block: fn() -> Result<(), Box<dyn Error>>,
) {
    assert_eq!(
        hidden, None,
        "{page}:{line}: a page has no hidden lines; GitHub shows them"
    );
    if let Err(error) = block() {
        panic!("{page}:{line}: {error}");
    }
    if let Some(expected) = expected {
        let printed = PRINTED.take();
        if printed != expected && std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            write_output(page, expected, &printed);
            return;
        }
        assert_eq!(
            printed, expected,
            "{page}:{line}: UPDATE_SNAPSHOTS=1 writes the output again"
        );
    }
}

/// Writes the output of a block into its page, instead of the old output.
fn write_output(page: &str, old: &str, new: &str) {
    /// A lock for writing pages, because the tests of a page run in parallel.
    static WRITING: Mutex<()> = Mutex::new(());
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(page);
    let text = std::fs::read_to_string(&path).unwrap();
    let block = |output: &str| format!("```text\n{output}```");
    std::fs::write(&path, text.replacen(&block(old), &block(new), 1)).unwrap();
}

/// Checks that the page equals its program: a line with `//|` is Markdown, and every other line is
/// code.
#[test]
fn the_tour_is_generated_from_its_program() {
    let program = include_str!("../../examples/tour.rs");
    let made = page_of(program);
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../union-runtime/docs/tour.md"
    );
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    let page = std::fs::read_to_string(path).unwrap();
    assert!(
        page == made,
        "run this test with UPDATE_SNAPSHOTS=1 to write the page again"
    );
}

#[test]
fn the_tour_runs() {
    tour::main().unwrap();
}

/// Converts the body of `main`, without its last line `Ok(())`, to a page.
fn page_of(program: &str) -> String {
    let (_, body) = program.split_once("fn main()").expect("a `main`");
    let (_, body) = body.split_once('\n').expect("a body");
    let (body, _) = body.rsplit_once("\n    Ok(())").expect("its last line");
    let mut page = String::new();
    let mut code = String::new();
    for line in body.lines() {
        let line = line.strip_prefix("    ").unwrap_or(line);
        if let Some(text) = line.strip_prefix("//|") {
            end_block(&mut page, &mut code);
            page.push_str(text.strip_prefix(' ').unwrap_or(text));
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
    let text = code.trim_matches('\n');
    if !text.is_empty() {
        page.extend(["\n```rust\n", text, "\n```\n\n"]);
    }
    code.clear();
}

//! Tests of the examples of `--help`, of completions and of manual pages.

use std::fs;
use std::path::Path;

use crate::process::{absent_folder, run, sample};

const SUBCOMMANDS: [&str; 12] = [
    "unions",
    "check",
    "tighten",
    "compat",
    "patch",
    "prune-enums",
    "place-rules",
    "policy",
    "generate rust",
    "generate",
    "completions",
    "man",
];

/// Runs the examples of `--help` in the folder of the samples.
#[test]
fn each_subcommand_has_examples_that_run() {
    let samples = sample("crd.yaml");
    let samples = Path::new(&samples).parent().expect("a folder");
    for subcommand in SUBCOMMANDS {
        let help = run(subcommand.split(' ').chain(["--help"]));
        // Examples must fit in a terminal of 80 columns.
        let examples = help.stdout.split("\nExample").nth(1).unwrap_or_default();
        let wide_line = examples.lines().find(|line| line.len() > 79);
        assert_eq!(wide_line, None, "{subcommand}");
        let examples = examples.replace("\\\n", "");
        let lines = examples
            .lines()
            .filter_map(|line| line.strip_prefix("  unionctl "));
        let mut example_count = 0;
        for line in lines {
            // Pipes and redirections need a shell, so only the command before them runs.
            let line = line.split(['|', '>']).next().unwrap_or_default();
            let arguments: Vec<&str> = line.split_whitespace().collect();
            if arguments.iter().any(|argument| argument.contains('~')) {
                continue;
            }
            let output = std::process::Command::new(env!("CARGO_BIN_EXE_unionctl"))
                .args(&arguments)
                .current_dir(samples)
                .output()
                .expect("the command starts");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(
                matches!(output.status.code(), Some(0 | 1)),
                "{line}: {stderr}"
            );
            assert!(!output.stdout.is_empty(), "{line}");
            example_count += 1;
        }
        assert!(
            example_count > 0 || matches!(subcommand, "generate"),
            "{subcommand} has no example"
        );
    }
}

#[test]
fn completions_and_manual_pages_are_written() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(["completions", shell]);
        assert_eq!(output.code, 0);
        assert!(output.stdout.contains("place-rules"), "{shell}");
    }
    let output = run(["man"]);
    assert!(output.stdout.starts_with(".ie"), "{}", output.stdout);
    let pages = absent_folder("man");
    assert_eq!(run(["man", "--out", &pages]).code, 0);
    for name in ["unionctl.1", "unionctl-check.1", "unionctl-generate-rust.1"] {
        let path = Path::new(&pages).join(name);
        assert!(
            fs::read_to_string(&path).is_ok_and(|page| page.contains(".TH")),
            "{name}"
        );
    }
    let output = run(["man", "--out", &sample("crd.yaml")]);
    assert_eq!(output.code, 2);
    assert!(
        output.stderr.contains("cannot write the pages"),
        "{}",
        output.stderr
    );
}

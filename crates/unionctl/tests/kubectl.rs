//! Tests of the program as a plugin of kubectl. Only the program name in messages differs.

use crate::process::{kubectl_union, program_output, run, sample, unionctl};

/// Returns the usage lines of a help text or of an error. Continuation lines are joined to their
/// usage lines.
fn usage_lines(output: &str) -> Vec<String> {
    let (_, usage) = output.split_once("Usage: ").expect("usage lines");
    let (usage, _) = usage.split_once("\n\n").expect("something follows them");
    let usage = usage.replace("\n           ", "");
    usage.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn usage_lines_fit_into_80_columns() {
    for subcommand in ["unions", "check", "patch"] {
        let help = program_output(&kubectl_union([subcommand, "-h"]).output().unwrap()).stdout;
        let (_, usage) = help.split_once("\nUsage: ").expect("usage lines");
        let (usage, _) = usage.split_once("\n\n").expect("something follows them");
        let wide_line = usage.lines().find(|line| line.trim_end().len() > 80);
        assert_eq!(wide_line, None, "{subcommand}");
    }
}

#[test]
fn usage_lines_have_the_program_name() {
    for args in [
        &["--help"][..],
        &["help", "unions"],
        &["unions", "-h"],
        &["unions", "--newer"],
        &["check", "--help"],
        &["check"],
        &["tighten", "--help"],
        &["patch", "--help"],
        &["patch", "diff", "--help"],
        &["patch", "three-way"],
        &["prune-enums", "--help"],
    ] {
        let [plugin, standalone] = [kubectl_union(args), unionctl(args)].map(|mut command| {
            let output = program_output(&command.output().unwrap());
            format!("{}{}", output.stdout, output.stderr)
        });
        let (plugin, standalone) = (usage_lines(&plugin), usage_lines(&standalone));
        assert!(!plugin.is_empty(), "{args:?}");
        for line in &plugin {
            assert!(line.starts_with("kubectl union "), "{args:?}: {line}");
        }
        let expected: Vec<String> = standalone
            .iter()
            .map(|line| line.replacen("unionctl", "kubectl union", 1))
            .collect();
        assert_eq!(plugin, expected, "{args:?}");
    }
}

#[test]
fn the_help_of_check_has_a_line_for_each_usage() {
    let help = program_output(&kubectl_union(["check", "-h"]).output().unwrap()).stdout;
    let usages = usage_lines(&help);
    assert_eq!(usages.len(), 6, "{help}");
    assert_eq!(
        usages[2],
        "kubectl union check --crd <FILE> [--old-crd <FILE>]"
    );
    assert_eq!(usages[3], "kubectl union check --from-cluster [-f <FILE>]");
    assert_eq!(usages[4], "kubectl union check <FILES>...");
    assert_eq!(usages[5], "kubectl union check --jsonl < REQUESTS");
}

#[test]
fn the_plugin_has_the_same_output() {
    let args = [
        "unions",
        "--crd",
        &sample("crd.yaml"),
        "--old",
        &sample("stored.yaml"),
        "--new",
        &sample("forgotten.yaml"),
    ];
    let plugin = program_output(&kubectl_union(args).output().unwrap());
    let standalone = run(args);
    assert_eq!(plugin.code, 1);
    assert_eq!(
        (plugin.stdout, plugin.stderr),
        (standalone.stdout, standalone.stderr)
    );
}

//! Tests of the tool as a plugin of kubectl, which differs only in its name in messages.

use crate::process::{kubectl_union, program_output, run, sample, unionctl};

/// Returns the forms of usage in a help or an error. A long form continues on a line that is
/// indented further.
fn usage(text: &str) -> Vec<String> {
    let (_, usage) = text.split_once("Usage: ").expect("it has usage lines");
    let (usage, _) = usage.split_once("\n\n").expect("something follows them");
    let usage = usage.replace("\n           ", "");
    usage.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn usage_lines_fit_into_80_columns() {
    for subcommand in ["unions", "check", "patch"] {
        let help = program_output(&kubectl_union([subcommand, "-h"]).output().unwrap()).stdout;
        let (_, usage) = help.split_once("\nUsage: ").expect("it has usage lines");
        let (usage, _) = usage.split_once("\n\n").expect("something follows them");
        let wide = usage.lines().find(|line| line.trim_end().len() > 80);
        assert_eq!(wide, None, "{subcommand}");
    }
}

#[test]
fn usage_lines_say_how_it_is_called() {
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
        let [plugin, tool] = [kubectl_union(args), unionctl(args)].map(|mut command| {
            let ran = program_output(&command.output().unwrap());
            format!("{}{}", ran.stdout, ran.stderr)
        });
        let (plugin, tool) = (usage(&plugin), usage(&tool));
        assert!(!plugin.is_empty(), "{args:?}");
        for line in &plugin {
            assert!(line.starts_with("kubectl union "), "{args:?}: {line}");
        }
        let renamed: Vec<String> = tool
            .iter()
            .map(|line| line.replacen("unionctl", "kubectl union", 1))
            .collect();
        assert_eq!(plugin, renamed, "{args:?}");
    }
}

#[test]
fn a_subcommand_of_several_forms_shows_each() {
    let help = program_output(&kubectl_union(["check", "-h"]).output().unwrap()).stdout;
    let forms = usage(&help);
    assert_eq!(forms.len(), 4, "{help}");
    assert_eq!(
        forms[2],
        "kubectl union check --crd <FILE> [--old-crd <FILE>]"
    );
    assert_eq!(forms[3], "kubectl union check --jsonl < CASES");
}

#[test]
fn it_answers_as_the_tool_does() {
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
    let tool = run(args);
    assert_eq!(plugin.code, 1);
    assert_eq!((plugin.stdout, plugin.stderr), (tool.stdout, tool.stderr));
}

//! Tests of the commands in the READMEs, with their output.

use std::{env, fs};

use crate::fake_cluster::FakeCluster;
use crate::process::{crate_folder, kubectl_union, unionctl};

/// Runs the commands of all console blocks of a page in the folder of the samples. Asserts that the
/// page has their output, and returns the number of commands. `kubectl union` reads a cluster with
/// the samples. `UPDATE_SNAPSHOTS=1` writes the output into the page.
fn check_commands(page: &str) -> usize {
    let page = crate_folder().join(page);
    let source = fs::read_to_string(&page).unwrap();
    let mut updated_source = source.clone();
    let blocks = source.split("```console\n").skip(1);
    let blocks = blocks.map(|block| block.split_once("```").expect("its end").0);
    let mut command_count = 0;
    let cluster = FakeCluster::of_samples("readme");
    let sessions = blocks.flat_map(|block| block.split("$ "));
    for session in sessions.filter(|session| !session.is_empty()) {
        let (command, expected) = session.split_once('\n').expect("what it prints");
        let (command, has_exit_code) = match command.split_once("; echo $?") {
            Some((command, _)) => (command, true),
            None => (command, false),
        };
        let (is_plugin, args) = match command.strip_prefix("kubectl union ") {
            Some(args) => (true, args),
            None => (
                false,
                command
                    .strip_prefix("unionctl ")
                    .expect("a command of unionctl"),
            ),
        };
        let (args, stdin_file) = match args.split_once(" < ") {
            Some((args, stdin_file)) => (args, Some(stdin_file)),
            None => (args, None),
        };
        let samples = crate_folder().join("samples");
        let mut program = if is_plugin {
            kubectl_union(args.split(' '))
        } else {
            unionctl(args.split(' '))
        };
        cluster.set_environment(&mut program);
        if let Some(stdin_file) = stdin_file {
            program.stdin(fs::File::open(samples.join(stdin_file)).unwrap());
        }
        let output = program.current_dir(samples).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        let mut printed = String::from_utf8_lossy(&output.stdout).into_owned();
        if has_exit_code {
            printed += &output.status.code().expect("an exit code").to_string();
        }
        command_count += 1;
        let (printed, expected) = (printed.trim_end(), expected.trim_end());
        if env::var_os("UPDATE_SNAPSHOTS").is_some() {
            updated_source = updated_source.replacen(expected, printed, 1);
            continue;
        }
        assert_eq!(printed, expected, "{command}");
    }
    if updated_source != source {
        fs::write(&page, updated_source).unwrap();
    }
    command_count
}

#[test]
fn commands_of_the_repository_readme_have_the_shown_output() {
    assert_eq!(check_commands("../../README.md"), 1);
}

#[test]
fn commands_of_the_crate_readme_have_the_shown_output() {
    assert_eq!(check_commands("README.md"), 20);
}

/// The README has the names and descriptions of the subcommands that `--help` prints.
#[test]
fn the_table_of_subcommands_equals_the_help() {
    let readme = fs::read_to_string(crate_folder().join("README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows = rows.filter_map(|row| row.strip_suffix(" |")?.split_once("` | "));
    let help = unionctl(["--help"]).output().unwrap().stdout;
    let help = String::from_utf8(help).unwrap();
    let (_, command_list) = help.split_once("Commands:\n").expect("the subcommands");
    let (command_list, _) = command_list.split_once("\n\n").expect("their end");
    let mut subcommands: Vec<(&str, String)> = Vec::new();
    for line in command_list.lines() {
        // clap wraps long lines if another package of the build enables this feature.
        let is_continuation = line.starts_with("   ");
        match (subcommands.last_mut(), line.trim().split_once("  ")) {
            (Some((_, description)), _) if is_continuation => {
                description.push(' ');
                description.push_str(line.trim());
            }
            (_, Some((name, description))) => {
                subcommands.push((name, description.trim().to_owned()));
            }
            (_, None) => panic!("not a subcommand: {line}"),
        }
    }
    subcommands.retain(|(name, _)| *name != "help");
    let rows: Vec<(&str, String)> = rows
        .map(|(name, description)| (name, description.to_owned()))
        .collect();
    assert_eq!(rows, subcommands);
}

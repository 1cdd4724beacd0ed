//! Parses the command line, and runs a subcommand.

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::cluster::Program;
use crate::commands::{
    check, compat, generate, patch, place_rules, policy, prune_enums, shell, tighten, unions,
    upgrade,
};
use crate::error::{CommandError, INTERRUPT_EXIT_CODE};
use crate::output::print::{self, CommandStatus, OutputFormat};

/// Check Kubernetes objects, CRDs and patches without a cluster, with the API server's own rules.
#[derive(Parser)]
#[command(name = "unionctl", version, max_term_width = 100, after_help = EXIT_CODES)]
struct Cli {
    /// Output format.
    #[arg(
        short,
        long,
        global = true,
        value_enum,
        default_value_t,
        display_order = 100
    )]
    output: OutputFormat,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Unions(unions::UnionsArgs),
    Check(check::CheckArgs),
    Tighten(tighten::TightenArgs),
    Compat(compat::CompatArgs),
    Upgrade(upgrade::UpgradeArgs),
    Patch(patch::PatchArgs),
    PruneEnums(prune_enums::PruneEnumsArgs),
    PlaceRules(place_rules::PlaceRulesArgs),
    Policy(policy::PolicyArgs),
    Generate(generate::GenerateArgs),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

const EXIT_CODES: &str = "\
Files may be YAML or JSON; the content decides, not the name. `-` reads stdin.
Exit code: 0 if everything is accepted, 1 if something is rejected, 2 if the command could not run,
3 if nothing is rejected, but a part of the cluster could not be read.";

/// Runs the program with the arguments of the process, and returns its exit code.
#[must_use]
pub fn main(program: Program) -> ExitCode {
    let parsed = command(program)
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // clap returns help as an error with code 0. If the output is closed, the failure
            // cannot be reported.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match run(&cli, program) {
        Ok(CommandStatus::Success) => ExitCode::SUCCESS,
        Ok(CommandStatus::Rejected) => ExitCode::from(1),
        Ok(CommandStatus::Incomplete) => ExitCode::from(3),
        Err(error) => {
            if error.exit_code() == INTERRUPT_EXIT_CODE {
                print::interrupt();
            } else {
                print::error(&error);
            }
            ExitCode::from(error.exit_code())
        }
    }
}

/// Returns the clap command. A subcommand with several usages has a line for each usage.
fn command(program: Program) -> clap::Command {
    let program_name = match program {
        Program::Unionctl => "unionctl",
        Program::KubectlPlugin => "kubectl union",
    };
    let subcommand_usages: [(&str, &[&str]); 3] = [
        ("unions", &unions::USAGES),
        ("check", &check::USAGES),
        ("patch", &patch::USAGES),
    ];
    let mut command = Cli::command().bin_name(program_name);
    if program == Program::KubectlPlugin {
        command = with_optional_files(command);
    }
    subcommand_usages
        .iter()
        .fold(command, |command, (name, usages)| {
            let usages = usages
                .iter()
                .map(|usage| format!("{program_name} {name} {usage}"));
            let usages: Vec<String> = usages.collect();
            // The indentation aligns the lines below "Usage: ".
            let usage_lines = usages.join("\n       ");
            command.mut_subcommand(name, |subcommand| subcommand.override_usage(usage_lines))
        })
}

/// Makes the files optional that the plugin reads from the cluster. Another flag of the command
/// must be given, so that a command without flags remains a usage error.
fn with_optional_files(command: clap::Command) -> clap::Command {
    const OPTIONAL_FILES: [(&str, &str, &[&str]); 7] = [
        ("check", "crd", &["new"]),
        ("tighten", "crd", &["crd_new"]),
        ("tighten", "crd_new", &["crd"]),
        ("tighten", "objects", &["crd", "crd_new"]),
        ("compat", "crd", &["crd_new"]),
        ("upgrade", "from", &["to"]),
        ("upgrade", "crd", &["to", "from"]),
    ];
    let files = OPTIONAL_FILES.iter();
    let command = files.fold(command, |command, (subcommand, file, other_flags)| {
        command.mut_subcommand(subcommand, |subcommand| {
            subcommand.mut_arg(file, |arg| arg.required_unless_present_any(*other_flags))
        })
    });
    command.mut_subcommand("patch", |patch| {
        patch.mut_subcommand("three-way", |three_way| {
            three_way.mut_arg("current", |arg| arg.required_unless_present("modified"))
        })
    })
}

fn run(cli: &Cli, program: Program) -> Result<CommandStatus, CommandError> {
    match &cli.command {
        Command::Unions(args) => unions::run(args, program, cli.output),
        Command::Check(args) => check::run(args, program, cli.output),
        Command::Tighten(args) => tighten::run(args, program, cli.output.text_or_json()?),
        Command::Compat(args) => compat::run(args, program, cli.output),
        Command::Upgrade(args) => upgrade::run(args, program, cli.output),
        Command::Patch(args) => patch::run(args, program, cli.output.text_or_json()?),
        Command::PruneEnums(args) => prune_enums::run(args, cli.output.text_or_json()?),
        Command::PlaceRules(args) => place_rules::run(args, cli.output.text_or_json()?),
        Command::Policy(args) => policy::run(args, cli.output.text_or_json()?),
        Command::Generate(args) => {
            cli.output.require_text()?;
            generate::run(args)
        }
        Command::Completions(args) => {
            cli.output.require_text()?;
            shell::print_completions(args, command(Program::Unionctl))
        }
        Command::Man(args) => {
            cli.output.require_text()?;
            shell::write_man_pages(args, command(Program::Unionctl))
        }
    }
}

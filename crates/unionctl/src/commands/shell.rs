//! `unionctl completions` and `unionctl man`: write shell completions and manual pages with clap's
//! crates.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;

use crate::error::CommandError;
use crate::output::print::{self, CommandStatus};

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(after_long_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  unionctl completions bash > ~/.bash_completion.d/unionctl
  unionctl completions zsh > ~/.zfunc/_unionctl
  unionctl completions fish > ~/.config/fish/completions/unionctl.fish";

/// Write manual pages.
#[derive(Debug, clap::Args)]
#[command(after_long_help = MAN_EXAMPLES)]
pub(crate) struct ManArgs {
    #[arg(long, value_name = "DIR")]
    #[arg(help = "A folder for a page of each subcommand; without it, the first page is printed")]
    out: Option<PathBuf>,
}

const MAN_EXAMPLES: &str = "\
Examples:
  unionctl man | man -l -
  unionctl man --out ~/.local/share/man/man1";

/// Prints the completions for a shell. `command` is the clap command of the program.
pub(crate) fn print_completions(
    args: &CompletionsArgs,
    mut command: Command,
) -> Result<CommandStatus, CommandError> {
    let mut completions = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, &mut command, name, &mut completions);
    print::ignore_broken_pipe(io::stdout().write_all(&completions))?;
    Ok(CommandStatus::Success)
}

pub(crate) fn write_man_pages(
    args: &ManArgs,
    command: Command,
) -> Result<CommandStatus, CommandError> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        let write_result = clap_mangen::Man::new(command).render(&mut page);
        print::ignore_broken_pipe(write_result.and_then(|()| io::stdout().write_all(&page)))?;
        return Ok(CommandStatus::Success);
    };
    let write_result =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    match write_result {
        Ok(()) => Ok(CommandStatus::Success),
        Err(error) => Err(CommandError::new(
            folder.display().to_string(),
            format!("cannot write the pages: {error}; pass a writable folder to --out"),
        )),
    }
}

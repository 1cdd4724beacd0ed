//! `unionctl completions` and `unionctl man`: write completions for shells and manual pages, by the
//! crates of clap.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;

use crate::output::output::{self, Verdict};
use crate::problem::Problem;

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(after_long_help = COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

const COMPLETIONS: &str = "\
Examples:
  unionctl completions bash > ~/.bash_completion.d/unionctl
  unionctl completions zsh > ~/.zfunc/_unionctl
  unionctl completions fish > ~/.config/fish/completions/unionctl.fish";

/// Write manual pages.
#[derive(Debug, clap::Args)]
#[command(after_long_help = MAN)]
pub(crate) struct ManArgs {
    #[arg(long, value_name = "DIR")]
    #[arg(help = "A folder for a page of each subcommand; without it, the first page is printed")]
    out: Option<PathBuf>,
}

const MAN: &str = "\
Examples:
  unionctl man | man -l -
  unionctl man --out ~/.local/share/man/man1";

/// Prints the completions for a shell; `command` is the command line of the program.
pub(crate) fn completions(
    args: &CompletionsArgs,
    mut command: Command,
) -> Result<Verdict, Problem> {
    let mut text = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, &mut command, name, &mut text);
    output::settle(io::stdout().write_all(&text))?;
    Ok(Verdict::Fine)
}

pub(crate) fn man(args: &ManArgs, command: Command) -> Result<Verdict, Problem> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        let written = clap_mangen::Man::new(command).render(&mut page);
        output::settle(written.and_then(|()| io::stdout().write_all(&page)))?;
        return Ok(Verdict::Fine);
    };
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    match written {
        Ok(()) => Ok(Verdict::Fine),
        Err(error) => Err(Problem::new(
            folder.display().to_string(),
            format!("cannot write the pages: {error}; pass a writable folder to --out"),
        )),
    }
}

//! The program `unionctl`.

use std::process::ExitCode;

fn main() -> ExitCode {
    unionctl::main(unionctl::Program::Unionctl)
}

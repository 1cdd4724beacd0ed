//! The program under its own name.

use std::process::ExitCode;

fn main() -> ExitCode {
    unionctl::main("unionctl")
}

//! The tool as kubectl calls it: `kubectl union ...` runs the program of this name.

use std::process::ExitCode;

fn main() -> ExitCode {
    unionctl::main("kubectl union")
}

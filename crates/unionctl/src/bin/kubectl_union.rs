//! The program as a plugin of kubectl: `kubectl union` runs `kubectl-union`.

use std::process::ExitCode;

fn main() -> ExitCode {
    unionctl::main(unionctl::Program::KubectlPlugin)
}

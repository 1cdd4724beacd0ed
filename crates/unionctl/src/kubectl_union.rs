//! The program under the name that kubectl looks for: `kubectl union ...` runs `kubectl-union`.

use std::process::ExitCode;

fn main() -> ExitCode {
    unionctl::main("kubectl union")
}

//! Clients and API servers are seldom of one version. What becomes of their requests when the newer version has one member
//! more? `cargo run --example version_skew`
//!
//! The requests are simulated; what is refused, cleared and restored is decided by this library's engine.

use union_runtime::{RestoreUnaware, Settings};
use union_simulation::{Matrix, Row, Verdict};

fn main() {
    println!(
        "A backup goes to `s3`, to a `volume` or, in the newer version of the API, to a `tape`."
    );
    println!(
        "Before a request `tape` is set, or `s3` where the server does not know `tape` or the client goes to it.\n"
    );
    let matrix = Matrix::of(Settings::default());
    print!("{matrix}");
    for restore in [RestoreUnaware::Required, RestoreUnaware::All] {
        println!("\nWith RestoreUnaware::{restore:?} these are honoured too:");
        show_changes(
            &matrix,
            &Matrix::of(Settings::default().restore_unaware(restore)),
        );
    }
}

/// The rows that get better, with how many of their cells do.
fn show_changes(before: &Matrix, after: &Matrix) {
    let honoured = after.cells_of(Verdict::Honoured);
    let better: Vec<Row> = honoured
        .filter(|cell| before.cells_of(Verdict::Honoured).all(|was| was != *cell))
        .map(|cell| cell.row)
        .collect();
    for rows in better.chunk_by(|row, next| row == next) {
        println!("  {} ({} cells)", rows[0], rows.len());
    }
}

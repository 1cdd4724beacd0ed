//! Test that compares the whole matrix with a recorded matrix. `UPDATE_SNAPSHOTS=1` records the
//! matrix again.

use std::fs;
use std::path::Path;

use union_runtime::Settings;
use union_simulation::Matrix;

#[test]
fn the_matrix_is_as_recorded() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("skew/version_skew/matrix.txt");
    let matrix = Matrix::of(Settings::default()).to_string();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&file, &matrix).expect("the snapshot can be written");
    }
    let recorded = fs::read_to_string(&file).unwrap_or_default();
    for (number, (found, recorded)) in matrix.lines().zip(recorded.lines()).enumerate() {
        let line = number + 1;
        let remedy = "record it with UPDATE_SNAPSHOTS=1, and read it";
        assert_eq!(found, recorded, "matrix.txt:{line} differs: {remedy}");
    }
    assert_eq!(matrix, recorded, "matrix.txt differs in its length");
}

#[test]
fn the_table_fits_on_a_screen() {
    let matrix = Matrix::of(Settings::default()).to_string();
    let widest = matrix.lines().map(|line| line.chars().count()).max();
    assert!(widest < Some(120), "{widest:?}");
}

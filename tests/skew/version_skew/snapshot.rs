//! Test that compares the whole matrix with a recorded matrix. `UPDATE_SNAPSHOTS=1` records the
//! matrix again.

use std::fs;
use std::path::Path;

use union_runtime::Settings;
use union_simulation::Matrix;

#[test]
fn the_matrix_equals_the_recorded_matrix() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("skew/version_skew/matrix.txt");
    let matrix = Matrix::with_engine(Settings::default()).to_string();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&file, &matrix).expect("the snapshot can be written");
    }
    let recorded_matrix = fs::read_to_string(&file).unwrap_or_default();
    for (index, (line_of_matrix, recorded_line)) in
        matrix.lines().zip(recorded_matrix.lines()).enumerate()
    {
        let line_number = index + 1;
        let remedy = "record it with UPDATE_SNAPSHOTS=1, and read it";
        assert_eq!(
            line_of_matrix, recorded_line,
            "matrix.txt:{line_number} differs: {remedy}"
        );
    }
    assert_eq!(matrix, recorded_matrix, "matrix.txt differs in its length");
}

#[test]
fn the_table_is_less_than_120_columns_wide() {
    let matrix = Matrix::with_engine(Settings::default()).to_string();
    let max_width = matrix.lines().map(|line| line.chars().count()).max();
    assert!(max_width < Some(120), "{max_width:?}");
}

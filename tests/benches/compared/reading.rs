//! Lists of objects with two unions each, deserialized from bytes with `derive(UnionEnum)` and with
//! serde's internally tagged enums.

use std::hint::black_box;

use serde::de::DeserializeOwned;
use union_benches::enums::{Backup, DerivedEnum, TaggedEnum, json_list};

use crate::row::{PreparedRow, Row, Sizes};

/// Returns the rows: our side, and serde's own enum as the reference.
pub(crate) fn rows(sizes: Sizes) -> Vec<Row> {
    let sizes = sizes.at_least(1).filter(|size| *size <= 10_000);
    sizes
        .flat_map(|size| {
            [
                row::<DerivedEnum>(size),
                row::<TaggedEnum>(size).reference(),
            ]
        })
        .collect()
}

fn row<T: DeserializeOwned + 'static>(size: usize) -> Row {
    let name = "a list, two unions in each object";
    Row::new("reading", name, Some(size), move || {
        let json = json_list(size).into_bytes();
        PreparedRow::new(1, move |_| {
            let list = serde_json::from_slice::<Vec<Backup<T>>>(black_box(&json));
            black_box(list).expect("a list of objects");
        })
    })
}

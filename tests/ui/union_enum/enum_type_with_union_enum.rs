//! An enum of plain values is an enum type. The missing attributes of a union cause no further
//! errors.

use union_runtime::UnionEnum;

#[derive(UnionEnum)]
enum Kind {
    Alpha,
    Beta,
}

fn main() {}

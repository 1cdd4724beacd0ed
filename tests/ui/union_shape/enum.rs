//! The derive `Union` is for structs; enums have the derive `UnionEnum`.

use union_runtime::Union;

#[derive(Union)]
enum Strategy {
    Recreate,
    RollingUpdate(u8),
}

fn main() {}

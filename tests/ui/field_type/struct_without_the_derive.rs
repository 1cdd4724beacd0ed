//! The methods are those of structs that hold a union.

struct Strategy {
    kind: u8,
}

fn main() {
    let _ = union_runtime::validate(&Strategy { kind: 0 }, &union_runtime::Settings::default());
}

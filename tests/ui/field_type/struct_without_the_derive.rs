//! The methods are those of structs that hold a union.

use union_runtime::Union as _;

struct Strategy {
    kind: u8,
}

fn main() {
    let _ = Strategy { kind: 0 }.validate_unions();
}

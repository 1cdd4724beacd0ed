//! The methods of unions need a struct that derives `Union`.

use union_runtime::Union as _;

struct Strategy {
    kind: u8,
}

fn main() {
    let _ = Strategy { kind: 0 }.validate_unions();
}

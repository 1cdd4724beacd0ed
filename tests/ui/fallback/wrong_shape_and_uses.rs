//! A derive that does not fit at all adds no errors where its methods are used.

use union_runtime::Union;

#[derive(Union)]
struct Strategy(u8);

fn main() {
    let _ = Strategy(0).validate_unions();
}

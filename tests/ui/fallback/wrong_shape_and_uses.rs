//! A derive on an unsupported kind of type adds no errors in code that calls its methods.

use union_runtime::Union;

#[derive(Union)]
struct Strategy(u8);

fn main() {
    let _ = Strategy(0).validate_unions();
}

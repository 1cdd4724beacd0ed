//! The code that is generated after a mistake has the parameters of the struct.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}
#[derive(Union, Serialize)]
struct Strategy<'a, T: Clone, const N: usize>
where
    T: Serialize,
{
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    alpha: Option<T>,
    names: [&'a str; 2],
}

fn main() {
    let strategy = Strategy::<'_, u8, 3> {
        kind: Kind::Alpha,
        alpha: None,
        names: [""; 2],
    };
    let _ = strategy.validate_unions();
}

use union_runtime::{UnionSpec, union_spec};

const UNION: UnionSpec<'static> = union_spec! {
    discriminator = "type",
    "ALPHA" => "alpha",
    BETA => "beta",
};

fn main() {
    let _ = UNION;
}

use union_runtime::{UnionSpec, union_spec};

const UNION: UnionSpec<'static> = union_spec! {
    optional discriminator = "type",
    "ALPHA" => "alpha",
    "" => "beta",
};

fn main() {
    let _ = UNION;
}

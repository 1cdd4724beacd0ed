use union_runtime::{UnionSpec, union_spec};

const UNION: UnionSpec<'static> = union_spec! {
    discriminator = "type",
    "ALPHA" => "alpha",
    "NONE" => null,
};

fn main() {
    let _ = UNION;
}

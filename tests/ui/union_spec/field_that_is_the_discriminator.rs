use union_runtime::{UnionSpec, union_spec};

const UNION: UnionSpec<'static> = union_spec! {
    deduced discriminator = "type",
    "ALPHA" => "alpha",
    "TYPE" => "type",
};

fn main() {
    let _ = UNION;
}

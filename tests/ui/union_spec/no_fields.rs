use union_runtime::{UnionSpec, union_spec};

const UNION: UnionSpec<'static> = union_spec! {
    discriminator = "type",
    "NONE" => (),
};

fn main() {
    let _ = UNION;
}

use union_runtime::{UnionSpec, union_spec};

const UNION: UnionSpec<'static> = union_spec! {
    discriminator = r#type,
    "ALPHA" => "alpha",
};

fn main() {
    let _ = UNION;
}

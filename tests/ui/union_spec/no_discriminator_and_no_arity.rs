use union_runtime::{UnionSpec, union_spec};

const UNION: UnionSpec<'static> = union_spec! {
    "ALPHA" => "alpha",
};

fn main() {
    let _ = UNION;
}

use union_runtime::{UnionSpec, union_spec};

const UNION: UnionSpec<'static> = union_spec! {
    exactly_one,
    "ALPHA" => "alpha",
    "BETA" => optional "alpha",
};

fn main() {
    let _ = UNION;
}

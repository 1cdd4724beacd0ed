use union_runtime::{UnionSpec, union_spec};

const UNION: UnionSpec<'static> = union_spec! {
    at_most_one,
    "ALPHA" => "alpha",
    "NONE" => (),
};

fn main() {
    let _ = UNION;
}

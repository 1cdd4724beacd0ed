use union_json::union_spec;
use union_runtime::UnionSpec;

const UNION: UnionSpec<'static> = union_spec! {
    at_most_one,
    "ALPHA" => "alpha",
    "NONE" => (),
};

fn main() {
    let _ = UNION;
}

use union_json::union_spec;
use union_runtime::UnionSpec;

const UNION: UnionSpec<'static> = union_spec! {
    exactly_one,
    "ALPHA" => "alpha",
    "BETA" => optional "alpha",
};

fn main() {
    let _ = UNION;
}

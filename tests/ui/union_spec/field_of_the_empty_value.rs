use union_json::union_spec;
use union_runtime::UnionSpec;

const UNION: UnionSpec<'static> = union_spec! {
    optional discriminator = "type",
    "ALPHA" => "alpha",
    "" => "beta",
};

fn main() {
    let _ = UNION;
}

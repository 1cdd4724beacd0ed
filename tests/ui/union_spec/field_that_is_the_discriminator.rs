use union_json::union_spec;
use union_runtime::UnionSpec;

const UNION: UnionSpec<'static> = union_spec! {
    deduced discriminator = "type",
    "ALPHA" => "alpha",
    "TYPE" => "type",
};

fn main() {
    let _ = UNION;
}

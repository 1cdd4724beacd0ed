use union_json::union_spec;
use union_runtime::UnionSpec;

const UNION: UnionSpec<'static> = union_spec! {
};

fn main() {
    let _ = UNION;
}

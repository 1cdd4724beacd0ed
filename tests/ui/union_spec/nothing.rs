use union_runtime::{UnionSpec, union_spec};

const UNION: UnionSpec<'static> = union_spec! {
};

fn main() {
    let _ = UNION;
}

//! The values in the schema come from `EnumType`.

enum Kind {
    Alpha,
}

fn main() {
    union_runtime::add_enum::<Kind>(&mut schemars::Schema::default());
}

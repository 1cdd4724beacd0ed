//! The hook `add_enum` needs an enum that derives `EnumType`.

enum Kind {
    Alpha,
}

fn main() {
    union_runtime::add_enum::<Kind>(&mut schemars::Schema::default());
}

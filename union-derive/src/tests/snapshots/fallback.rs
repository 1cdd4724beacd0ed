::core::compile_error! {
    "`#[derive(Union)]` needs a struct with named fields; name the fields of this tuple struct (https://docs.rs/union-runtime/latest/union_runtime/derive.Union.html)"
}
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl<T> ::union_runtime::spec::UnionType for Wrong<T> {
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        &[]
    }
    fn union_state(
        &self,
        _: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::State<'_>> {
        ::core::option::Option::None
    }
    fn reset_member(
        &mut self,
        _: ::core::option::Option<&Self>,
        _: ::core::primitive::usize,
        _: ::core::primitive::usize,
    ) -> ::core::primitive::bool {
        false
    }
}
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl<T> ::union_runtime::Keyed for Wrong<T> {
    const KEYS: &'static [&'static ::core::primitive::str] = &[];
    fn key(
        &self,
        _: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::Key<'_>> {
        ::core::option::Option::None
    }
}

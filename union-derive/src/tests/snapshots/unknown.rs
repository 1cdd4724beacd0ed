#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::spec::UnionType for Choice {
    const KEEPS_UNKNOWN: ::core::primitive::bool = true;
    fn unknown_members(
        &mut self,
    ) -> ::core::option::Option<&mut dyn ::union_runtime::UnknownMembers> {
        ::core::option::Option::Some(
            <BTreeMap<
                String,
                Value,
            > as ::union_runtime::UnknownMembers>::as_dyn(&mut self.rest),
        )
    }
    ::union_runtime::__private::reset!(self(0, 0) alpha[]);
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        use ::union_runtime::__private::ProbeDefaults as _;
        let _ = <::union_runtime::__private::Probe<Alpha>>::require_mark;
        use ::union_runtime::__private::member;
        const UNIONS: [::union_runtime::UnionSpec<'static>; 1] = ::union_runtime::__private::union(
            ::union_runtime::__private::allow_unknown(
                member(
                    ::union_runtime::__private::discriminator(
                        "kind",
                        <Kind as ::union_runtime::Discriminator>::FACTS,
                        false,
                        false,
                        &[("alpha", 9999721509958787115, false)],
                    ),
                ),
            ),
        );
        &UNIONS
    }
    #[inline]
    fn union_state(
        &self,
        __union: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::State<'_>> {
        ::union_runtime::__private::state(
            self,
            __union,
            (&self.alpha, [false; 0]),
            ::union_runtime::Discriminator::selected(&self.kind),
        )
    }
    #[inline]
    fn children_are_settled(&self) -> ::core::primitive::bool {
        true
            && <BTreeMap<
                String,
                Value,
            > as ::union_runtime::UnknownMembers>::is_empty(&self.rest)
    }
    ::union_runtime::__private::values!(alpha "alpha");
}

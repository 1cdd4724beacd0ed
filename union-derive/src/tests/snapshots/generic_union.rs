#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl<'a, T: Clone, const N: usize> crate::unions::spec::UnionType for Generic<'a, T, N>
where
    [T; N]: Sized,
{
    crate::unions::__private::reset!(self(0, 0) alpha[]);
    #[inline]
    fn unions() -> &'static [crate::unions::UnionSpec<'static>] {
        use crate::unions::__private::ProbeDefaults as _;
        let _ = <crate::unions::__private::Probe<T>>::require_mark;
        use crate::unions::__private::member;
        const UNIONS: [crate::unions::UnionSpec<'static>; 1] = crate::unions::__private::union(
            member(
                crate::unions::__private::discriminator(
                    "kind",
                    <Option<Kind> as crate::unions::Discriminator>::FACTS,
                    true,
                    true,
                    &[("alpha", 9999721509958787115, false)],
                ),
            ),
        );
        &UNIONS
    }
    #[inline]
    fn union_state(
        &self,
        __union: ::core::primitive::usize,
    ) -> ::core::option::Option<crate::unions::State<'_>> {
        crate::unions::__private::state(
            self,
            __union,
            (&self.alpha, [false; 0]),
            <Option<
                Kind,
            > as crate::unions::Discriminator>::selected_or(&self.kind, some_kind),
        )
    }
    fn visit_omitted_defaults(
        __visit: &mut dyn ::core::ops::FnMut(
            &::core::primitive::str,
            ::core::option::Option<&::core::primitive::str>,
        ),
    ) {
        __visit(
            "kind",
            <Option<Kind> as crate::unions::Discriminator>::selected(&(some_kind)())
                .known()
                .and_then(|__value| {
                    <Option<Kind> as crate::unions::Discriminator>::FACTS
                        .values()
                        .get(__value)
                }),
        );
    }
}

#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl<'a, T: Clone, const N: usize> crate::unions::Union for Generic<'a, T, N>
where
    [T; N]: Sized,
{
    fn reset_member(
        &mut self,
        __union_old: ::core::option::Option<&Self>,
        __union: ::core::primitive::usize,
        __union_member: ::core::primitive::usize,
    ) -> ::core::primitive::bool {
        match (__union, __union_member) {
            (0, 0) => {
                crate::unions::__private::reset(
                        (&mut self.alpha,),
                        __union_old.map(|__union_old| (&__union_old.alpha,)),
                    )
                    .member(0, 0)
            }
            _ => false,
        }
    }
    #[inline]
    fn unions() -> &'static [crate::unions::UnionSpec<'static>] {
        use crate::unions::__private::member;
        const UNIONS: [crate::unions::UnionSpec<'static>; 1] = crate::unions::__private::union(
            member(
                crate::unions::__private::discriminator_or_none(
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
            (&self.alpha,),
            <Option<
                Kind,
            > as crate::unions::Discriminator>::selected_or(&self.kind, some_kind),
        )
    }
}

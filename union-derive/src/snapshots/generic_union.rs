#[automatically_derived]
#[allow(deprecated, reason = "a derive is no use of its type")]
impl<'a, T: Clone, const N: usize> crate::unions::Union for Generic<'a, T, N>
where
    [T; N]: Sized,
{
    #[inline]
    fn unions() -> &'static [crate::unions::UnionSpec<'static>] {
        static UNIONS: &[crate::unions::UnionSpec<'static>] = &[
            crate::unions::__private::union(
                &crate::unions::__private::member(
                    crate::unions::__private::discriminator::<
                        1,
                    >(
                        "kind",
                        <Option<Kind> as crate::unions::Discriminator>::FACTS,
                        true,
                        true,
                    ),
                    "alpha",
                    "Alpha",
                    [9999721509958787115, 9999721509958787115],
                    false,
                ),
            ),
        ];
        UNIONS
    }
    #[inline]
    fn union_state(
        &self,
        __union: ::core::primitive::usize,
    ) -> ::core::option::Option<crate::unions::State<'_>> {
        crate::unions::__private::state::<
            Self,
            _,
        >(
            __union,
            <Option<
                Kind,
            > as crate::unions::Discriminator>::selected_or(&self.kind, some_kind),
            [crate::unions::UnionMember::is_set(&self.alpha)],
        )
    }
    fn clear_member(
        &mut self,
        __union: ::core::primitive::usize,
        __union_member: ::core::primitive::usize,
    ) {
        match (__union, __union_member) {
            (0, 0) => crate::unions::UnionMember::clear(&mut self.alpha),
            _ => {}
        }
    }
    fn restore_member(
        &mut self,
        __union_old: &Self,
        __union: ::core::primitive::usize,
        __union_member: ::core::primitive::usize,
    ) -> ::core::primitive::bool {
        use crate::unions::__private::NotClone as _;
        let ::core::option::Option::Some(mut __union_old) = crate::unions::__private::Restore(
                __union_old,
            )
            .cloned() else {
            return false;
        };
        match (__union, __union_member) {
            (0, 0) => ::core::mem::swap(&mut self.alpha, &mut __union_old.alpha),
            _ => return false,
        }
        true
    }
}

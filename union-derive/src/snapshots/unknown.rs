#[automatically_derived]
#[allow(deprecated, reason = "a derive is no use of its type")]
impl ::union_runtime::Union for Choice {
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
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        static UNIONS: &[::union_runtime::UnionSpec<'static>] = &[
            ::union_runtime::__private::union(
                &::union_runtime::__private::beside_unknown(
                    ::union_runtime::__private::member(
                        ::union_runtime::__private::discriminator::<
                            1,
                        >(
                            "kind",
                            <Kind as ::union_runtime::Discriminator>::FACTS,
                            false,
                            false,
                        ),
                        "alpha",
                        "Alpha",
                        [9999721509958787115, 9999721509958787115],
                        false,
                    ),
                ),
            ),
        ];
        UNIONS
    }
    #[inline]
    fn union_state(
        &self,
        __union: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::State<'_>> {
        ::union_runtime::__private::state::<
            Self,
            _,
        >(
            __union,
            ::union_runtime::Discriminator::selected(&self.kind),
            [::union_runtime::UnionMember::is_set(&self.alpha)],
        )
    }
    fn clear_member(
        &mut self,
        __union: ::core::primitive::usize,
        __union_member: ::core::primitive::usize,
    ) {
        match (__union, __union_member) {
            (0, 0) => ::union_runtime::UnionMember::clear(&mut self.alpha),
            _ => {}
        }
    }
    fn restore_member(
        &mut self,
        __union_old: &Self,
        __union: ::core::primitive::usize,
        __union_member: ::core::primitive::usize,
    ) -> ::core::primitive::bool {
        use ::union_runtime::__private::NotClone as _;
        let ::core::option::Option::Some(mut __union_old) = ::union_runtime::__private::Restore(
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
    #[inline]
    fn children_are_settled(&self) -> ::core::primitive::bool {
        true
            && <BTreeMap<
                String,
                Value,
            > as ::union_runtime::UnknownMembers>::is_empty(&self.rest)
    }
}

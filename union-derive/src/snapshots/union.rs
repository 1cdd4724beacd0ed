#[automatically_derived]
#[allow(deprecated, reason = "a derive is no use of its type")]
impl ::union_runtime::Union for Strategy {
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        static UNIONS: &[::union_runtime::UnionSpec<'static>] = &[
            ::union_runtime::__private::union(
                &::union_runtime::__private::member_as(
                    ::union_runtime::__private::member_as(
                        ::union_runtime::__private::member(
                            ::union_runtime::__private::member(
                                ::union_runtime::__private::discriminator::<
                                    4,
                                >(
                                    "type",
                                    <StrategyType as ::union_runtime::Discriminator>::FACTS,
                                    false,
                                    false,
                                ),
                                "alpha",
                                "Alpha",
                                [9999721509958787115, 9999721509958787115],
                                false,
                            ),
                            "rollingUpdate",
                            "RollingUpdate",
                            [14195817269205989739, 14195817269205989739],
                            true,
                        ),
                        "crossOrigin",
                        "CORS",
                        861046870607172660,
                        false,
                    ),
                    "beta",
                    "BETA",
                    8513880941419438247,
                    true,
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
            ::union_runtime::Discriminator::selected(&self.r#type),
            [
                ::union_runtime::UnionMember::is_set(&self.alpha),
                ::union_runtime::UnionMember::is_set(&self.rolling_update),
                ::union_runtime::UnionMember::is_set(&self.cross_origin),
                ::union_runtime::UnionMember::is_set(&self.beta),
            ],
        )
    }
    fn clear_member(
        &mut self,
        __union: ::core::primitive::usize,
        __union_member: ::core::primitive::usize,
    ) {
        match (__union, __union_member) {
            (0, 0) => ::union_runtime::UnionMember::clear(&mut self.alpha),
            (0, 1) => ::union_runtime::UnionMember::clear(&mut self.rolling_update),
            (0, 2) => ::union_runtime::UnionMember::clear(&mut self.cross_origin),
            (0, 3) => ::union_runtime::UnionMember::clear(&mut self.beta),
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
            (0, 1) => {
                ::core::mem::swap(
                    &mut self.rolling_update,
                    &mut __union_old.rolling_update,
                )
            }
            (0, 2) => {
                ::core::mem::swap(&mut self.cross_origin, &mut __union_old.cross_origin)
            }
            (0, 3) => ::core::mem::swap(&mut self.beta, &mut __union_old.beta),
            _ => return false,
        }
        true
    }
}
const _: () = {
    use ::union_runtime::__private::NoSchema as _;
    #[allow(deprecated, reason = "a derive is no use of its type")]
    type Asked = Strategy;
    <::union_runtime::__private::Probe<Asked>>::SCHEMA_WITHOUT_UNION
};

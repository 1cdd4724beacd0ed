#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::Union for Strategy {
    fn reset_member(
        &mut self,
        __union_old: ::core::option::Option<&Self>,
        __union: ::core::primitive::usize,
        __union_member: ::core::primitive::usize,
    ) -> ::core::primitive::bool {
        ::union_runtime::__private::reset(
                (
                    &mut self.alpha,
                    &mut self.rolling_update,
                    &mut self.cross_origin,
                    &mut self.beta,
                ),
                __union_old
                    .map(|__union_old| (
                        &__union_old.alpha,
                        &__union_old.rolling_update,
                        &__union_old.cross_origin,
                        &__union_old.beta,
                    )),
            )
            .member(__union, __union_member)
    }
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        use ::union_runtime::__private::member;
        const UNIONS: [::union_runtime::UnionSpec<'static>; 1] = ::union_runtime::__private::union(
            ::union_runtime::__private::member_as(
                ::union_runtime::__private::member_as(
                    member(
                        member(
                            ::union_runtime::__private::discriminator(
                                "type",
                                <StrategyType as ::union_runtime::Discriminator>::FACTS,
                                &[
                                    ("alpha", 9999721509958787115, false),
                                    ("rollingUpdate", 14195817269205989739, true),
                                    ("crossOrigin", 861046870607172660, false),
                                    ("beta", 8513880941419438247, true),
                                ],
                            ),
                        ),
                    ),
                    "CORS",
                ),
                "BETA",
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
            (&self.alpha, &self.rolling_update, &self.cross_origin, &self.beta),
            ::union_runtime::Discriminator::selected(&self.r#type),
        )
    }
    ::union_runtime::__private::values!(
        alpha "alpha", rolling_update "rollingUpdate", cross_origin "crossOrigin", beta
        "beta"
    );
}

#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::spec::UnionType for Strategy {
    ::union_runtime::__private::reset!(
        self(0, 0) alpha[] (0, 1) rolling_update[] (0, 2) cross_origin[] (0, 3) beta[]
    );
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        use ::union_runtime::__private::ProbeDefaults as _;
        let _ = <::union_runtime::__private::Probe<Alpha>>::require_mark;
        let _ = <::union_runtime::__private::Probe<RollingUpdate>>::require_mark;
        let _ = <::union_runtime::__private::Probe<CrossOrigin>>::require_mark;
        let _ = <::union_runtime::__private::Probe<Beta>>::require_mark;
        use ::union_runtime::__private::member;
        const UNIONS: [::union_runtime::UnionSpec<'static>; 1] = ::union_runtime::__private::union(
            ::union_runtime::__private::member_with_value(
                ::union_runtime::__private::member_with_value(
                    member(
                        member(
                            ::union_runtime::__private::discriminator(
                                "type",
                                <StrategyType as ::union_runtime::Discriminator>::FACTS,
                                false,
                                false,
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
            (
                &self.alpha,
                (&self.rolling_update, (&self.cross_origin, (&self.beta, [false; 0]))),
            ),
            ::union_runtime::Discriminator::selected(&self.r#type),
        )
    }
    ::union_runtime::__private::values!(
        alpha "alpha", rolling_update "rollingUpdate", cross_origin "crossOrigin", beta
        "beta"
    );
}

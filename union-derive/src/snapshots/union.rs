#[automatically_derived]
#[allow(deprecated)]
impl ::union_runtime::Union for Strategy {
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec] {
        const UNIONS: &[::union_runtime::UnionSpec] = &[
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
                        false,
                    ),
                    "beta",
                    "BETA",
                    true,
                ),
            ),
        ];
        UNIONS
    }
    #[inline]
    fn union_state(&self, _: ::core::primitive::usize) -> ::union_runtime::State<'_> {
        ::union_runtime::State::new(
            &<Self as ::union_runtime::Union>::unions()[0],
            <StrategyType as ::union_runtime::Discriminator>::selected(&self.r#type),
            [
                <Option<Alpha> as ::union_runtime::UnionMember>::is_set(&self.alpha),
                <Option<
                    RollingUpdate,
                > as ::union_runtime::UnionMember>::is_set(&self.rolling_update),
                <Option<
                    Box<CrossOrigin>,
                > as ::union_runtime::UnionMember>::is_set(&self.cross_origin),
                <Option<Beta> as ::union_runtime::UnionMember>::is_set(&self.beta),
            ],
        )
    }
    fn clear_member(
        &mut self,
        _: ::core::primitive::usize,
        __union_member: ::core::primitive::usize,
    ) {
        match __union_member {
            0 => <Option<Alpha> as ::union_runtime::UnionMember>::clear(&mut self.alpha),
            1 => {
                <Option<
                    RollingUpdate,
                > as ::union_runtime::UnionMember>::clear(&mut self.rolling_update)
            }
            2 => {
                <Option<
                    Box<CrossOrigin>,
                > as ::union_runtime::UnionMember>::clear(&mut self.cross_origin)
            }
            3 => <Option<Beta> as ::union_runtime::UnionMember>::clear(&mut self.beta),
            _ => {}
        }
    }
}
#[allow(deprecated)]
const _: () = {
    #[allow(unused_imports)]
    use ::union_runtime::__private::NoSchema as _;
    ::union_runtime::__private::require_hook(
        <::union_runtime::__private::Probe<Strategy>>::HAS_SCHEMA,
        "`Strategy` has a schema without its union; add `#[schemars(transform = union_runtime::add_unions::<Strategy>)]`, or `schema = false` to the attributes of this derive if that is meant",
    )
};

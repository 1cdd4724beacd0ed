#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::EnumType for StrategyType {
    const VALUES: &'static [&'static ::core::primitive::str] = &["Recreate", ""];
    const DOCS: &'static [&'static ::core::primitive::str] = &["All at once.", ""];
    const KEYS: &'static [::core::primitive::u64] = &[
        8473044069396437684u64, 14695981039346656037u64,
    ];
    const KEEPS_UNKNOWN: ::core::primitive::bool = true;
    #[inline]
    fn value(&self) -> ::union_runtime::EnumValue<'_> {
        match self {
            Self::Recreate => ::union_runtime::EnumValue::Known(0),
            Self::Nothing => ::union_runtime::EnumValue::Known(1),
            Self::Unknown(__union_text) => {
                ::union_runtime::EnumValue::parse::<Self>(__union_text)
            }
        }
    }
    fn from_index(
        __union_position: ::core::primitive::usize,
    ) -> ::core::option::Option<Self> {
        ::core::option::Option::Some(
            match __union_position {
                0 => Self::Recreate,
                1 => Self::Nothing,
                _ => return ::core::option::Option::None,
            },
        )
    }
    fn json_error() -> ::core::option::Option<::union_runtime::__private::String> {
        use ::union_runtime::__private::ProbeDefaults as _;
        ::union_runtime::__private::Probe::<Self>::json_error()
    }
}

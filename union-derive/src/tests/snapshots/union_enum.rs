#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::UnionEnum for Target {
    const FORM: &'static ::union_runtime::__private::EnumForm = &::union_runtime::__private::EnumForm {
        name: "Target",
        fields: &["type", "s3", "volume"],
        discriminator: ::core::option::Option::Some("type"),
        values: &["None", "S3", "Volume"],
        docs: &["Nowhere.", "", ""],
        members: &[
            ::union_runtime::MemberSpec::new("s3", "S3", 1, false),
            ::union_runtime::MemberSpec::new("volume", "Volume", 2, true),
        ],
        ..::union_runtime::__private::EnumForm::EMPTY
    };
    #[inline]
    fn current_variant(&self) -> ::union_runtime::__private::CurrentVariant<'_> {
        let (__union_variant, __union_is_set) = match self {
            Self::None => (0, false),
            Self::S3(_) => (1, true),
            Self::Volume(__union_member) => {
                (2, ::core::option::Option::is_some(__union_member))
            }
            Self::Other(__union_raw) => {
                return ::union_runtime::__private::CurrentVariant::Other(__union_raw);
            }
        };
        ::union_runtime::__private::CurrentVariant::Variant(
            __union_variant,
            __union_is_set,
        )
    }
    fn read_variant(
        __union_variant: ::core::primitive::usize,
        __union_member: ::union_runtime::__private::FieldValue<'_>,
    ) -> ::union_runtime::__private::serde_json::Result<Self> {
        match __union_variant {
            0 => ::core::result::Result::Ok(Self::None),
            1 => {
                <S3Target as ::union_runtime::__private::EnumMember>::read(
                    __union_member,
                    Self::S3,
                )
            }
            _ => {
                <VolumeTarget as ::union_runtime::__private::EnumMember>::read_optional(
                    __union_member,
                    Self::Volume,
                )
            }
        }
    }
    fn from_raw(
        __union_raw: ::union_runtime::RawUnion,
    ) -> ::core::result::Result<Self, ::union_runtime::RawUnion> {
        ::core::result::Result::Ok(Self::Other(__union_raw))
    }
    fn raw_mut(&mut self) -> ::core::option::Option<&mut ::union_runtime::RawUnion> {
        match self {
            Self::Other(__union_raw) => ::core::option::Option::Some(__union_raw),
            _ => ::core::option::Option::None,
        }
    }
}
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::__private::serde::Serialize for Target {
    fn serialize<__UnionSerializer: ::union_runtime::__private::serde::Serializer>(
        &self,
        __union_serializer: __UnionSerializer,
    ) -> ::core::result::Result<__UnionSerializer::Ok, __UnionSerializer::Error> {
        match self {
            Self::None => {
                <() as ::union_runtime::__private::EnumMember>::serialize_variant(
                    ["type", "None", ""],
                    ::core::option::Option::None,
                    __union_serializer,
                )
            }
            Self::S3(__union_member) => {
                <S3Target as ::union_runtime::__private::EnumMember>::serialize_variant(
                    ["type", "S3", "s3"],
                    ::core::option::Option::Some(__union_member),
                    __union_serializer,
                )
            }
            Self::Volume(__union_member) => {
                <VolumeTarget as ::union_runtime::__private::EnumMember>::serialize_variant(
                    ["type", "Volume", "volume"],
                    ::core::option::Option::as_ref(__union_member),
                    __union_serializer,
                )
            }
            Self::Other(__union_raw) => {
                ::union_runtime::__private::serde::Serialize::serialize(
                    __union_raw,
                    __union_serializer,
                )
            }
        }
    }
}
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl<'de> ::union_runtime::__private::serde::Deserialize<'de> for Target {
    fn deserialize<
        __UnionDeserializer: ::union_runtime::__private::serde::Deserializer<'de>,
    >(
        __union_deserializer: __UnionDeserializer,
    ) -> ::core::result::Result<Self, __UnionDeserializer::Error> {
        ::union_runtime::__private::deserialize_enum(__union_deserializer)
    }
}
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::spec::UnionType for Target {
    const AS_ENUM: ::core::option::Option<
        &'static ::union_runtime::__private::EnumForm,
    > = ::core::option::Option::Some(<Self as ::union_runtime::UnionEnum>::FORM);
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        use ::union_runtime::__private::ProbeDefaults as _;
        let _ = <::union_runtime::__private::Probe<S3Target>>::require_mark;
        ::union_runtime::__private::enum_unions::<Self>()
    }
    #[inline]
    fn union_state(
        &self,
        __union: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::State<'_>> {
        ::union_runtime::__private::enum_state(self, __union)
    }
    fn reset_member(
        &mut self,
        __union_old: ::core::option::Option<&Self>,
        __union: ::core::primitive::usize,
        __union_member: ::core::primitive::usize,
    ) -> ::core::primitive::bool {
        ::union_runtime::__private::enum_reset(
            self,
            __union_old,
            __union,
            __union_member,
        )
    }
    fn unknown_members(
        &mut self,
    ) -> ::core::option::Option<&mut dyn ::union_runtime::UnknownMembers> {
        ::union_runtime::__private::enum_unknown_members(self)
    }
    fn reread(&mut self) {
        ::union_runtime::__private::enum_reread(self)
    }
    #[inline]
    fn children_are_settled(&self) -> ::core::primitive::bool {
        match self {
            Self::Volume(__union_member) => {
                <::core::option::Option<
                    VolumeTarget,
                > as ::union_runtime::Nested<
                    ::union_runtime::__private::UnionNodes,
                >>::is_settled(__union_member)
            }
            _ => true,
        }
    }
    fn walk_children(
        &self,
        mut __union_on: ::union_runtime::__private::Descent<
            '_,
            '_,
            Self,
            dyn ::union_runtime::Visitor + '_,
        >,
    ) {
        let __union_old = __union_on.old;
        match self {
            Self::Volume(__union_member) => {
                let __union_raw = || ::core::option::Option::map(
                    <VolumeTarget as ::union_runtime::__private::EnumMember>::from_old::<
                        Self,
                    >("volume", __union_old),
                    ::core::option::Option::Some,
                );
                let __union_old = match __union_old {
                    ::core::option::Option::Some(Self::Volume(__union_old)) => {
                        ::core::option::Option::Some(__union_old)
                    }
                    _ => ::core::option::Option::None,
                };
                __union_on
                    .member(
                        "volume",
                        __union_raw(),
                        __union_old,
                        |__union_on| <::core::option::Option<
                            VolumeTarget,
                        > as ::union_runtime::Nested<
                            ::union_runtime::__private::UnionNodes,
                        >>::walk(__union_member, __union_on),
                    );
            }
            _ => {}
        }
    }
    fn walk_children_mut(
        &mut self,
        mut __union_on: ::union_runtime::__private::Descent<
            '_,
            '_,
            Self,
            dyn ::union_runtime::VisitorMut + '_,
        >,
    ) {
        let __union_old = __union_on.old;
        match self {
            Self::Volume(__union_member) => {
                let __union_raw = || ::core::option::Option::map(
                    <VolumeTarget as ::union_runtime::__private::EnumMember>::from_old::<
                        Self,
                    >("volume", __union_old),
                    ::core::option::Option::Some,
                );
                let __union_old = match __union_old {
                    ::core::option::Option::Some(Self::Volume(__union_old)) => {
                        ::core::option::Option::Some(__union_old)
                    }
                    _ => ::core::option::Option::None,
                };
                __union_on
                    .member(
                        "volume",
                        __union_raw(),
                        __union_old,
                        |__union_on| <::core::option::Option<
                            VolumeTarget,
                        > as ::union_runtime::Nested<
                            ::union_runtime::__private::UnionNodes,
                        >>::walk_mut(__union_member, __union_on),
                    );
            }
            _ => {}
        }
    }
    #[inline]
    fn walk_values(
        &self,
        __union_on: &mut ::core::option::Option<
            ::union_runtime::__private::Descent<
                '_,
                '_,
                Self,
                dyn ::union_runtime::Visitor + '_,
            >,
        >,
    ) -> ::core::primitive::bool {
        use ::union_runtime::__private::ProbeDefaults as _;
        match self {
            Self::S3(__union_member) => {
                ::union_runtime::__private::Probe::from_value(__union_member)
                    .walk_values(
                        __union_member,
                        |__union_old| match __union_old {
                            Self::S3(__union_old) => {
                                ::core::option::Option::Some(__union_old)
                            }
                            _ => ::core::option::Option::None,
                        },
                        <S3Target as ::union_runtime::__private::EnumMember>::from_old,
                        "s3",
                        __union_on,
                    )
            }
            _ => true,
        }
    }
}
::union_runtime::__private::if_schema! {
    #[automatically_derived] #[allow(deprecated, reason =
    "a derive does not use the type")] impl
    ::union_runtime::__private::schemars::JsonSchema for Target where for < '__union > <
    S3Target as ::union_runtime::__private::Identity < '__union >> ::Type :
    ::union_runtime::__private::schemars::JsonSchema, for < '__union > < VolumeTarget as
    ::union_runtime::__private::Identity < '__union >> ::Type :
    ::union_runtime::__private::schemars::JsonSchema, { fn schema_name() ->
    ::union_runtime::__private::Cow < 'static, ::core::primitive::str > {
    ::union_runtime::__private::Cow::Borrowed("Target") } fn schema_id() ->
    ::union_runtime::__private::Cow < 'static, ::core::primitive::str > {
    ::union_runtime::__private::Cow::Borrowed(::core::any::type_name:: < Self > ()) } fn
    json_schema(__union_generator : & mut
    ::union_runtime::__private::schemars::SchemaGenerator) ->
    ::union_runtime::__private::schemars::Schema {
    ::union_runtime::__private::enum_schema:: < Self, _ > ("Where backups go.", [("s3",
    "", ::union_runtime::__private::schemars::SchemaGenerator::subschema_for:: < S3Target
    > (__union_generator)), ("volume", "",
    ::union_runtime::__private::schemars::SchemaGenerator::subschema_for:: < VolumeTarget
    > (__union_generator))]) } }
}

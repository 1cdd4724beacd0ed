#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::spec::UnionType for Choice {
    ::union_runtime::__private::reset!(self(0, 0) alpha[] (0, 1) third[]);
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        use ::union_runtime::__private::ProbeDefaults as _;
        let _ = <::union_runtime::__private::Probe<Level>>::require_mark;
        let _ = <::union_runtime::__private::Probe<Level>>::require_mark;
        let _ = <::union_runtime::__private::Probe<Volume>>::require_mark;
        use ::union_runtime::__private::member;
        const UNIONS: [::union_runtime::UnionSpec<'static>; 1] = ::union_runtime::__private::union(
            ::union_runtime::__private::check_unmarked_field(
                ::union_runtime::__private::member_with_value(
                    member(
                        ::union_runtime::__private::discriminator(
                            "kind",
                            <Kind as ::union_runtime::Discriminator>::FACTS,
                            false,
                            false,
                            &[
                                ("alpha", 9999721509958787115, false),
                                ("third", 2490902623560640874, false),
                            ],
                        ),
                    ),
                    "Gamma",
                ),
                "gamma",
                "Gamma",
                [2490902623560640874, 2490902623560640874],
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
            (&self.alpha, (&self.third, [false; 0])),
            ::union_runtime::Discriminator::selected(&self.kind),
        )
    }
    ::union_runtime::__private::values!(alpha "alpha", third "third", volumes "volumes");
    fn patch_fields() -> &'static [(
        &'static ::core::primitive::str,
        &'static ::core::primitive::str,
        &'static ::core::primitive::str,
    )] {
        &[("volumes", "merge", "name"), ("tags", "merge", "")]
    }
}
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::Keyed for Choice {
    const KEYS: &'static [&'static ::core::primitive::str] = &["name"];
    fn key(
        &self,
        __union_position: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::Key<'_>> {
        match __union_position {
            0 => <String as ::union_runtime::KeyField>::key(&self.name),
            _ => ::core::option::Option::None,
        }
    }
}
#[allow(deprecated, reason = "a derive does not use the type")]
const _: () = {
    use ::union_runtime::__private::ProbeDefaults as _;
    ::union_runtime::__private::reject_if(
        <::union_runtime::__private::Probe<Vec<String>>>::IS_LIST
            && !<::union_runtime::__private::Probe<Vec<String>>>::HAS_SCALARS,
        "a merged list of objects needs a merge key; add `patch_merge_key = \"name\"`, use another strategy, or write `patch_merge_key = \"\"` if the elements are scalars in JSON",
    )
};
#[allow(deprecated, reason = "a derive does not use the type")]
const _: () = {
    use ::union_runtime::__private::ProbeDefaults as _;
    ::union_runtime::__private::reject_if(
        true && !<::union_runtime::__private::Probe<Level>>::HOLDS_VALUES,
        "`open` is only for fields of an enum type; remove `open`, or derive `EnumType` on the enum",
    )
};
#[allow(deprecated, reason = "a derive does not use the type")]
const _: () = {
    use ::union_runtime::__private::ProbeDefaults as _;
    ::union_runtime::__private::reject_if(
        true && !<::union_runtime::__private::Probe<Plain>>::HAS_UNIONS,
        "`not_nested` has no effect, because this type has no unions; remove `not_nested`",
    )
};
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::spec::UnionType for Pod {
    ::union_runtime::__private::reset!(self);
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        use ::union_runtime::__private::ProbeDefaults as _;
        let _ = <::union_runtime::__private::Probe<Volume>>::require_mark;
        &[]
    }
    #[inline]
    fn union_state(
        &self,
        _: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::State<'_>> {
        ::core::option::Option::None
    }
    ::union_runtime::__private::values!(volumes "volumes");
    fn patch_fields() -> &'static [(
        &'static ::core::primitive::str,
        &'static ::core::primitive::str,
        &'static ::core::primitive::str,
    )] {
        &[("volumes", "merge", "")]
    }
}
#[allow(deprecated, reason = "a derive does not use the type")]
const _: () = {
    use ::union_runtime::__private::ProbeDefaults as _;
    ::union_runtime::__private::reject_if(
        <::union_runtime::__private::Probe<Vec<Volume>>>::IS_LIST
            && !<::union_runtime::__private::Probe<Vec<Volume>>>::HAS_SCALARS,
        "a merged list of objects needs a merge key; add `patch_merge_key = \"name\"`, use another strategy, or write `patch_merge_key = \"\"` if the elements are scalars in JSON",
    )
};
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::spec::UnionType for Parent {
    ::union_runtime::__private::reset!(self);
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        &[]
    }
    #[inline]
    fn union_state(
        &self,
        _: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::State<'_>> {
        ::core::option::Option::None
    }
    #[inline]
    fn children_are_settled(&self) -> ::core::primitive::bool {
        true && <Choice as ::union_runtime::Inline>::inline_is_settled(&self.choice)
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
        <Choice as ::union_runtime::Inline>::walk_inline(
            &self.choice,
            ::union_runtime::__private::Descent::flattened(
                &mut __union_on,
                |__union_old| &__union_old.choice,
            ),
        );
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
        <Choice as ::union_runtime::Inline>::walk_inline_mut(
            &mut self.choice,
            ::union_runtime::__private::Descent::flattened(
                &mut __union_on,
                |__union_old| &__union_old.choice,
            ),
        );
    }
    fn visit_unions(
        __union_visit: &mut dyn ::core::ops::FnMut(
            &'static ::union_runtime::UnionSpec<'static>,
        ),
    ) {
        for __union_spec in <Self as ::union_runtime::spec::UnionType>::unions() {
            __union_visit(__union_spec);
        }
        <Choice as ::union_runtime::Inline>::visit_unions(__union_visit);
    }
}
#[allow(deprecated, reason = "a derive does not use the type")]
const _: () = {
    ::union_runtime::__private::reject_if(
        <Choice as ::union_runtime::Inline>::KEEPS_UNKNOWN,
        "`choice` keeps all unknown fields of this struct: `name` is not deserialized as it is serialized, so it would be written twice; remove serde's attribute from `name`, or remove `unknown` from the flattened struct",
    );
    ::union_runtime::__private::check_flattened_enum(
        <Choice as ::union_runtime::Inline>::INLINED,
        "choice",
        &["oldName", "newName"],
        &[],
        true,
    );
};
const _: () = {
    use ::union_runtime::__private::ProbeDefaults as _;
    #[allow(deprecated, reason = "a derive does not use the type")]
    type Derived = Parent;
    <::union_runtime::__private::Probe<Derived>>::SCHEMA_WITHOUT_UNION
};
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::spec::UnionType for Parent {
    ::union_runtime::__private::reset!(self);
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        &[]
    }
    #[inline]
    fn union_state(
        &self,
        _: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::State<'_>> {
        ::core::option::Option::None
    }
    #[inline]
    fn children_are_settled(&self) -> ::core::primitive::bool {
        true && <Choice as ::union_runtime::Inline>::inline_is_settled(&self.choice)
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
        <Choice as ::union_runtime::Inline>::walk_inline(
            &self.choice,
            ::union_runtime::__private::Descent::flattened(
                &mut __union_on,
                |__union_old| &__union_old.choice,
            ),
        );
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
        <Choice as ::union_runtime::Inline>::walk_inline_mut(
            &mut self.choice,
            ::union_runtime::__private::Descent::flattened(
                &mut __union_on,
                |__union_old| &__union_old.choice,
            ),
        );
    }
    fn visit_unions(
        __union_visit: &mut dyn ::core::ops::FnMut(
            &'static ::union_runtime::UnionSpec<'static>,
        ),
    ) {
        for __union_spec in <Self as ::union_runtime::spec::UnionType>::unions() {
            __union_visit(__union_spec);
        }
        <Choice as ::union_runtime::Inline>::visit_unions(__union_visit);
    }
}
#[allow(deprecated, reason = "a derive does not use the type")]
const _: () = {
    ::union_runtime::__private::reject_if(
        <Choice as ::union_runtime::Inline>::KEEPS_UNKNOWN,
        "`choice` keeps all unknown fields of this struct: `name` is not deserialized as it is serialized, so it would be written twice; remove serde's attribute from `name`, or remove `unknown` from the flattened struct",
    );
    ::union_runtime::__private::check_flattened_enum(
        <Choice as ::union_runtime::Inline>::INLINED,
        "choice",
        &["oldName", "newName"],
        &[],
        false,
    );
};
const _: () = {
    use ::union_runtime::__private::ProbeDefaults as _;
    #[allow(deprecated, reason = "a derive does not use the type")]
    type Derived = Parent;
    <::union_runtime::__private::Probe<Derived>>::SCHEMA_WITHOUT_UNION
};
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::spec::UnionType for Flattened {
    ::union_runtime::__private::reset!(self);
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        use ::union_runtime::__private::ProbeDefaults as _;
        let _ = <::union_runtime::__private::Probe<Source>>::require_mark;
        &[]
    }
    #[inline]
    fn union_state(
        &self,
        _: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::State<'_>> {
        ::core::option::Option::None
    }
}
#[allow(deprecated, reason = "a derive does not use the type")]
const _: () = {
    use ::union_runtime::__private::ProbeDefaults as _;
    ::union_runtime::__private::reject_if(
        true && !<::union_runtime::__private::Probe<Source>>::HAS_UNIONS,
        "this struct has no union; mark one field with `#[union(discriminator)]` and others with `#[union(member)]`, or a field whose type has unions with `#[union(nested)]`",
    )
};
::core::compile_error! {
    "this struct has no union; mark one field with `#[union(discriminator)]` and others with `#[union(member)]`, or a field whose type has unions with `#[union(nested)]`"
}
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::spec::UnionType for Recursive {
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        &[]
    }
    fn union_state(
        &self,
        _: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::State<'_>> {
        ::core::option::Option::None
    }
    fn reset_member(
        &mut self,
        _: ::core::option::Option<&Self>,
        _: ::core::primitive::usize,
        _: ::core::primitive::usize,
    ) -> ::core::primitive::bool {
        false
    }
}
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::Keyed for Recursive {
    const KEYS: &'static [&'static ::core::primitive::str] = &[];
    fn key(
        &self,
        _: ::core::primitive::usize,
    ) -> ::core::option::Option<::union_runtime::Key<'_>> {
        ::core::option::Option::None
    }
}
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::spec::UnionType for Omitted {
    ::union_runtime::__private::reset!(self(0, 0) alpha[]);
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        use ::union_runtime::__private::member;
        const UNIONS: [::union_runtime::UnionSpec<'static>; 1] = ::union_runtime::__private::union(
            member(
                ::union_runtime::__private::discriminator(
                    "kind",
                    <Kind as ::union_runtime::Discriminator>::FACTS,
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
    ) -> ::core::option::Option<::union_runtime::State<'_>> {
        ::union_runtime::__private::state(
            self,
            __union,
            (&self.alpha, [false; 0]),
            <Kind as ::union_runtime::Discriminator>::selected_or(
                &self.kind,
                || <Kind as ::core::default::Default>::default(),
            ),
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
            <Kind as ::union_runtime::Discriminator>::selected(
                    &<Kind as ::core::default::Default>::default(),
                )
                .known()
                .and_then(|__value| {
                    <Kind as ::union_runtime::Discriminator>::FACTS.values().get(__value)
                }),
        );
    }
}
const _: () = {
    use ::union_runtime::__private::ProbeDefaults as _;
    #[allow(deprecated, reason = "a derive does not use the type")]
    type Derived = Omitted;
    <::union_runtime::__private::Probe<Derived>>::SCHEMA_WITHOUT_UNION
};
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::UnionEnum for Job {
    const FORM: &'static ::union_runtime::__private::EnumForm = &::union_runtime::__private::EnumForm {
        name: "Job",
        fields: &["type", "plain", "target"],
        discriminator: ::core::option::Option::Some("type"),
        values: &["Plain", "Target"],
        docs: &["", ""],
        members: &[
            ::union_runtime::MemberSpec::new("plain", "Plain", 0, false),
            ::union_runtime::MemberSpec::new("target", "Target", 1, true),
        ],
        has_empty_variant: true,
        is_strict: true,
        ..::union_runtime::__private::EnumForm::EMPTY
    };
    #[inline]
    fn current_variant(&self) -> ::union_runtime::__private::CurrentVariant<'_> {
        let (__union_variant, __union_is_set) = match self {
            Self::Nothing => (2, false),
            Self::Plain(_) => (0, true),
            Self::Target(__union_member) => {
                (1, ::core::option::Option::is_some(__union_member))
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
            2 => ::core::result::Result::Ok(Self::Nothing),
            0 => {
                <Plain as ::union_runtime::__private::EnumMember>::read(
                    __union_member,
                    Self::Plain,
                )
            }
            _ => {
                <Target as ::union_runtime::__private::EnumMember>::read_optional(
                    __union_member,
                    Self::Target,
                )
            }
        }
    }
}
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl ::union_runtime::__private::serde::Serialize for Job {
    fn serialize<__UnionSerializer: ::union_runtime::__private::serde::Serializer>(
        &self,
        __union_serializer: __UnionSerializer,
    ) -> ::core::result::Result<__UnionSerializer::Ok, __UnionSerializer::Error> {
        match self {
            Self::Nothing => {
                <() as ::union_runtime::__private::EnumMember>::serialize_variant(
                    ["", "Nothing", ""],
                    ::core::option::Option::None,
                    __union_serializer,
                )
            }
            Self::Plain(__union_member) => {
                <Plain as ::union_runtime::__private::EnumMember>::serialize_variant(
                    ["type", "Plain", "plain"],
                    ::core::option::Option::Some(__union_member),
                    __union_serializer,
                )
            }
            Self::Target(__union_member) => {
                <Target as ::union_runtime::__private::EnumMember>::serialize_variant(
                    ["type", "Target", "target"],
                    ::core::option::Option::as_ref(__union_member),
                    __union_serializer,
                )
            }
        }
    }
}
#[automatically_derived]
#[allow(deprecated, reason = "a derive does not use the type")]
impl<'de> ::union_runtime::__private::serde::Deserialize<'de> for Job {
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
impl ::union_runtime::spec::UnionType for Job {
    const AS_ENUM: ::core::option::Option<
        &'static ::union_runtime::__private::EnumForm,
    > = ::core::option::Option::Some(<Self as ::union_runtime::UnionEnum>::FORM);
    #[inline]
    fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
        use ::union_runtime::__private::ProbeDefaults as _;
        let _ = <::union_runtime::__private::Probe<Target>>::require_mark;
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
            Self::Target(__union_member) => {
                ::union_runtime::__private::Probe::from_value(__union_member)
                    .walk_values(
                        __union_member,
                        |__union_old| match __union_old {
                            Self::Target(__union_old) => {
                                ::core::option::Option::Some(__union_old)
                            }
                            _ => ::core::option::Option::None,
                        },
                        |__union_name, __union_old| {
                            <Target as ::union_runtime::__private::EnumMember>::from_old(
                                    __union_name,
                                    __union_old,
                                )
                                .map(::core::option::Option::Some)
                        },
                        "target",
                        __union_on,
                    )
            }
            _ => true,
        }
    }
}
#[allow(deprecated, reason = "a derive does not use the type")]
const _: () = {
    use ::union_runtime::__private::ProbeDefaults as _;
    ::union_runtime::__private::reject_if(
        true && !<::union_runtime::__private::Probe<Plain>>::HAS_UNIONS,
        "`not_nested` has no effect, because this type has no unions; remove `not_nested`",
    )
};

//! The impls that are generated after an error, so that code that uses the traits causes no further
//! errors.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Path, parse_quote};

use crate::attr::schemars::SchemarsAttrs;
use crate::attr::{EnumAttrs, StructAttrs, UnionEnumAttrs};
use crate::errors::Errors;
use crate::expand::{hook_probe, impl_attributes};
use crate::model::{DeferredHookCheck, union_runtime};

/// Returns the tokens of the errors, of impls without unions and keys, and of the check for a
/// missing schema hook.
pub(crate) fn union(
    input: &DeriveInput,
    hook_check: &DeferredHookCheck,
    errors: Option<syn::Error>,
) -> TokenStream {
    let errors = errors.map(|errors| errors.to_compile_error());
    let krate = runtime_path(input, "union");
    let union_impl = empty_union_impl(input, &krate);
    let keyed_impl = empty_keyed_impl(input, &krate);
    let hook_impl = has_hook(input, "add_enum").then(|| open_enum_type_impl(input, &krate));
    let probe = hook_probe::expand(hook_check, &krate, &input.ident);
    quote!(#errors #union_impl #keyed_impl #hook_impl #probe)
}

/// Returns the tokens of the errors, of an enum type that accepts any value, and of the check for a
/// missing schema hook. Because any value is accepted, unions with this discriminator cause no
/// further errors.
pub(crate) fn enum_type(
    input: &DeriveInput,
    hook_check: &DeferredHookCheck,
    errors: Option<syn::Error>,
) -> TokenStream {
    let errors = errors.map(|errors| errors.to_compile_error());
    let krate = runtime_path(input, "enum_type");
    let enum_type_impl = open_enum_type_impl(input, &krate);
    let hook_impl = has_hook(input, "add_unions").then(|| empty_union_impl(input, &krate));
    let probe = hook_probe::expand(hook_check, &krate, &input.ident);
    quote!(#errors #enum_type_impl #hook_impl #probe)
}

/// Returns the tokens of the errors, and an impl of every trait that the derive implements. For a
/// struct, only `UnionType` is implemented, because the struct may have serde's derives already.
pub(crate) fn union_enum(input: &DeriveInput, errors: Option<syn::Error>) -> TokenStream {
    let errors = errors.map(|errors| errors.to_compile_error());
    let ignored_errors = Errors::default();
    let attrs = UnionEnumAttrs::from_syn(&input.attrs, &ignored_errors);
    let has_schema = attrs.schema.is_none_or(|schema| schema.value);
    let krate = attrs.krate.unwrap_or_else(union_runtime);
    let union_impl = empty_union_impl(input, &krate);
    let is_enum = matches!(input.data, Data::Enum(_));
    let union_enum_impl = is_enum.then(|| empty_union_enum_impl(input, &krate));
    let serde_impls = is_enum.then(|| unreachable_serde_impls(input, &krate));
    let schema_impl = (is_enum && has_schema).then(|| unreachable_schema_impl(input, &krate));
    quote!(#errors #union_impl #union_enum_impl #serde_impls #schema_impl)
}

/// Returns true if the type has the schema hook `function` of another derive. The hook is reported
/// as an error. The trait that it needs is implemented too, so that rustc reports no second error.
fn has_hook(input: &DeriveInput, function: &str) -> bool {
    let hooks = SchemarsAttrs::from_syn(&input.attrs).hooks;
    hooks.iter().any(|hook| hook.function == function)
}

/// Returns the tokens of an impl of the trait for the type, with these items.
fn implement(input: &DeriveInput, trait_path: &TokenStream, items: &TokenStream) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let attributes = impl_attributes();
    quote! {
        #attributes
        impl #impl_generics #trait_path for #ident #ty_generics #where_clause {
            #items
        }
    }
}

/// Returns the tokens of an impl of `UnionType` without unions.
fn empty_union_impl(input: &DeriveInput, krate: &Path) -> TokenStream {
    let items = quote! {
        fn unions() -> &'static [#krate::UnionSpec<'static>] {
            &[]
        }
        fn union_state(&self, _: ::core::primitive::usize) -> ::core::option::Option<#krate::State<'_>> {
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
    };
    implement(input, &quote!(#krate::spec::UnionType), &items)
}

/// Returns the tokens of an impl of `Keyed` without keys, so that a list of the structs causes no
/// errors about keys.
fn empty_keyed_impl(input: &DeriveInput, krate: &Path) -> TokenStream {
    let items = quote! {
        const KEYS: &'static [&'static ::core::primitive::str] = &[];
        fn key(&self, _: ::core::primitive::usize) -> ::core::option::Option<#krate::Key<'_>> {
            ::core::option::Option::None
        }
    };
    implement(input, &quote!(#krate::Keyed), &items)
}

/// Returns the tokens of an impl of `EnumType` that accepts any value.
fn open_enum_type_impl(input: &DeriveInput, krate: &Path) -> TokenStream {
    let items = quote! {
        const VALUES: &'static [&'static ::core::primitive::str] = &[];
        const DOCS: &'static [&'static ::core::primitive::str] = &[];
        const KEEPS_UNKNOWN: ::core::primitive::bool = true;
        fn value(&self) -> #krate::EnumValue<'_> {
            ::core::unreachable!()
        }
        fn from_index(_: ::core::primitive::usize) -> ::core::option::Option<Self> {
            ::core::option::Option::None
        }
    };
    implement(input, &quote!(#krate::EnumType), &items)
}

/// Returns the tokens of an impl of `UnionEnum` without variants.
fn empty_union_enum_impl(input: &DeriveInput, krate: &Path) -> TokenStream {
    let items = quote! {
        const FORM: &'static #krate::__private::EnumForm = &#krate::__private::EnumForm::EMPTY;
        fn current_variant(&self) -> #krate::__private::CurrentVariant<'_> {
            ::core::unreachable!()
        }
        fn read_variant(
            _: ::core::primitive::usize,
            _: #krate::__private::FieldValue<'_>,
        ) -> #krate::__private::serde_json::Result<Self> {
            ::core::unreachable!()
        }
    };
    implement(input, &quote!(#krate::UnionEnum), &items)
}

/// Returns the tokens of impls of `Serialize` and `Deserialize` that are never called.
fn unreachable_serde_impls(input: &DeriveInput, krate: &Path) -> TokenStream {
    let ident = &input.ident;
    let (_, ty_generics, where_clause) = input.generics.split_for_impl();
    let mut deserialize_generics = input.generics.clone();
    deserialize_generics
        .params
        .insert(0, parse_quote!('__union_de));
    let (deserialize_generics, _, _) = deserialize_generics.split_for_impl();
    let attributes = impl_attributes();
    let serde = quote!(#krate::__private::serde);
    let items = quote! {
        fn serialize<__UnionSerializer: #serde::Serializer>(
            &self,
            _: __UnionSerializer,
        ) -> ::core::result::Result<__UnionSerializer::Ok, __UnionSerializer::Error> {
            ::core::unreachable!()
        }
    };
    let serialize = implement(input, &quote!(#serde::Serialize), &items);
    quote! {
        #serialize
        #attributes
        impl #deserialize_generics #serde::Deserialize<'__union_de> for #ident #ty_generics #where_clause {
            fn deserialize<__UnionDeserializer: #serde::Deserializer<'__union_de>>(
                _: __UnionDeserializer,
            ) -> ::core::result::Result<Self, __UnionDeserializer::Error> {
                ::core::unreachable!()
            }
        }
    }
}

/// Returns the tokens of an impl of `JsonSchema` that is never called.
fn unreachable_schema_impl(input: &DeriveInput, krate: &Path) -> TokenStream {
    let schemars = quote!(#krate::__private::schemars);
    let items = quote! {
        fn schema_name() -> #krate::__private::Cow<'static, ::core::primitive::str> {
            #krate::__private::Cow::Borrowed("")
        }
        fn json_schema(_: &mut #schemars::SchemaGenerator) -> #schemars::Schema {
            ::core::unreachable!()
        }
    };
    let schema = implement(input, &quote!(#schemars::JsonSchema), &items);
    quote!(#krate::__private::if_schema! { #schema })
}

/// Returns the path in `crate = path`, or the default path. Errors in the attributes are ignored,
/// because they have been reported.
fn runtime_path(input: &DeriveInput, attr: &str) -> Path {
    let ignored_errors = Errors::default();
    let krate = if attr == "union" {
        StructAttrs::from_syn(&input.attrs, &ignored_errors).krate
    } else {
        EnumAttrs::from_syn(&input.attrs, &ignored_errors).krate
    };
    krate.unwrap_or_else(union_runtime)
}

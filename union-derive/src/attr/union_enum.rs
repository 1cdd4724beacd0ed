//! The grammar of `#[union(...)]` on an enum and its variants.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::parse::Parse;
use syn::{Attribute, LitStr};

use super::rename_rule::RenameRule;
use super::{
    ContainerAttrs, ENUM_FORM, ENUM_FORM_VARIANT, EnforceAttr, ShapeAttr, enforce, key_span,
    no_value, read, read_value, same_reason, shape,
};
use crate::diag::Diag;

/// The attributes of an enum that is a union.
#[derive(Default)]
pub(crate) struct UnionEnumAttrs {
    /// `discriminator = "type"`
    pub(crate) discriminator: Option<TextAttr>,
    /// `undiscriminated`
    pub(crate) undiscriminated: Option<Span>,
    /// `strict`
    pub(crate) strict: Option<Span>,
    /// `values = "SCREAMING_SNAKE_CASE"`
    pub(crate) values: Option<RuleAttr>,
    /// `fields = "camelCase"`
    pub(crate) fields: Option<RuleAttr>,
    /// `shape = "2022"`
    pub(crate) shape: Option<ShapeAttr>,
    /// `enforce = "cel"`
    pub(crate) enforce: Option<EnforceAttr>,
    /// `ratchet = "same_reason"`
    pub(crate) ratchet: Option<Span>,
}

/// The attributes of one of its variants.
#[derive(Default)]
pub(crate) struct UnionVariantAttrs {
    /// `member = "VALUE"`
    pub(crate) member: Option<TextAttr>,
    /// `field = "name"`
    pub(crate) field: Option<TextAttr>,
    /// `nested`
    pub(crate) nested: Option<Span>,
    /// `open`
    pub(crate) open: Option<Span>,
    /// `default`
    pub(crate) default: Option<Span>,
    /// `absent`
    pub(crate) absent: Option<Span>,
    /// `other`
    pub(crate) other: Option<Span>,
}

/// A rule for names, and where it stands.
pub(crate) struct RuleAttr {
    pub(crate) span: Span,
    pub(crate) rule: RenameRule,
}

/// A text, and where its name stands.
pub(crate) struct TextAttr {
    pub(crate) span: Span,
    pub(crate) value: LitStr,
}

impl ContainerAttrs {
    /// Reads `#[union(...)]` of an enum.
    pub(crate) fn of_union_enum(attrs: &[Attribute], diag: &Diag) -> (Self, UnionEnumAttrs) {
        let mut found = Self::default();
        let mut of_enum = UnionEnumAttrs::default();
        read(attrs, &ENUM_FORM, &ENUM_FORM_VARIANT, diag, |key, meta| {
            let span = key_span(meta);
            match key {
                "discriminator" => {
                    let remedy = "name the field that says which variant it is; write `discriminator = \"type\"`";
                    of_enum.discriminator = Some(text(meta, remedy)?);
                }
                "undiscriminated" => {
                    of_enum.undiscriminated = Some(span);
                    return no_value(meta, key);
                }
                "strict" => {
                    of_enum.strict = Some(span);
                    return no_value(meta, key);
                }
                "values" => of_enum.values = Some(rule(meta)?),
                "fields" => of_enum.fields = Some(rule(meta)?),
                "shape" => {
                    let value = shape(meta)?;
                    of_enum.shape = Some(ShapeAttr { span, value });
                }
                "enforce" => {
                    let value = enforce(meta)?;
                    of_enum.enforce = Some(EnforceAttr { span, value });
                }
                "ratchet" => {
                    same_reason(meta)?;
                    of_enum.ratchet = Some(span);
                }
                _ => return found.read_one(key, meta),
            }
            Ok(())
        });
        (found, of_enum)
    }
}

impl UnionVariantAttrs {
    /// Reads `#[union(...)]` of a variant.
    pub(crate) fn from_syn(attrs: &[Attribute], diag: &Diag) -> Self {
        let mut found = Self::default();
        read(attrs, &ENUM_FORM_VARIANT, &ENUM_FORM, diag, |key, meta| {
            found.read_one(key, meta)
        });
        found
    }

    fn read_one(&mut self, key: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let word = match key {
            "member" => {
                let remedy = "a discriminator value is a string; write `member = \"VALUE\"`";
                self.member = Some(text(meta, remedy)?);
                return Ok(());
            }
            "field" => {
                let remedy = "a field's name is a string; write `field = \"name\"`";
                self.field = Some(text(meta, remedy)?);
                return Ok(());
            }
            "nested" => &mut self.nested,
            "open" => &mut self.open,
            "default" => &mut self.default,
            "absent" => &mut self.absent,
            _ => &mut self.other,
        };
        *word = Some(key_span(meta));
        no_value(meta, key)
    }
}

fn text(meta: &ParseNestedMeta<'_>, remedy: &str) -> syn::Result<TextAttr> {
    let span = key_span(meta);
    let value = read_value(meta, <LitStr as Parse>::parse, remedy)?;
    Ok(TextAttr { span, value })
}

fn rule(meta: &ParseNestedMeta<'_>) -> syn::Result<RuleAttr> {
    let span = key_span(meta);
    let remedy = format!("write one of: {}", RenameRule::listed());
    let value = read_value(meta, <LitStr as Parse>::parse, &remedy)?;
    let rule = RenameRule::from_text(&value.value());
    let rule = rule.ok_or_else(|| syn::Error::new(value.span(), remedy))?;
    Ok(RuleAttr { span, rule })
}

//! Reads the attributes of schemars. They are the schema hook,
//! `#[schemars(transform = union_runtime::add_unions::<T>)]`, and the attributes that make the
//! schema differ from serde's output.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::{Attribute, GenericArgument, LitStr, Meta, Path, PathArguments, Type, TypePath};

/// The `#[schemars(...)]` attributes of a type, a field or a variant.
pub(crate) struct SchemarsAttrs {
    /// True if there is a `#[schemars]` attribute.
    pub(crate) is_present: bool,
    /// The schema hooks, which are transforms by functions of the runtime.
    pub(crate) hooks: Vec<SchemaHook>,
    /// The names of the attributes other than `transform` and `extend`.
    pub(crate) keys: Vec<Ident>,
    /// The values of `extend("enum" = [...])` and their span, if all values are literals.
    pub(crate) enum_values: Option<(Vec<String>, Span)>,
}

/// A schema hook: `transform = path::to::add_unions::<T>`.
pub(crate) struct SchemaHook {
    pub(crate) function: String,
    /// The type `T`, if it is the only generic argument.
    pub(crate) argument: Option<Type>,
    /// True if the path has no `::<...>`. rustc then reports the error, with a suggestion.
    pub(crate) lacks_arguments: bool,
    pub(crate) span: Span,
}

impl SchemarsAttrs {
    pub(crate) fn from_syn(attrs: &[Attribute]) -> Self {
        let mut result = Self {
            is_present: false,
            hooks: Vec::new(),
            keys: Vec::new(),
            enum_values: None,
        };
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("schemars")) {
            result.is_present = true;
            if let Meta::List(list) = &attr.meta {
                result.read_items(list.tokens.clone());
            }
        }
        result
    }

    /// Reads the comma-separated items in `#[schemars(...)]`.
    fn read_items(&mut self, tokens: TokenStream) {
        for item in split_at_commas(tokens) {
            self.read_item(&item);
        }
    }

    /// Reads an item: a schema hook, the `enum` in `extend(...)`, or another attribute.
    fn read_item(&mut self, item: &[TokenTree]) {
        match item {
            // An invisible group around a macro fragment.
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
                self.read_items(group.stream());
            }
            [TokenTree::Ident(key), TokenTree::Punct(_), value @ ..] if key == "transform" => {
                self.hooks.extend(SchemaHook::from_tokens(value));
            }
            [TokenTree::Ident(key), TokenTree::Group(group)] if key == "extend" => {
                for entry in split_at_commas(without_invisible_groups(group.stream())) {
                    if let [
                        TokenTree::Literal(key),
                        TokenTree::Punct(_),
                        TokenTree::Group(values),
                    ] = &entry[..]
                        && key.to_string() == "\"enum\""
                    {
                        self.enum_values = string_literals(values.stream())
                            .map(|strings| (strings, values.span()));
                    }
                }
            }
            [TokenTree::Ident(key), ..] => self.keys.push(key.clone()),
            _ => {}
        }
    }
}

impl SchemaHook {
    /// Reads a hook. Returns `None` for a transform by another function.
    fn from_tokens(tokens: &[TokenTree]) -> Option<Self> {
        if let [
            ..,
            TokenTree::Ident(function),
            TokenTree::Punct(_),
            TokenTree::Punct(_),
            TokenTree::Punct(angle_bracket),
            TokenTree::Ident(argument),
            TokenTree::Punct(_),
        ] = tokens
            && angle_bracket.as_char() == '<'
        {
            return Self::from_ident(function, argument);
        }
        let path = parse_path(tokens)?;
        let segment = path.segments.last()?;
        Some(Self {
            function: hook_function(&segment.ident)?,
            argument: only_type_argument(&segment.arguments),
            lacks_arguments: segment.arguments.is_none(),
            span: segment.ident.span(),
        })
    }

    /// Returns the hook for `add_unions::<T>`. This form is the most frequent, so it is read
    /// without the parser of `syn`, which is slower.
    fn from_ident(ident: &Ident, argument: &Ident) -> Option<Self> {
        let path = Path::from(argument.clone());
        Some(Self {
            span: ident.span(),
            argument: Some(Type::Path(TypePath {
                attrs: Vec::new(),
                qself: None,
                path,
            })),
            lacks_arguments: false,
            function: hook_function(ident)?,
        })
    }
}

/// Returns the name of a function if it is a schema hook of the runtime.
fn hook_function(ident: &Ident) -> Option<String> {
    let function = ident.to_string();
    (function == "add_unions" || function == "add_enum").then_some(function)
}

/// Parses a path, which may be in a string literal. schemars itself reports that the string is an
/// error.
fn parse_path(tokens: &[TokenTree]) -> Option<Path> {
    let may_be_string = matches!(
        tokens.first(),
        Some(TokenTree::Literal(_) | TokenTree::Group(_))
    );
    let tokens: TokenStream = tokens.iter().cloned().collect();
    if may_be_string && let Ok(string) = syn::parse2::<LitStr>(tokens.clone()) {
        return string.parse().ok();
    }
    syn::parse2(tokens).ok()
}

/// Returns the generic argument of a path segment, if it is a type and the only argument.
fn only_type_argument(arguments: &PathArguments) -> Option<Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return None;
    };
    let mut types = arguments.args.iter();
    match (types.next(), types.next()) {
        (Some(GenericArgument::Type(ty)), None) => Some(ty.clone()),
        _ => None,
    }
}

/// Returns the tokens without the invisible groups around macro fragments.
fn without_invisible_groups(tokens: TokenStream) -> TokenStream {
    let mut result = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                result.extend(without_invisible_groups(group.stream()));
            }
            TokenTree::Group(group) => {
                let stream = without_invisible_groups(group.stream());
                let mut visible_group = Group::new(group.delimiter(), stream);
                visible_group.set_span(group.span());
                result.extend([TokenTree::Group(visible_group)]);
            }
            token => result.extend([token]),
        }
    }
    result
}

/// Splits tokens at commas, except commas in brackets and in `<...>`.
fn split_at_commas(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut items = vec![Vec::new()];
    let mut depth = 0_usize;
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' => depth = depth.saturating_sub(1),
            TokenTree::Punct(punct) if punct.as_char() == ',' && depth == 0 => {
                items.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(item) = items.last_mut() {
            item.push(token);
        }
    }
    items
}

/// Returns the strings in `"A", "B"`, and skips null. Returns `None` if an entry is neither a
/// string literal nor null.
fn string_literals(tokens: TokenStream) -> Option<Vec<String>> {
    let mut strings = Vec::new();
    for item in split_at_commas(tokens) {
        match &item[..] {
            [] => {}
            [TokenTree::Ident(null)] if null == "null" => {}
            [literal @ TokenTree::Literal(_)] => {
                let string: LitStr = syn::parse2(literal.clone().into()).ok()?;
                strings.push(string.value());
            }
            _ => return None,
        }
    }
    Some(strings)
}

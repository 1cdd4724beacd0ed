//! Reads the attributes of schemars: the schema hook,
//! `#[schemars(transform = union_runtime::add_unions::<T>)]`, and the attributes that make the
//! schema differ from serde's output.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::parse::Parser as _;
use syn::{Attribute, GenericArgument, LitStr, Meta, Path, PathArguments, Type, TypePath};

/// The attributes of schemars on a type, a field or a variant.
pub(crate) struct Schemars {
    /// True if there is a `#[schemars(...)]`.
    pub(crate) is_there: bool,
    /// The hooks for this crate's functions.
    pub(crate) hooks: Vec<Hook>,
    /// The names of all other attributes.
    pub(crate) keys: Vec<Ident>,
    /// `extend("enum" = [...])` with literals: the values and their span.
    pub(crate) listed: Option<(Vec<String>, Span)>,
}

/// `transform = path::to::add_unions::<T>`
pub(crate) struct Hook {
    pub(crate) function: String,
    /// `T`, if it is the only argument.
    pub(crate) argument: Option<Type>,
    /// True if there is no `::<...>`: rustc reports the error, with a suggestion.
    pub(crate) is_bare: bool,
    pub(crate) span: Span,
}

impl Schemars {
    pub(crate) fn from_syn(attrs: &[Attribute]) -> Self {
        let mut found = Self {
            is_there: false,
            hooks: Vec::new(),
            keys: Vec::new(),
            listed: None,
        };
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("schemars")) {
            found.is_there = true;
            if let Meta::List(list) = &attr.meta {
                found.read_all(list.tokens.clone());
            }
        }
        found
    }

    fn read_all(&mut self, tokens: TokenStream) {
        for item in split(tokens) {
            self.read(&item);
        }
    }

    fn read(&mut self, item: &[TokenTree]) {
        match item {
            // A fragment of a macro.
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
                self.read_all(group.stream());
            }
            [TokenTree::Ident(key), TokenTree::Punct(_), value @ ..] if key == "transform" => {
                self.hooks.extend(Hook::from_tokens(value));
            }
            [TokenTree::Ident(key), TokenTree::Group(group)] if key == "extend" => {
                for entry in split(visible(group.stream())) {
                    if let [
                        TokenTree::Literal(key),
                        TokenTree::Punct(_),
                        TokenTree::Group(values),
                    ] = &entry[..]
                        && key.to_string() == "\"enum\""
                    {
                        self.listed = literals(values.stream()).map(|found| (found, values.span()));
                    }
                }
            }
            [TokenTree::Ident(key), ..] => self.keys.push(key.clone()),
            _ => {}
        }
    }
}

impl Hook {
    /// Reads a hook; returns `None` for a transform that is not one of this crate's functions.
    fn from_tokens(tokens: &[TokenTree]) -> Option<Self> {
        if let [
            ..,
            TokenTree::Ident(function),
            TokenTree::Punct(_),
            TokenTree::Punct(_),
            TokenTree::Punct(open),
            TokenTree::Ident(argument),
            TokenTree::Punct(_),
        ] = tokens
            && open.as_char() == '<'
        {
            return Self::of_ident(function, argument);
        }
        let path = parse_path(tokens)?;
        let last = path.segments.last()?;
        let function = function(&last.ident)?;
        Some(Self {
            span: last.ident.span(),
            argument: argument(&last.arguments),
            is_bare: last.arguments.is_none(),
            function,
        })
    }

    /// Returns the hook `add_unions::<T>`, which is most frequent, without parsing by syn.
    fn of_ident(ident: &Ident, argument: &Ident) -> Option<Self> {
        let path = Path::from(argument.clone());
        Some(Self {
            span: ident.span(),
            argument: Some(Type::Path(TypePath {
                attrs: Vec::new(),
                qself: None,
                path,
            })),
            is_bare: false,
            function: function(ident)?,
        })
    }
}

/// Returns the name of the function, if it is one of this crate's functions.
fn function(ident: &Ident) -> Option<String> {
    let function = ident.to_string();
    (function == "add_unions" || function == "add_enum").then_some(function)
}

/// Parses a path, also in a string: schemars rejects a string with a message of its own.
fn parse_path(tokens: &[TokenTree]) -> Option<Path> {
    let may_be_text = matches!(
        tokens.first(),
        Some(TokenTree::Literal(_) | TokenTree::Group(_))
    );
    let tokens: TokenStream = tokens.iter().cloned().collect();
    if may_be_text && let Ok(text) = syn::parse2::<LitStr>(tokens.clone()) {
        return text.parse_with(path).ok();
    }
    path.parse2(tokens).ok()
}

fn path(input: syn::parse::ParseStream<'_>) -> syn::Result<Path> {
    input.parse()
}

fn argument(arguments: &PathArguments) -> Option<Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return None;
    };
    let mut types = arguments.args.iter();
    match (types.next(), types.next()) {
        (Some(GenericArgument::Type(ty)), None) => Some(ty.clone()),
        _ => None,
    }
}

/// Returns the tokens without invisible groups, which surround a fragment that is passed to a
/// macro.
fn visible(tokens: TokenStream) -> TokenStream {
    let mut seen = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                seen.extend(visible(group.stream()));
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), visible(group.stream()));
                inner.set_span(group.span());
                seen.extend([TokenTree::Group(inner)]);
            }
            token => seen.extend([token]),
        }
    }
    seen
}

/// Splits tokens at the commas outside of brackets and `<...>`.
fn split(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
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

/// Returns the strings of `["A", "B"]`; `None` if there are other values than literal strings and
/// null.
fn literals(tokens: TokenStream) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for item in split(tokens) {
        match &item[..] {
            [] => {}
            [TokenTree::Ident(null)] if null == "null" => {}
            [literal @ TokenTree::Literal(_)] => {
                let text: LitStr = syn::parse2(literal.clone().into()).ok()?;
                found.push(text.value());
            }
            _ => return None,
        }
    }
    Some(found)
}

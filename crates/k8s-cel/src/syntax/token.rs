//! Tokens, and their kinds in the order of the server's grammar.

/// A token: its kind, and its byte range in the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Token {
    /// Returns the source of the token.
    pub(super) fn lexeme(self, source: &str) -> &str {
        let lexeme = source.get(self.start as usize..self.end as usize);
        lexeme.unwrap_or_default()
    }
}

/// Declares the kinds of tokens, with the names that messages use: the lexeme in quotes for
/// punctuation and keywords, or the token's name in the grammar.
macro_rules! token_kinds {
    ($($kind:ident $name:literal,)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum TokenKind {
            $($kind,)+
        }

        impl TokenKind {
            pub(super) const ALL: &'static [Self] = &[$(Self::$kind,)+];

            /// Returns the name in messages.
            pub(super) const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)+
                }
            }
        }
    };
}

token_kinds! {
    End "<EOF>",
    Equal "'=='",
    NotEqual "'!='",
    In "'in'",
    Less "'<'",
    LessEqual "'<='",
    GreaterEqual "'>='",
    Greater "'>'",
    And "'&&'",
    Or "'||'",
    OpenBracket "'['",
    CloseBracket "']'",
    OpenBrace "'{'",
    CloseBrace "'}'",
    OpenParen "'('",
    CloseParen "')'",
    Dot "'.'",
    Comma "','",
    Minus "'-'",
    Not "'!'",
    Question "'?'",
    Colon "':'",
    Plus "'+'",
    Times "'*'",
    Divide "'/'",
    Modulo "'%'",
    True "'true'",
    False "'false'",
    Null "'null'",
    Double "NUM_FLOAT",
    Int "NUM_INT",
    Uint "NUM_UINT",
    String "STRING",
    Bytes "BYTES",
    Ident "IDENTIFIER",
    EscapedIdent "ESC_IDENTIFIER",
}

/// A set of kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TokenSet(u64);

impl TokenSet {
    pub(super) const fn from_kind(kind: TokenKind) -> Self {
        Self(1 << kind as u8)
    }

    pub(super) const fn empty() -> Self {
        Self(0)
    }

    pub(super) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn contains(self, kind: TokenKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    pub(super) const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the only kind of the set, or `None` if the set has several kinds or none.
    pub(super) fn single_kind(self) -> Option<TokenKind> {
        let mut kinds = TokenKind::ALL.iter().filter(|kind| self.contains(**kind));
        let first = kinds.next()?;
        kinds.next().is_none().then_some(*first)
    }
}

/// Prints the kinds as messages list them.
impl core::fmt::Display for TokenSet {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if let Some(kind) = self.single_kind() {
            return f.write_str(kind.name());
        }
        let names: Vec<_> = TokenKind::ALL
            .iter()
            .filter(|kind| self.contains(**kind))
            .map(|kind| kind.name())
            .collect();
        write!(f, "{{{}}}", names.join(", "))
    }
}

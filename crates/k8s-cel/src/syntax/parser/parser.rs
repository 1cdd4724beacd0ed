//! The parser: conditionals, and operators by precedence.

use crate::syntax::lexer::Tokens;
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::{Ast, SourceError, SourceErrors, error_recovery, lexer, literal};
use crate::types::feature::{Feature, RuleVersions};
use crate::types::version::KubeVersion;

/// The maximum number of Unicode code points of an expression.
const MAX_SOURCE_LENGTH: usize = 100_000;

/// The maximum nesting of expressions. Each level uses several stack frames.
const MAX_NESTING: u16 = 64;

/// Parses an expression and expands its macros, as a server of the version does.
///
/// # Errors
///
/// Returns an error with all syntax errors if the source is not an expression.
pub fn parse(source: &str, version: KubeVersion) -> Result<Ast, SourceErrors> {
    parse_rule(source, RuleVersions::of_stored_rules(version))
}

/// Parses a rule and expands its macros.
pub(crate) fn parse_rule(source: &str, version: RuleVersions) -> Result<Ast, SourceErrors> {
    parse_tree(source, version).map_err(|errors| SourceErrors::new(source, errors))
}

/// Parses a rule like [`parse_rule`]. The errors do not include the source.
fn parse_tree(source: &str, version: RuleVersions) -> Result<Ast, Vec<SourceError>> {
    let length = source.chars().count();
    if length > MAX_SOURCE_LENGTH {
        let message = format!(
            "expression code point size exceeds limit: size: {length}, limit {MAX_SOURCE_LENGTH}"
        );
        return Err(vec![SourceError::new(0, message)]);
    }
    let mut errors = Vec::new();
    let tokens = lexer::tokenize(source, &mut errors);
    let mut parser = Parser::new(source, &tokens.tokens, version);
    let parsed = parser.parse_to_end();
    match parsed {
        Ok(ast) if errors.is_empty() && parser.errors.is_empty() => return Ok(ast),
        Ok(_) => errors.append(&mut parser.errors),
        Err(ParseError::Source(error)) => {
            errors.append(&mut parser.errors);
            errors.push(error);
        }
        Err(ParseError::Syntax) => errors.extend(syntax_errors(&tokens, parser)),
    }
    Err(errors)
}

/// Returns the errors of tokens that are not an expression. The server creates a tree in spite of
/// syntax errors, and also reports the errors of this tree: of the whole tree if recovery only
/// deleted tokens; otherwise of the part before the first syntax error, and of the later literals.
fn syntax_errors(tokens: &Tokens, parser: Parser<'_>) -> Vec<SourceError> {
    let Parser {
        source,
        version,
        position,
        mut errors,
        ..
    } = parser;
    let mut diagnosis = error_recovery::diagnose(source, tokens, version);
    if diagnosis.only_deleted {
        let matched = diagnosis.matched.iter();
        let matched: Vec<Token> = matched
            .filter_map(|index| tokens.tokens.get(*index).copied())
            .collect();
        let mut parser = Parser::new(source, &matched, version);
        // The matched tokens are an expression, but the tree may exceed a limit.
        if let Err(ParseError::Source(error)) = parser.parse_to_end() {
            parser.errors.push(error);
        }
        errors = parser.errors;
    } else {
        let later_indices = diagnosis.matched.iter().filter(|index| **index >= position);
        let literals = later_indices.filter_map(|index| {
            let token = tokens.tokens.get(*index)?;
            let message = literal::parse_literal(token.kind, token.lexeme(source))?.err()?;
            Some(SourceError::new(token.start, message))
        });
        errors.extend(literals);
    }
    // The diagnosis reports backquoted identifiers itself.
    errors.retain(|error| !error.message.starts_with("unsupported syntax:"));
    errors.append(&mut diagnosis.errors);
    if errors.is_empty() {
        let last = tokens.tokens.get(position).map_or(0, |token| token.start);
        errors.push(SourceError::new(last, "Syntax error"));
    }
    errors
}

/// The reason why parsing failed.
pub(super) enum ParseError {
    /// The tokens are not an expression.
    Syntax,
    Source(SourceError),
}

impl From<SourceError> for ParseError {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

/// The next token if the list of tokens is empty.
static END_TOKEN: Token = Token {
    kind: TokenKind::End,
    start: 0,
    end: 0,
};

/// A parser, which creates a syntax tree.
pub(super) struct Parser<'t> {
    pub(super) source: &'t str,
    pub(super) tokens: &'t [Token],
    pub(super) position: usize,
    /// The number of expressions that are not complete.
    nesting: u16,
    pub(super) version: RuleVersions,
    /// The errors of the parsed part of the expression, such as invalid literals.
    pub(super) errors: Vec<SourceError>,
}

impl<'t> Parser<'t> {
    const fn new(source: &'t str, tokens: &'t [Token], version: RuleVersions) -> Self {
        Self {
            source,
            tokens,
            position: 0,
            nesting: 0,
            version,
            errors: Vec::new(),
        }
    }
}

impl Parser<'_> {
    fn parse_to_end(&mut self) -> Result<Ast, ParseError> {
        let ast = self.parse_expression()?;
        self.expect(TokenKind::End)?;
        Ok(ast)
    }

    fn next_token(&self) -> &Token {
        let last = || self.tokens.last();
        self.tokens
            .get(self.position)
            .or_else(last)
            .unwrap_or(&END_TOKEN)
    }

    pub(super) fn next_kind(&self) -> TokenKind {
        self.next_token().kind
    }

    pub(super) fn offset(&self) -> u32 {
        self.next_token().start
    }

    /// Returns the source of the next token.
    pub(super) fn lexeme(&self) -> &str {
        self.next_token().lexeme(self.source)
    }

    /// Consumes a token if it has the kind, and returns its offset.
    pub(super) fn eat(&mut self, kind: TokenKind) -> Option<u32> {
        let offset = self.offset();
        (self.next_kind() == kind).then(|| {
            self.position += 1;
            offset
        })
    }

    pub(super) fn expect(&mut self, kind: TokenKind) -> Result<u32, ParseError> {
        self.eat(kind).ok_or(ParseError::Syntax)
    }

    /// Consumes the question mark of `syntax`, such as `.?`. Returns true if there is a question
    /// mark, and reports an error if the version does not have optional values.
    pub(super) fn eat_question(&mut self, offset: u32, syntax: &str) -> bool {
        if self.eat(TokenKind::Question).is_none() {
            return false;
        }
        if !self.version.has(Feature::Optionals) {
            let message = format!("unsupported syntax '{syntax}'");
            self.errors.push(SourceError::new(offset, message));
        }
        true
    }

    /// Reports an error, and returns a placeholder for the invalid part.
    pub(super) fn error_node(&mut self, offset: u32, message: impl Into<String>) -> Ast {
        self.errors.push(SourceError::new(offset, message));
        Ast::error_node(offset)
    }

    /// Parses an expression, which may be a conditional.
    pub(super) fn parse_expression(&mut self) -> Result<Ast, ParseError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let message = format!("expression recursion limit exceeded: {MAX_NESTING}");
            return Err(SourceError::new(self.offset(), message).into());
        }
        let condition = self.parse_logical_or()?;
        let ast = match self.eat(TokenKind::Question) {
            None => condition,
            Some(offset) => {
                let yes = self.parse_logical_or()?;
                self.expect(TokenKind::Colon)?;
                let no = self.parse_expression()?;
                Ast::call(offset, "_?_:_", vec![condition, yes, no])?
            }
        };
        self.nesting -= 1;
        Ok(ast)
    }

    fn parse_logical_or(&mut self) -> Result<Ast, ParseError> {
        self.parse_logical_chain(TokenKind::Or, "_||_", |parser| {
            parser.parse_logical_chain(TokenKind::And, "_&&_", Self::parse_relation)
        })
    }

    /// Parses a chain of terms with `&&` or `||` into a tree of minimal height.
    fn parse_logical_chain(
        &mut self,
        operator: TokenKind,
        function: &str,
        term: fn(&mut Self) -> Result<Ast, ParseError>,
    ) -> Result<Ast, ParseError> {
        let mut terms = vec![term(self)?];
        let mut offsets = Vec::new();
        while let Some(offset) = self.eat(operator) {
            offsets.push(offset);
            terms.push(term(self)?);
        }
        Ok(balance(terms, &offsets, function)?)
    }

    fn parse_relation(&mut self) -> Result<Ast, ParseError> {
        self.parse_left_associative(relation_function, Self::parse_sum)
    }

    fn parse_sum(&mut self) -> Result<Ast, ParseError> {
        self.parse_left_associative(sum_function, |parser| {
            parser.parse_left_associative(product_function, Self::parse_unary)
        })
    }

    /// Parses operands with left-associative operators.
    fn parse_left_associative(
        &mut self,
        function: fn(TokenKind) -> Option<&'static str>,
        operand: fn(&mut Self) -> Result<Ast, ParseError>,
    ) -> Result<Ast, ParseError> {
        let mut left = operand(self)?;
        while let Some(function) = function(self.next_kind()) {
            let offset = self.offset();
            self.position += 1;
            let right = operand(self)?;
            left = Ast::call(offset, function, vec![left, right])?;
        }
        Ok(left)
    }

    /// Parses an operand with `!` or `-` before it. An even number of operators has no effect.
    fn parse_unary(&mut self) -> Result<Ast, ParseError> {
        let offset = self.offset();
        let (sign, function) = match self.next_kind() {
            TokenKind::Not => (TokenKind::Not, "!_"),
            TokenKind::Minus => (TokenKind::Minus, "-_"),
            _ => return self.parse_member(),
        };
        let mut count = 0_usize;
        while self.eat(sign).is_some() {
            count += 1;
        }
        // A single minus before a number is part of the literal.
        if sign == TokenKind::Minus
            && count == 1
            && let Some(number) = self.parse_negative_number(offset)
        {
            return self.parse_postfix(number);
        }
        let operand = self.parse_member()?;
        if count.is_multiple_of(2) {
            Ok(operand)
        } else {
            Ok(Ast::call(offset, function, vec![operand])?)
        }
    }
}

impl Parser<'_> {
    /// Parses a number after a minus that is already consumed.
    pub(super) fn parse_negative_number(&mut self, offset: u32) -> Option<Ast> {
        let number = literal::parse_negative_literal(self.next_kind(), self.lexeme())?;
        self.position += 1;
        Some(match number {
            Ok(number) => Ast::literal(offset, number),
            Err(message) => self.error_node(offset, message),
        })
    }
}

fn relation_function(kind: TokenKind) -> Option<&'static str> {
    Some(match kind {
        TokenKind::Less => "_<_",
        TokenKind::LessEqual => "_<=_",
        TokenKind::Greater => "_>_",
        TokenKind::GreaterEqual => "_>=_",
        TokenKind::Equal => "_==_",
        TokenKind::NotEqual => "_!=_",
        TokenKind::In => "@in",
        _ => return None,
    })
}

fn sum_function(kind: TokenKind) -> Option<&'static str> {
    Some(match kind {
        TokenKind::Plus => "_+_",
        TokenKind::Minus => "_-_",
        _ => return None,
    })
}

fn product_function(kind: TokenKind) -> Option<&'static str> {
    Some(match kind {
        TokenKind::Times => "_*_",
        TokenKind::Divide => "_/_",
        TokenKind::Modulo => "_%_",
        _ => return None,
    })
}

/// Returns a tree of minimal height over the terms, with an operator between adjacent terms.
fn balance(mut terms: Vec<Ast>, offsets: &[u32], function: &str) -> Result<Ast, SourceError> {
    let no_term = || SourceError::new(0, "Syntax error: no term");
    if terms.len() > 1 {
        let middle = terms.len().div_ceil(2);
        let right = terms.split_off(middle);
        let (before, [offset, after @ ..]) = offsets.split_at(middle - 1) else {
            return Err(no_term());
        };
        let left = balance(terms, before, function)?;
        let right = balance(right, after, function)?;
        return Ast::call(*offset, function, vec![left, right]);
    }
    terms.pop().ok_or_else(no_term)
}

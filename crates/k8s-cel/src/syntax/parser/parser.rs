//! The parser: operators, by precedence.

use crate::syntax::lexer::Tokens;
use crate::syntax::token::{Kind, Token};
use crate::syntax::{Ast, SourceError, SourceErrors, error_recovery, lexer, literal};
use crate::types::feature::{Feature, RuleVersions};
use crate::types::version::KubeVersion;

/// The maximum number of bytes of an expression.
const MAX_SOURCE_LENGTH: usize = 100_000;

/// The maximum number of open brackets. Each bracket takes several frames of stack.
const MAX_NESTING: u16 = 64;

/// Parses an expression and expands its macros, as a server of the version does.
///
/// # Errors
///
/// Returns an error with all problems if the source is not an expression.
pub fn parse(source: &str, version: KubeVersion) -> Result<Ast, SourceErrors> {
    parse_rule(source, RuleVersions::of_stored_rules(version))
}

/// Parses a rule and expands its macros.
pub(crate) fn parse_rule(source: &str, version: RuleVersions) -> Result<Ast, SourceErrors> {
    parse_tree(source, version).map_err(|problems| SourceErrors::new(source, problems))
}

fn parse_tree(source: &str, version: RuleVersions) -> Result<Ast, Vec<SourceError>> {
    if source.len() > MAX_SOURCE_LENGTH {
        let text = format!(
            "expression code point size exceeds limit: size: {}, limit {MAX_SOURCE_LENGTH}",
            source.chars().count()
        );
        return Err(vec![SourceError::new(0, text)]);
    }
    let mut problems = Vec::new();
    let tokens = lexer::tokenize(source, &mut problems);
    let mut parser = Parser::new(source, &tokens.tokens, version);
    let parsed = parser.parse_to_end();
    match parsed {
        Ok(ast) if problems.is_empty() && parser.errors.is_empty() => return Ok(ast),
        Ok(_) => problems.append(&mut parser.errors),
        Err(ParseError::Source(problem)) => {
            problems.append(&mut parser.errors);
            problems.push(problem);
        }
        Err(ParseError::Syntax) => problems.extend(syntax_errors(&tokens, parser)),
    }
    Err(problems)
}

/// Returns the problems of tokens that are not an expression. The server creates a tree of them
/// nevertheless, and reports the problems of the tree too: of the whole tree if only tokens were
/// left out; otherwise of the part that was read until then, and of literals.
fn syntax_errors(tokens: &Tokens, parser: Parser<'_>) -> Vec<SourceError> {
    let Parser {
        source,
        version,
        at,
        errors: mut problems,
        ..
    } = parser;
    let mut diagnosis = error_recovery::diagnose(source, tokens);
    if diagnosis.is_mended {
        let read = diagnosis.read.iter();
        let read: Vec<Token> = read
            .filter_map(|at| tokens.tokens.get(*at).copied())
            .collect();
        let mut parser = Parser::new(source, &read, version);
        // The tokens are an expression, or the tree is too deep.
        if let Err(ParseError::Source(problem)) = parser.parse_to_end() {
            parser.errors.push(problem);
        }
        problems = parser.errors;
    } else {
        let after = diagnosis.read.iter().filter(|read| **read >= at);
        let literals = after.filter_map(|read| {
            let token = tokens.tokens.get(*read)?;
            let text = literal::parse_literal(token.kind, token.lexeme(source))?.err()?;
            Some(SourceError::new(token.start, text))
        });
        problems.extend(literals);
    }
    // The diagnosis reports quoted names too.
    problems.retain(|problem| !problem.message.starts_with("unsupported syntax:"));
    problems.append(&mut diagnosis.problems);
    if problems.is_empty() {
        let last = tokens.tokens.get(at).map_or(0, |token| token.start);
        problems.push(SourceError::new(last, "Syntax error"));
    }
    problems
}

/// The reason that parsing stops.
pub(super) enum ParseError {
    /// The tokens are not an expression.
    Syntax,
    Source(SourceError),
}

impl From<SourceError> for ParseError {
    fn from(problem: SourceError) -> Self {
        Self::Source(problem)
    }
}

/// The token after the last one.
static END: Token = Token {
    kind: Kind::End,
    start: 0,
    end: 0,
};

pub(super) struct Parser<'t> {
    pub(super) source: &'t str,
    pub(super) tokens: &'t [Token],
    pub(super) at: usize,
    open: u16,
    pub(super) version: RuleVersions,
    /// The problems of tokens that are an expression.
    pub(super) errors: Vec<SourceError>,
}

impl<'t> Parser<'t> {
    const fn new(source: &'t str, tokens: &'t [Token], version: RuleVersions) -> Self {
        Self {
            source,
            tokens,
            at: 0,
            open: 0,
            version,
            errors: Vec::new(),
        }
    }
}

impl Parser<'_> {
    fn parse_to_end(&mut self) -> Result<Ast, ParseError> {
        let ast = self.expression()?;
        self.expect(Kind::End)?;
        Ok(ast)
    }

    fn token(&self) -> &Token {
        let last = || self.tokens.last();
        self.tokens.get(self.at).or_else(last).unwrap_or(&END)
    }

    pub(super) fn kind(&self) -> Kind {
        self.token().kind
    }

    pub(super) fn offset(&self) -> u32 {
        self.token().start
    }

    /// Returns the source of the next token.
    pub(super) fn lexeme(&self) -> &str {
        self.token().lexeme(self.source)
    }

    /// Takes a token, if it is next, and returns its position.
    pub(super) fn eat(&mut self, kind: Kind) -> Option<u32> {
        let place = self.offset();
        (self.kind() == kind).then(|| {
            self.at += 1;
            place
        })
    }

    pub(super) fn expect(&mut self, kind: Kind) -> Result<u32, ParseError> {
        self.eat(kind).ok_or(ParseError::Syntax)
    }

    /// Takes a question mark at a place where an optional value may be.
    pub(super) fn eat_question(&mut self, at: u32, written: &str) -> bool {
        if self.eat(Kind::Question).is_none() {
            return false;
        }
        if !self.version.has(Feature::Optionals) {
            let text = format!("unsupported syntax '{written}'");
            self.errors.push(SourceError::new(at, text));
        }
        true
    }

    /// Notes a problem, and returns a tree that replaces the wrong part.
    pub(super) fn error_node(&mut self, at: u32, text: impl Into<String>) -> Ast {
        self.errors.push(SourceError::new(at, text));
        Ast::error_node(at)
    }

    pub(super) fn expression(&mut self) -> Result<Ast, ParseError> {
        self.open += 1;
        if self.open > MAX_NESTING {
            let text = format!("expression recursion limit exceeded: {MAX_NESTING}");
            return Err(SourceError::new(self.offset(), text).into());
        }
        let condition = self.alternatives()?;
        let ast = match self.eat(Kind::Question) {
            None => condition,
            Some(place) => {
                let yes = self.alternatives()?;
                self.expect(Kind::Colon)?;
                let no = self.expression()?;
                Ast::call(place, "_?_:_", vec![condition, yes, no])?
            }
        };
        self.open -= 1;
        Ok(ast)
    }

    fn alternatives(&mut self) -> Result<Ast, ParseError> {
        self.chain(Kind::Or, "_||_", |parser| {
            parser.chain(Kind::And, "_&&_", Self::relation)
        })
    }

    /// Parses a chain of terms between operators into a tree of minimal depth.
    fn chain(
        &mut self,
        operator: Kind,
        function: &str,
        term: fn(&mut Self) -> Result<Ast, ParseError>,
    ) -> Result<Ast, ParseError> {
        let mut terms = vec![term(self)?];
        let mut places = Vec::new();
        while let Some(place) = self.eat(operator) {
            places.push(place);
            terms.push(term(self)?);
        }
        Ok(balance(terms, &places, function)?)
    }

    fn relation(&mut self) -> Result<Ast, ParseError> {
        self.operators(relation_of, Self::sum)
    }

    fn sum(&mut self) -> Result<Ast, ParseError> {
        self.operators(sum_of, |parser| parser.operators(product_of, Self::unary))
    }

    /// Parses operands between operators that associate to the left.
    fn operators(
        &mut self,
        function: fn(Kind) -> Option<&'static str>,
        operand: fn(&mut Self) -> Result<Ast, ParseError>,
    ) -> Result<Ast, ParseError> {
        let mut left = operand(self)?;
        while let Some(function) = function(self.kind()) {
            let place = self.offset();
            self.at += 1;
            let right = operand(self)?;
            left = Ast::call(place, function, vec![left, right])?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Ast, ParseError> {
        let place = self.offset();
        let (sign, function) = match self.kind() {
            Kind::Not => (Kind::Not, "!_"),
            Kind::Minus => (Kind::Minus, "-_"),
            _ => return self.member(),
        };
        let mut count = 0_usize;
        while self.eat(sign).is_some() {
            count += 1;
        }
        // A single minus before a number is part of the number.
        if sign == Kind::Minus
            && count == 1
            && let Some(number) = self.negative(place)
        {
            return self.postfix(number);
        }
        let operand = self.member()?;
        if count.is_multiple_of(2) {
            Ok(operand)
        } else {
            Ok(Ast::call(place, function, vec![operand])?)
        }
    }
}

impl Parser<'_> {
    /// Parses a number after a minus, which is already taken.
    pub(super) fn negative(&mut self, place: u32) -> Option<Ast> {
        let number = literal::parse_negative_literal(self.kind(), self.lexeme())?;
        self.at += 1;
        Some(match number {
            Ok(number) => Ast::literal(place, number),
            Err(text) => self.error_node(place, text),
        })
    }
}

fn relation_of(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Less => "_<_",
        Kind::LessEqual => "_<=_",
        Kind::Greater => "_>_",
        Kind::GreaterEqual => "_>=_",
        Kind::Equal => "_==_",
        Kind::NotEqual => "_!=_",
        Kind::In => "@in",
        _ => return None,
    })
}

fn sum_of(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Plus => "_+_",
        Kind::Minus => "_-_",
        _ => return None,
    })
}

fn product_of(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Times => "_*_",
        Kind::Divide => "_/_",
        Kind::Modulo => "_%_",
        _ => return None,
    })
}

/// Returns a tree of minimal depth over terms, with an operator between each two.
fn balance(mut terms: Vec<Ast>, places: &[u32], function: &str) -> Result<Ast, SourceError> {
    let no_term = || SourceError::new(0, "Syntax error: no term");
    if terms.len() > 1 {
        let middle = terms.len().div_ceil(2);
        let right = terms.split_off(middle);
        let (before, [place, after @ ..]) = places.split_at(middle - 1) else {
            return Err(no_term());
        };
        let left = balance(terms, before, function)?;
        let right = balance(right, after, function)?;
        return Ast::call(*place, function, vec![left, right]);
    }
    terms.pop().ok_or_else(no_term)
}

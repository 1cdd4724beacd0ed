//! The parser: operators, by precedence.

use crate::syntax::lexer::Tokens;
use crate::syntax::token::{Kind, Token};
use crate::syntax::{Ast, Problem, Problems, diagnose, lexer, literal};
use crate::types::version::Version;

/// The maximum number of bytes of an expression.
const LONGEST: usize = 100_000;

/// The maximum number of open brackets. Each bracket takes several frames of stack.
const NESTING: u16 = 64;

/// Parses an expression and expands its macros, as a server of the version does.
///
/// # Errors
///
/// Returns an error with all problems if the source is not an expression.
pub fn parse(source: &str, version: Version) -> Result<Ast, Problems> {
    tree(source, version).map_err(|problems| Problems::new(source, problems))
}

fn tree(source: &str, version: Version) -> Result<Ast, Vec<Problem>> {
    if source.len() > LONGEST {
        let text = format!(
            "expression code point size exceeds limit: size: {}, limit {LONGEST}",
            source.chars().count()
        );
        return Err(vec![Problem::new(0, text)]);
    }
    let mut problems = Vec::new();
    let tokens = lexer::tokens(source, &mut problems);
    let mut parser = Parser::new(source, &tokens.tokens, version);
    let parsed = parser.whole();
    match parsed {
        Ok(ast) if problems.is_empty() && parser.problems.is_empty() => return Ok(ast),
        Ok(_) => problems.append(&mut parser.problems),
        Err(Stop::Problem(problem)) => {
            problems.append(&mut parser.problems);
            problems.push(problem);
        }
        Err(Stop::Syntax) => problems.extend(broken(&tokens, parser)),
    }
    Err(problems)
}

/// Returns the problems of tokens that are not an expression. The server creates a tree of them
/// nevertheless, and reports the problems of the tree too: of the whole tree if only tokens were
/// left out; otherwise of the part that was read until then, and of literals.
fn broken(tokens: &Tokens, parser: Parser<'_>) -> Vec<Problem> {
    let Parser {
        source,
        version,
        at,
        mut problems,
        ..
    } = parser;
    let mut diagnosis = diagnose::diagnose(source, tokens);
    if diagnosis.is_mended {
        let read = diagnosis.read.iter();
        let read: Vec<Token> = read
            .filter_map(|at| tokens.tokens.get(*at).copied())
            .collect();
        let mut parser = Parser::new(source, &read, version);
        // The tokens are an expression, or the tree is too deep.
        if let Err(Stop::Problem(problem)) = parser.whole() {
            parser.problems.push(problem);
        }
        problems = parser.problems;
    } else {
        let after = diagnosis.read.iter().filter(|read| **read >= at);
        let literals = after.filter_map(|read| {
            let token = tokens.tokens.get(*read)?;
            let text = literal::read(token.kind, token.text(source))?.err()?;
            Some(Problem::new(token.start, text))
        });
        problems.extend(literals);
    }
    // The diagnosis reports quoted names too.
    problems.retain(|problem| !problem.text.starts_with("unsupported syntax:"));
    problems.append(&mut diagnosis.problems);
    if problems.is_empty() {
        let last = tokens.tokens.get(at).map_or(0, |token| token.start);
        problems.push(Problem::new(last, "Syntax error"));
    }
    problems
}

/// The reason that parsing stops.
pub(super) enum Stop {
    /// The tokens are not an expression.
    Syntax,
    Problem(Problem),
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
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
    pub(super) version: Version,
    /// The problems of tokens that are an expression.
    pub(super) problems: Vec<Problem>,
}

impl<'t> Parser<'t> {
    const fn new(source: &'t str, tokens: &'t [Token], version: Version) -> Self {
        Self {
            source,
            tokens,
            at: 0,
            open: 0,
            version,
            problems: Vec::new(),
        }
    }
}

impl Parser<'_> {
    fn whole(&mut self) -> Result<Ast, Stop> {
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

    pub(super) fn place(&self) -> u32 {
        self.token().start
    }

    /// Returns the source of the next token.
    pub(super) fn text(&self) -> &str {
        self.token().text(self.source)
    }

    /// Takes a token, if it is next, and returns its position.
    pub(super) fn eat(&mut self, kind: Kind) -> Option<u32> {
        let place = self.place();
        (self.kind() == kind).then(|| {
            self.at += 1;
            place
        })
    }

    pub(super) fn expect(&mut self, kind: Kind) -> Result<u32, Stop> {
        self.eat(kind).ok_or(Stop::Syntax)
    }

    /// Takes a question mark at a place where an optional value may be.
    pub(super) fn eat_question(&mut self, at: u32, written: &str) -> bool {
        if self.eat(Kind::Question).is_none() {
            return false;
        }
        if !self.version.has_optionals() {
            let text = format!("unsupported syntax '{written}'");
            self.problems.push(Problem::new(at, text));
        }
        true
    }

    /// Notes a problem, and returns a tree that replaces the wrong part.
    pub(super) fn broken(&mut self, at: u32, text: impl Into<String>) -> Ast {
        self.problems.push(Problem::new(at, text));
        Ast::broken(at)
    }

    pub(super) fn expression(&mut self) -> Result<Ast, Stop> {
        self.open += 1;
        if self.open > NESTING {
            let text = format!("expression recursion limit exceeded: {NESTING}");
            return Err(Problem::new(self.place(), text).into());
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

    fn alternatives(&mut self) -> Result<Ast, Stop> {
        self.chain(Kind::Or, "_||_", |parser| {
            parser.chain(Kind::And, "_&&_", Self::relation)
        })
    }

    /// Parses a chain of terms between operators into a tree of minimal depth.
    fn chain(
        &mut self,
        operator: Kind,
        function: &str,
        term: fn(&mut Self) -> Result<Ast, Stop>,
    ) -> Result<Ast, Stop> {
        let mut terms = vec![term(self)?];
        let mut places = Vec::new();
        while let Some(place) = self.eat(operator) {
            places.push(place);
            terms.push(term(self)?);
        }
        Ok(balance(terms, &places, function)?)
    }

    fn relation(&mut self) -> Result<Ast, Stop> {
        self.operators(relation_of, Self::sum)
    }

    fn sum(&mut self) -> Result<Ast, Stop> {
        self.operators(sum_of, |parser| parser.operators(product_of, Self::unary))
    }

    /// Parses operands between operators that associate to the left.
    fn operators(
        &mut self,
        function: fn(Kind) -> Option<&'static str>,
        operand: fn(&mut Self) -> Result<Ast, Stop>,
    ) -> Result<Ast, Stop> {
        let mut left = operand(self)?;
        while let Some(function) = function(self.kind()) {
            let place = self.place();
            self.at += 1;
            let right = operand(self)?;
            left = Ast::call(place, function, vec![left, right])?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Ast, Stop> {
        let place = self.place();
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
        let number = literal::read_negative(self.kind(), self.text())?;
        self.at += 1;
        Some(match number {
            Ok(number) => Ast::literal(place, number),
            Err(text) => self.broken(place, text),
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
fn balance(mut terms: Vec<Ast>, places: &[u32], function: &str) -> Result<Ast, Problem> {
    let no_term = || Problem::new(0, "Syntax error: no term");
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

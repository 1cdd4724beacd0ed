//! From tokens to a tree.

mod primary;

use super::lexer::{self, Placed, Token};
use super::{Ast, Literal, Problem};

/// How long an expression may be, in bytes.
const LONGEST: usize = 100_000;

/// How many brackets may be open: each takes several frames of stack.
const NESTING: u16 = 64;

/// Parses an expression and expands its macros.
pub(in super::super) fn parse(source: &str) -> Result<Ast, Problem> {
    if source.len() > LONGEST {
        let text = format!(
            "expression code point size exceeds limit: size: {}, limit {LONGEST}",
            source.chars().count()
        );
        return Err(Problem::new(0, text));
    }
    let tokens = lexer::tokens(source)?;
    let mut parser = Parser {
        source,
        tokens: &tokens,
        at: 0,
        open: 0,
    };
    let ast = parser.expression()?;
    match parser.peek() {
        Token::End => Ok(ast),
        _ if parser.at + 2 == tokens.len() => Err(parser.unexpected_as("extraneous", "<EOF>")),
        _ => Err(parser.unexpected("<EOF>")),
    }
}

/// What comes where there is nothing.
static END: Placed = (Token::End, 0);

struct Parser<'t> {
    source: &'t str,
    tokens: &'t [Placed],
    at: usize,
    open: u16,
}

impl Parser<'_> {
    fn placed(&self) -> &Placed {
        let last = || self.tokens.last();
        self.tokens.get(self.at).or_else(last).unwrap_or(&END)
    }

    fn peek(&self) -> &Token {
        &self.placed().0
    }

    fn place(&self) -> u32 {
        self.placed().1
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    /// Takes a sign, if it is next, and says where it was.
    fn eat(&mut self, sign: &str) -> Option<u32> {
        let place = self.place();
        self.is(sign).then(|| {
            self.at += 1;
            place
        })
    }

    fn expect(&mut self, sign: &str) -> Result<u32, Problem> {
        self.eat(sign).ok_or_else(|| match self.peek() {
            Token::End => Problem::new(
                self.place(),
                format!("Syntax error: missing '{sign}' at '<EOF>'"),
            ),
            _ => self.unexpected(&format!("'{sign}'")),
        })
    }

    fn unexpected(&self, wanted: &str) -> Problem {
        self.unexpected_as("mismatched", wanted)
    }

    fn unexpected_as(&self, what: &str, wanted: &str) -> Problem {
        let start = self.place() as usize;
        let end = self
            .tokens
            .get(self.at + 1)
            .map_or(start, |(_, next)| *next as usize);
        let found = match self.peek() {
            Token::End => "<EOF>",
            _ => self.source.get(start..end).unwrap_or_default().trim_end(),
        };
        let text = format!("Syntax error: {what} input '{found}' expecting {wanted}");
        Problem::new(self.place(), text)
    }

    fn expression(&mut self) -> Result<Ast, Problem> {
        self.open += 1;
        if self.open > NESTING {
            let text = format!("expression recursion limit exceeded: {NESTING}");
            return Err(Problem::new(self.place(), text));
        }
        let condition = self.logic("||", "_||_")?;
        let ast = match self.eat("?") {
            None => condition,
            Some(place) => {
                let yes = self.logic("||", "_||_")?;
                self.expect(":")?;
                let no = self.expression()?;
                Ast::call(place, "_?_:_", vec![condition, yes, no])?
            }
        };
        self.open -= 1;
        Ok(ast)
    }

    /// A chain of `||` or `&&`, which becomes a tree as flat as can be.
    fn logic(&mut self, sign: &str, function: &str) -> Result<Ast, Problem> {
        let mut terms = Vec::new();
        let mut places = Vec::new();
        loop {
            terms.push(if sign == "||" {
                self.logic("&&", "_&&_")?
            } else {
                self.relation()?
            });
            match self.eat(sign) {
                Some(place) => places.push(place),
                None => return balance(terms, &places, function),
            }
        }
    }

    fn relation(&mut self) -> Result<Ast, Problem> {
        let mut left = self.sum()?;
        loop {
            let (function, place) = match self.peek() {
                Token::Sign(sign) => match *sign {
                    "<" => ("_<_", self.place()),
                    "<=" => ("_<=_", self.place()),
                    ">" => ("_>_", self.place()),
                    ">=" => ("_>=_", self.place()),
                    "==" => ("_==_", self.place()),
                    "!=" => ("_!=_", self.place()),
                    "in" => ("@in", self.place()),
                    _ => return Ok(left),
                },
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.sum()?;
            left = Ast::call(place, function, vec![left, right])?;
        }
    }

    fn sum(&mut self) -> Result<Ast, Problem> {
        let mut left = self.product()?;
        loop {
            let place = self.place();
            let function = if self.eat("+").is_some() {
                "_+_"
            } else if self.eat("-").is_some() {
                "_-_"
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            left = Ast::call(place, function, vec![left, right])?;
        }
    }

    fn product(&mut self) -> Result<Ast, Problem> {
        let mut left = self.unary()?;
        loop {
            let place = self.place();
            let function = if self.eat("*").is_some() {
                "_*_"
            } else if self.eat("/").is_some() {
                "_/_"
            } else if self.eat("%").is_some() {
                "_%_"
            } else {
                return Ok(left);
            };
            let right = self.unary()?;
            left = Ast::call(place, function, vec![left, right])?;
        }
    }

    fn unary(&mut self) -> Result<Ast, Problem> {
        let place = self.place();
        let sign = if self.is("!") { "!" } else { "-" };
        let mut count = 0_usize;
        while self.eat(sign).is_some() {
            count += 1;
        }
        if count == 0 {
            return self.member();
        }
        if sign == "!" {
            let operand = self.member()?;
            return if count.is_multiple_of(2) {
                Ok(operand)
            } else {
                Ast::call(place, "!_", vec![operand])
            };
        }
        // One minus before a number is part of the number.
        let number = match self.peek() {
            Token::Literal(Literal::Int(value)) => Some(Literal::Int(value.wrapping_neg())),
            Token::Literal(Literal::Double(value)) => Some(Literal::Double(-value)),
            _ => None,
        };
        if let Some(number) = number.filter(|_| count == 1) {
            self.at += 1;
            return self.postfix(Ast::literal(place, number));
        }
        let operand = self.member()?;
        if count.is_multiple_of(2) {
            Ok(operand)
        } else {
            Ast::call(place, "-_", vec![operand])
        }
    }
}

/// A tree over terms with an operator between each two, as flat as can be.
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

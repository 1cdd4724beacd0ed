//! The operands of operators: names, literals, calls, and their suffixes.

use super::parser::{ParseError, Parser};
use crate::syntax::literal;
use crate::syntax::token::Kind;
use crate::syntax::{Ast, AstKind, Element, Entry, Literal, SourceError, macros};
use crate::types::feature::Feature;
use k8s_json_internals::cel_name::is_reserved_word;

impl Parser<'_> {
    pub(super) fn member(&mut self) -> Result<Ast, ParseError> {
        let primary = self.primary()?;
        self.postfix(primary)
    }

    pub(super) fn postfix(&mut self, mut ast: Ast) -> Result<Ast, ParseError> {
        loop {
            let place = self.offset();
            if self.eat(Kind::Dot).is_some() {
                ast = self.after_dot(ast, place)?;
            } else if self.eat(Kind::OpenList).is_some() {
                let function = if self.eat_question(place, "[?") {
                    "_[?_]"
                } else {
                    "_[_]"
                };
                let index = self.expression()?;
                self.expect(Kind::CloseList)?;
                ast = Ast::call(place, function, vec![ast, index])?;
            } else {
                return Ok(ast);
            }
        }
    }

    fn after_dot(&mut self, operand: Ast, place: u32) -> Result<Ast, ParseError> {
        let optional = self.eat_question(place, ".?");
        let field = match self.kind() {
            Kind::Ident => self.lexeme().to_owned(),
            Kind::Quoted => {
                let at = self.offset();
                self.errors
                    .push(SourceError::new(at, "unsupported syntax: '`'"));
                String::new()
            }
            _ => return Err(ParseError::Syntax),
        };
        let is_name = self.kind() == Kind::Ident;
        self.at += 1;
        if optional {
            let field = Ast::literal(place, Literal::String(field));
            return Ok(Ast::call(place, "_?._", vec![operand, field])?);
        }
        let open = self.offset();
        if is_name && self.eat(Kind::Open).is_some() {
            let args = self.arguments()?;
            let target = Some(operand);
            return Ok(self.expand_call(open, field, target, args)?);
        }
        Ok(Ast::new(
            place,
            AstKind::Select {
                operand: Box::new(operand),
                field,
                test_only: false,
            },
        )?)
    }

    fn expand_call(
        &mut self,
        at: u32,
        name: String,
        target: Option<Ast>,
        args: Vec<Ast>,
    ) -> Result<Ast, SourceError> {
        macros::expand_call(at, name, target, args, self.version, &mut self.errors)
    }

    fn arguments(&mut self) -> Result<Vec<Ast>, ParseError> {
        let mut args = Vec::new();
        if self.eat(Kind::Close).is_some() {
            return Ok(args);
        }
        loop {
            args.push(self.expression()?);
            if self.eat(Kind::Comma).is_none() {
                self.expect(Kind::Close)?;
                return Ok(args);
            }
        }
    }

    fn primary(&mut self) -> Result<Ast, ParseError> {
        let place = self.offset();
        match self.kind() {
            Kind::Open => {
                self.at += 1;
                let ast = self.expression()?;
                self.expect(Kind::Close)?;
                Ok(ast)
            }
            Kind::OpenList => self.list(place),
            Kind::OpenMap => self.map(place),
            Kind::Dot | Kind::Ident => self.name(),
            Kind::Minus => {
                self.at += 1;
                self.negative(place).ok_or(ParseError::Syntax)
            }
            kind => {
                let literal =
                    literal::parse_literal(kind, self.lexeme()).ok_or(ParseError::Syntax)?;
                self.at += 1;
                Ok(match literal {
                    Ok(literal) => Ast::literal(place, literal),
                    Err(text) => self.error_node(place, text),
                })
            }
        }
    }

    /// Parses an identifier, a global call, or a message.
    fn name(&mut self) -> Result<Ast, ParseError> {
        let start = self.offset();
        let dot = self.eat(Kind::Dot).is_some();
        if self.kind() != Kind::Ident {
            return Err(ParseError::Syntax);
        }
        if let Some(length) = self.message_name_length() {
            return self.struct_literal(dot, length);
        }
        let place = self.offset();
        let mut name = self.lexeme().to_owned();
        self.at += 1;
        let open = self.offset();
        if is_reserved_word(&name) {
            let broken = self.error_node(start, format!("reserved identifier: {name}"));
            if self.eat(Kind::Open).is_some() {
                // Problems of its arguments are not reported.
                let before = self.errors.len();
                self.arguments()?;
                self.errors.truncate(before);
            }
            return Ok(broken);
        }
        if dot {
            name.insert(0, '.');
        }
        if self.eat(Kind::Open).is_some() {
            let args = self.arguments()?;
            return Ok(self.expand_call(open, name, None, args)?);
        }
        Ok(Ast::ident(place, &name))
    }

    /// Returns the number of tokens of a message's name, if a message starts here: names with dots
    /// between, and then a brace.
    fn message_name_length(&self) -> Option<usize> {
        let tokens = self.tokens.get(self.at..)?;
        let mut length = 1;
        loop {
            match tokens.get(length..)? {
                [brace, ..] if brace.kind == Kind::OpenMap => return Some(length),
                [dot, name, ..] if dot.kind == Kind::Dot && name.kind == Kind::Ident => length += 2,
                _ => return None,
            }
        }
    }

    /// Parses a message with its fields. No message types exist, so only the name matters.
    fn struct_literal(&mut self, dot: bool, length: usize) -> Result<Ast, ParseError> {
        let mut name = String::new();
        if dot {
            name.push('.');
        }
        for _ in 0..length {
            name.push_str(self.lexeme());
            self.at += 1;
        }
        let at = self.offset();
        self.expect(Kind::OpenMap)?;
        let mut fields = Vec::new();
        while self.eat(Kind::CloseMap).is_none() {
            if self.kind() != Kind::Comma || !fields.is_empty() {
                self.eat(Kind::Question);
                match self.kind() {
                    Kind::Ident | Kind::Quoted => self.at += 1,
                    _ => return Err(ParseError::Syntax),
                }
                self.expect(Kind::Colon)?;
                fields.push(self.expression()?);
            }
            if self.eat(Kind::Comma).is_none() || fields.is_empty() {
                self.expect(Kind::CloseMap)?;
                break;
            }
        }
        Ok(Ast::new(at, AstKind::Struct(name))?)
    }

    fn list(&mut self, place: u32) -> Result<Ast, ParseError> {
        self.expect(Kind::OpenList)?;
        let mut elements = Vec::new();
        while self.eat(Kind::CloseList).is_none() {
            if elements.is_empty() && self.eat(Kind::Comma).is_some() {
                self.expect(Kind::CloseList)?;
                break;
            }
            let optional = self.eat_question(self.offset(), "?");
            let value = self.expression()?;
            elements.push(Element { value, optional });
            if self.eat(Kind::Comma).is_none() {
                self.expect(Kind::CloseList)?;
                break;
            }
        }
        Ok(Ast::new(place, AstKind::List(elements))?)
    }

    fn map(&mut self, place: u32) -> Result<Ast, ParseError> {
        self.expect(Kind::OpenMap)?;
        let mut entries = Vec::new();
        while self.eat(Kind::CloseMap).is_none() {
            if entries.is_empty() && self.eat(Kind::Comma).is_some() {
                self.expect(Kind::CloseMap)?;
                break;
            }
            let optional = self.eat_question(self.offset(), "?");
            let known = self.errors.len();
            let key = self.expression()?;
            self.expect(Kind::Colon)?;
            let value = self.expression()?;
            if optional && !self.version.has(Feature::Optionals) {
                // Observed: the server does not check an entry that may be absent.
                self.errors.truncate(known);
            }
            entries.push(Entry {
                key,
                value,
                optional,
            });
            if self.eat(Kind::Comma).is_none() {
                self.expect(Kind::CloseMap)?;
                break;
            }
        }
        Ok(Ast::new(place, AstKind::Map(entries))?)
    }
}

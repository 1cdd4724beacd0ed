//! Parses the operands of operators: names, literals and calls, with their suffixes.

use super::parser::{ParseError, Parser};
use crate::syntax::literal;
use crate::syntax::token::TokenKind;
use crate::syntax::{Ast, AstKind, Element, Entry, Literal, SourceError, macros};
use crate::types::feature::Feature;
use k8s_json_internals::cel_name::is_reserved_word;

impl Parser<'_> {
    /// Parses an operand with its suffixes.
    pub(super) fn parse_member(&mut self) -> Result<Ast, ParseError> {
        let primary = self.parse_primary()?;
        self.parse_postfix(primary)
    }

    /// Parses the suffixes of an operand: selections, member calls and index expressions.
    pub(super) fn parse_postfix(&mut self, mut ast: Ast) -> Result<Ast, ParseError> {
        loop {
            let offset = self.offset();
            if self.eat(TokenKind::Dot).is_some() {
                ast = self.parse_after_dot(ast, offset)?;
            } else if self.eat(TokenKind::OpenBracket).is_some() {
                let function = if self.eat_question(offset, "[?") {
                    "_[?_]"
                } else {
                    "_[_]"
                };
                let index = self.parse_expression()?;
                self.expect(TokenKind::CloseBracket)?;
                ast = Ast::call(offset, function, vec![ast, index])?;
            } else {
                return Ok(ast);
            }
        }
    }

    /// Parses a selection or a member call after its dot.
    fn parse_after_dot(&mut self, operand: Ast, offset: u32) -> Result<Ast, ParseError> {
        let optional = self.eat_question(offset, ".?");
        let field = match self.next_kind() {
            TokenKind::Ident => self.lexeme().to_owned(),
            TokenKind::EscapedIdent if self.version.has(Feature::QuotedFieldNames) => {
                self.lexeme().trim_matches('`').to_owned()
            }
            TokenKind::EscapedIdent => {
                let offset = self.offset();
                self.errors
                    .push(SourceError::new(offset, "unsupported syntax: '`'"));
                String::new()
            }
            _ => return Err(ParseError::Syntax),
        };
        let is_name = self.next_kind() == TokenKind::Ident;
        self.position += 1;
        if optional {
            let field = Ast::literal(offset, Literal::String(field));
            return Ok(Ast::call(offset, "_?._", vec![operand, field])?);
        }
        let open_offset = self.offset();
        if is_name && self.eat(TokenKind::OpenParen).is_some() {
            let args = self.parse_arguments()?;
            let target = Some(operand);
            return Ok(self.expand_call(open_offset, field, target, args)?);
        }
        Ok(Ast::new(
            offset,
            AstKind::Select {
                operand: Box::new(operand),
                field,
                test_only: false,
            },
        )?)
    }

    fn expand_call(
        &mut self,
        offset: u32,
        name: String,
        target: Option<Ast>,
        args: Vec<Ast>,
    ) -> Result<Ast, SourceError> {
        macros::expand_call(offset, name, target, args, self.version, &mut self.errors)
    }

    /// Parses the arguments of a call and the closing parenthesis.
    fn parse_arguments(&mut self) -> Result<Vec<Ast>, ParseError> {
        let mut args = Vec::new();
        if self.eat(TokenKind::CloseParen).is_some() {
            return Ok(args);
        }
        loop {
            args.push(self.parse_expression()?);
            if self.eat(TokenKind::Comma).is_none() {
                self.expect(TokenKind::CloseParen)?;
                return Ok(args);
            }
        }
    }

    /// Parses an operand without suffixes.
    fn parse_primary(&mut self) -> Result<Ast, ParseError> {
        let offset = self.offset();
        match self.next_kind() {
            TokenKind::OpenParen => {
                self.position += 1;
                let ast = self.parse_expression()?;
                self.expect(TokenKind::CloseParen)?;
                Ok(ast)
            }
            TokenKind::OpenBracket => self.parse_list(offset),
            TokenKind::OpenBrace => self.parse_map(offset),
            TokenKind::Dot | TokenKind::Ident => self.parse_name(),
            TokenKind::Minus => {
                self.position += 1;
                self.parse_negative_number(offset).ok_or(ParseError::Syntax)
            }
            kind => {
                let literal =
                    literal::parse_literal(kind, self.lexeme()).ok_or(ParseError::Syntax)?;
                self.position += 1;
                Ok(match literal {
                    Ok(literal) => Ast::literal(offset, literal),
                    Err(message) => self.error_node(offset, message),
                })
            }
        }
    }

    /// Parses an identifier, a global call, or a message literal.
    fn parse_name(&mut self) -> Result<Ast, ParseError> {
        let start = self.offset();
        let has_dot = self.eat(TokenKind::Dot).is_some();
        if self.next_kind() != TokenKind::Ident {
            return Err(ParseError::Syntax);
        }
        if let Some(length) = self.message_name_length() {
            return self.parse_struct_literal(has_dot, length);
        }
        let offset = self.offset();
        let mut name = self.lexeme().to_owned();
        self.position += 1;
        let open_offset = self.offset();
        if is_reserved_word(&name) {
            let placeholder = self.error_node(start, format!("reserved identifier: {name}"));
            if self.eat(TokenKind::OpenParen).is_some() {
                // The server does not report errors in the arguments.
                let error_count = self.errors.len();
                self.parse_arguments()?;
                self.errors.truncate(error_count);
            }
            return Ok(placeholder);
        }
        if has_dot {
            name.insert(0, '.');
        }
        if self.eat(TokenKind::OpenParen).is_some() {
            let args = self.parse_arguments()?;
            return Ok(self.expand_call(open_offset, name, None, args)?);
        }
        Ok(Ast::ident(offset, &name))
    }

    /// Returns the number of tokens of the name of a message literal, which consists of names
    /// separated by dots, before a brace. Returns `None` if there is no message literal here.
    fn message_name_length(&self) -> Option<usize> {
        let tokens = self.tokens.get(self.position..)?;
        let mut length = 1;
        loop {
            match tokens.get(length..)? {
                [brace, ..] if brace.kind == TokenKind::OpenBrace => return Some(length),
                [dot, name, ..] if dot.kind == TokenKind::Dot && name.kind == TokenKind::Ident => {
                    length += 2;
                }
                _ => return None,
            }
        }
    }

    /// Parses a message literal with its fields. No message types exist, so only the name is kept.
    fn parse_struct_literal(&mut self, has_dot: bool, length: usize) -> Result<Ast, ParseError> {
        let mut name = String::new();
        if has_dot {
            name.push('.');
        }
        for _ in 0..length {
            name.push_str(self.lexeme());
            self.position += 1;
        }
        let offset = self.offset();
        self.expect(TokenKind::OpenBrace)?;
        let mut fields = Vec::new();
        while self.eat(TokenKind::CloseBrace).is_none() {
            if self.next_kind() != TokenKind::Comma || !fields.is_empty() {
                self.eat(TokenKind::Question);
                match self.next_kind() {
                    TokenKind::Ident | TokenKind::EscapedIdent => self.position += 1,
                    _ => return Err(ParseError::Syntax),
                }
                self.expect(TokenKind::Colon)?;
                fields.push(self.parse_expression()?);
            }
            if self.eat(TokenKind::Comma).is_none() || fields.is_empty() {
                self.expect(TokenKind::CloseBrace)?;
                break;
            }
        }
        Ok(Ast::new(offset, AstKind::Struct(name))?)
    }

    fn parse_list(&mut self, offset: u32) -> Result<Ast, ParseError> {
        self.expect(TokenKind::OpenBracket)?;
        let mut elements = Vec::new();
        while self.eat(TokenKind::CloseBracket).is_none() {
            if elements.is_empty() && self.eat(TokenKind::Comma).is_some() {
                self.expect(TokenKind::CloseBracket)?;
                break;
            }
            let optional = self.eat_question(self.offset(), "?");
            let value = self.parse_expression()?;
            elements.push(Element { value, optional });
            if self.eat(TokenKind::Comma).is_none() {
                self.expect(TokenKind::CloseBracket)?;
                break;
            }
        }
        Ok(Ast::new(offset, AstKind::List(elements))?)
    }

    fn parse_map(&mut self, offset: u32) -> Result<Ast, ParseError> {
        self.expect(TokenKind::OpenBrace)?;
        let mut entries = Vec::new();
        while self.eat(TokenKind::CloseBrace).is_none() {
            if entries.is_empty() && self.eat(TokenKind::Comma).is_some() {
                self.expect(TokenKind::CloseBrace)?;
                break;
            }
            let optional = self.eat_question(self.offset(), "?");
            let error_count = self.errors.len();
            let key = self.parse_expression()?;
            self.expect(TokenKind::Colon)?;
            let value = self.parse_expression()?;
            if optional && !self.version.has(Feature::Optionals) {
                // A server without optional values does not report errors in an optional entry.
                self.errors.truncate(error_count);
            }
            entries.push(Entry {
                key,
                value,
                optional,
            });
            if self.eat(TokenKind::Comma).is_none() {
                self.expect(TokenKind::CloseBrace)?;
                break;
            }
        }
        Ok(Ast::new(offset, AstKind::Map(entries))?)
    }
}

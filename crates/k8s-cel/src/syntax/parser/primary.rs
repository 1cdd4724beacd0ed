//! What operators stand between: names, literals, calls, and what follows them.

use super::Parser;
use crate::syntax::lexer::Token;
use crate::syntax::{Ast, AstKind, Element, Entry, Literal, Problem, macros};
use k8s_json_internals::cel_name::is_reserved;

impl Parser<'_> {
    pub(super) fn member(&mut self) -> Result<Ast, Problem> {
        let primary = self.primary()?;
        self.postfix(primary)
    }

    pub(super) fn postfix(&mut self, mut ast: Ast) -> Result<Ast, Problem> {
        loop {
            let place = self.place();
            if self.eat(".").is_some() {
                ast = self.after_dot(ast, place)?;
            } else if self.eat("[").is_some() {
                let function = if self.eat("?").is_some() {
                    "_[?_]"
                } else {
                    "_[_]"
                };
                let index = self.expression()?;
                self.expect("]")?;
                ast = Ast::call(place, function, vec![ast, index])?;
            } else {
                return Ok(ast);
            }
        }
    }

    fn after_dot(&mut self, operand: Ast, place: u32) -> Result<Ast, Problem> {
        let optional = self.eat("?").is_some();
        let field = match self.peek() {
            Token::Ident(name) => name.clone(),
            Token::Quoted(_) => return Err(Problem::new(self.place(), "unsupported syntax: '`'")),
            _ => {
                return Err(Problem::new(
                    self.place(),
                    "Syntax error: no viable alternative at input '.'",
                ));
            }
        };
        self.at += 1;
        if optional {
            let field = Ast::literal(place, Literal::Text(field));
            return Ast::call(place, "_?._", vec![operand, field]);
        }
        let open = self.place();
        if self.eat("(").is_none() {
            return Ast::new(
                place,
                AstKind::Select {
                    operand: Box::new(operand),
                    field,
                    test: false,
                },
            );
        }
        let args = self.arguments()?;
        macros::call(open, field, Some(operand), args)
    }

    fn arguments(&mut self) -> Result<Vec<Ast>, Problem> {
        let mut args = Vec::new();
        if self.eat(")").is_some() {
            return Ok(args);
        }
        loop {
            args.push(self.expression()?);
            if self.eat(",").is_none() {
                self.expect(")")?;
                return Ok(args);
            }
        }
    }

    fn primary(&mut self) -> Result<Ast, Problem> {
        let place = self.place();
        match self.peek().clone() {
            Token::Literal(Literal::Int(i64::MIN)) => Err(Problem::new(place, "invalid int literal")),
            Token::Literal(literal) => {
                self.at += 1;
                Ok(Ast::literal(place, literal))
            }
            Token::Sign("(") => {
                self.at += 1;
                let ast = self.expression()?;
                self.expect(")")?;
                Ok(ast)
            }
            Token::Sign("[") => self.list(place),
            Token::Sign("{") => self.map(place),
            Token::Sign(".") => {
                self.at += 1;
                self.name(place)
            }
            Token::Ident(_) => self.name(place),
            _ => Err(self.unexpected(
                "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
            )),
        }
    }

    /// An identifier, a global call, or a message, none of which there are.
    fn name(&mut self, place: u32) -> Result<Ast, Problem> {
        let Token::Ident(name) = self.peek().clone() else {
            return Err(self.unexpected("IDENTIFIER"));
        };
        self.at += 1;
        let open = self.place();
        if self.eat("(").is_some() {
            let args = self.arguments()?;
            return macros::call(open, name, None, args);
        }
        if self.is("{") {
            return Ast::new(place, AstKind::Struct(name));
        }
        if is_reserved(&name) {
            let text = format!("reserved identifier: {name}");
            return Err(Problem::new(place, text));
        }
        Ok(Ast::ident(place, &name))
    }

    fn list(&mut self, place: u32) -> Result<Ast, Problem> {
        self.expect("[")?;
        let mut elements = Vec::new();
        while self.eat("]").is_none() {
            let optional = self.eat("?").is_some();
            let value = self.expression()?;
            elements.push(Element { value, optional });
            if self.eat(",").is_none() {
                self.expect("]")?;
                break;
            }
        }
        Ast::new(place, AstKind::List(elements))
    }

    fn map(&mut self, place: u32) -> Result<Ast, Problem> {
        self.expect("{")?;
        let mut entries = Vec::new();
        while self.eat("}").is_none() {
            let optional = self.eat("?").is_some();
            let key = self.expression()?;
            self.expect(":")?;
            let value = self.expression()?;
            entries.push(Entry {
                key,
                value,
                optional,
            });
            if self.eat(",").is_none() {
                self.expect("}")?;
                break;
            }
        }
        Ast::new(place, AstKind::Map(entries))
    }
}

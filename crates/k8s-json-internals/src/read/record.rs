//! Records the fields of an object on a tape.

use core::fmt;

use serde::de::value::{I128Deserializer, U128Deserializer};
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::tape::{Tape, Token};
use crate::value::names::is_same_name;

/// The start of the keys with which `serde_json` marks the objects that represent numbers and raw
/// JSON.
const PRIVATE_KEY: &str = "$serde_json::private::";

impl<'de> Tape<'de> {
    /// Records the fields whose names are in `names`. Stops at the first field with another name,
    /// and returns the other name.
    ///
    /// # Errors
    ///
    /// Returns the error of the deserializer, or an error for a duplicate field.
    pub fn record<A: MapAccess<'de>>(
        map: &mut A,
        names: &'static [&'static str],
    ) -> Result<(Self, Option<String>), A::Error> {
        let mut tape = Self {
            // Enough for most unions, so that the tape is allocated only once.
            tokens: Vec::with_capacity(16),
            names,
            field_count: 0,
            strings: String::new(),
            numbers: Vec::new(),
            has_private_object: false,
        };
        let mut recorded = 0_u128;
        while let Some(key) = map.next_key_seed(IndexIn(names))? {
            let index = match key {
                Ok(index) => index,
                Err(other_name) => return Ok((tape, Some(other_name))),
            };
            // Only 128 names fit into the mask; a union has fewer.
            let bit = 1_u128.checked_shl(index).unwrap_or(u128::MAX);
            tape.tokens.push(Token::Name(index));
            if recorded & bit != 0 {
                let name = tape.string(tape.tokens.len() - 1).unwrap_or_default();
                return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
            }
            recorded |= bit;
            map.next_value_seed(&mut tape)?;
            tape.field_count += 1;
        }
        Ok((tape, None))
    }

    fn push_string(&mut self, string: &str) {
        let start = self.strings.len();
        self.strings.push_str(string);
        self.tokens.push(Token::Owned(start, self.strings.len()));
    }

    /// Replaces the token at `start`, which is a placeholder.
    fn set_start(&mut self, start: usize, token: Token<'de>) {
        if let Some(placeholder) = self.tokens.get_mut(start) {
            *placeholder = token;
        }
    }
}

/// Reads a key, and returns its index in the list. Returns a key that is not in the list as an
/// error.
struct IndexIn(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for IndexIn {
    type Value = Result<u32, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for IndexIn {
    type Value = Result<u32, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    #[inline]
    fn visit_str<E: serde::de::Error>(self, key: &str) -> Result<Self::Value, E> {
        let mut names = (0..).zip(self.0);
        let index = names.find(|(_, name)| is_same_name(name, key));
        Ok(index.map(|(index, _)| index).ok_or_else(|| key.to_owned()))
    }
}

/// Records a key.
struct Key<'t, 'de>(&'t mut Tape<'de>);

impl<'de> DeserializeSeed<'de> for Key<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let position = self.0.tokens.len();
        deserializer.deserialize_str(&mut *self.0)?;
        match self.0.string(position) {
            Some(_) => Ok(()),
            None => Err(D::Error::custom("a key is not a string")),
        }
    }
}

/// Records a value.
impl<'de> DeserializeSeed<'de> for &mut Tape<'de> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Tape<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.tokens.push(Token::Bool(value));
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.tokens.push(Token::I64(value));
        Ok(())
    }

    fn visit_i128<E: serde::de::Error>(self, value: i128) -> Result<(), E> {
        self.tokens.push(Token::Number(self.numbers.len()));
        let number = Value::deserialize(I128Deserializer::new(value))?;
        self.numbers.push(number);
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.tokens.push(Token::U64(value));
        Ok(())
    }

    fn visit_u128<E: serde::de::Error>(self, value: u128) -> Result<(), E> {
        self.tokens.push(Token::Number(self.numbers.len()));
        let number = Value::deserialize(U128Deserializer::new(value))?;
        self.numbers.push(number);
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.tokens.push(if value.is_finite() {
            Token::F64(value)
        } else {
            Token::Null
        });
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.push_string(value);
        Ok(())
    }

    #[inline]
    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<(), E> {
        self.tokens.push(Token::Borrowed(value));
        Ok(())
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.tokens.push(Token::Null);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let start = self.tokens.len();
        self.tokens.push(Token::Null);
        let mut count = 0;
        while seq.next_element_seed(&mut *self)?.is_some() {
            count += 1;
        }
        self.set_start(start, Token::Array(count, self.tokens.len()));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let start = self.tokens.len();
        self.tokens.push(Token::Null);
        let mut count = 0;
        while map.next_key_seed(Key(&mut *self))?.is_some() {
            if count == 0 {
                let key = self.string(start + 1);
                self.has_private_object |= key.is_some_and(|key| key.starts_with(PRIVATE_KEY));
            }
            map.next_value_seed(&mut *self)?;
            count += 1;
        }
        self.set_start(start, Token::Object(count, self.tokens.len()));
        Ok(())
    }
}

//! Reads the values of fields from a tape.

use serde::de::value::{BorrowedStrDeserializer, MapAccessDeserializer};
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Error, Map, Value};

use super::tape::{Tape, Token};
use crate::value::names::is_same_name;

impl Tape<'_> {
    /// Returns the index of the name, and the value, of each field. Returns `None` for an object
    /// without fields, and for an object that only [`into_object`](Self::into_object) can read,
    /// because a number or raw JSON in the object may be represented by another object.
    #[inline]
    #[must_use]
    pub fn fields(&self) -> Option<impl Iterator<Item = (usize, FieldValue<'_>)>> {
        if self.field_count == 0 || self.has_private_object {
            return None;
        }
        let mut items = self.items();
        Some(core::iter::from_fn(move || {
            items.count = items.count.checked_sub(1)?;
            match (items.next().token(), items.next()) {
                (Token::Name(index), value) => Some((index as usize, FieldValue::Tape(value))),
                _ => None,
            }
        }))
    }

    /// Converts the fields into an object.
    ///
    /// # Errors
    ///
    /// Returns an error if an object that represents a number or raw JSON is invalid.
    pub fn into_object(self) -> Result<Map<String, Value>, Error> {
        Map::deserialize(MapAccessDeserializer::new(self.items()))
    }

    #[inline]
    fn items(&self) -> Items<'_> {
        Items {
            tape: self,
            count: self.field_count,
            next: 0,
        }
    }
}

/// The value of a field.
#[derive(Clone, Copy, Debug)]
pub enum FieldValue<'a> {
    /// A value of an object.
    Json(&'a Value),
    /// A value on a tape. Errors have no details.
    Tape(TapeReader<'a>),
}

impl FieldValue<'_> {
    /// The value null.
    pub const NULL: Self = Self::Json(&Value::Null);

    /// Returns true if the value is null.
    #[inline]
    #[must_use]
    pub fn is_null(self) -> bool {
        match self {
            Self::Json(value) => value.is_null(),
            Self::Tape(reader) => reader.is_null(),
        }
    }

    /// Returns the position of the value in a list of strings.
    #[inline]
    #[must_use]
    pub fn position_in(self, strings: &[&str]) -> Option<usize> {
        let value = match self {
            Self::Json(value) => value.as_str()?,
            Self::Tape(reader) => reader.as_str()?,
        };
        strings
            .iter()
            .position(|string| is_same_name(string, value))
    }

    /// Reads the value.
    ///
    /// # Errors
    ///
    /// Returns the error of the type.
    #[inline]
    pub fn read<T: DeserializeOwned>(self) -> Result<T, Error> {
        match self {
            Self::Json(value) => T::deserialize(value),
            Self::Tape(reader) => T::deserialize(reader),
        }
    }
}

/// Reads a value from a tape. The errors have no details.
#[derive(Clone, Copy, Debug)]
pub struct TapeReader<'t> {
    tape: &'t Tape<'t>,
    position: usize,
}

impl<'t> TapeReader<'t> {
    /// Returns true if the value is null.
    #[inline]
    fn is_null(self) -> bool {
        matches!(self.token(), Token::Null)
    }

    /// Returns the value if the value is a string.
    #[inline]
    fn as_str(self) -> Option<&'t str> {
        self.tape.string(self.position)
    }

    #[inline]
    const fn items(self, count: usize) -> Items<'t> {
        Items {
            tape: self.tape,
            count,
            next: self.position + 1,
        }
    }

    #[inline]
    fn token(self) -> Token<'t> {
        self.tape.token(self.position)
    }
}

/// The elements of an array, or the keys and values of an object, that are not read yet.
struct Items<'t> {
    tape: &'t Tape<'t>,
    count: usize,
    next: usize,
}

impl<'t> Items<'t> {
    #[inline]
    fn next(&mut self) -> TapeReader<'t> {
        let reader = TapeReader {
            tape: self.tape,
            position: self.next,
        };
        self.next = match reader.token() {
            Token::Array(_, end) | Token::Object(_, end) => end,
            _ => self.next + 1,
        };
        reader
    }

    /// Returns an error if a visitor has not read all items.
    fn end(&self) -> Result<(), Error> {
        if self.count == 0 {
            Ok(())
        } else {
            Err(no_details())
        }
    }
}

#[cold]
fn no_details() -> Error {
    Error::custom("the type does not fit the value")
}

impl<'t> SeqAccess<'t> for &mut Items<'t> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(count) = self.count.checked_sub(1) else {
            return Ok(None);
        };
        self.count = count;
        seed.deserialize(self.next()).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count)
    }
}

impl<'t> MapAccess<'t> for Items<'t> {
    type Error = Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(count) = self.count.checked_sub(1) else {
            return Ok(None);
        };
        self.count = count;
        seed.deserialize(self.next()).map(Some)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.next())
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count)
    }
}

/// Implements methods of `Deserializer` for strings.
macro_rules! deserialize_string {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.as_str() {
                Some(string) => visitor.visit_borrowed_str(string),
                None => Err(no_details()),
            }
        }
    )*};
}

/// Implements methods of `Deserializer` that accept only some tokens.
macro_rules! deserialize {
    ($($method:ident($($argument:ident: $ty:ty),*) => $tokens:pat,)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($argument: $ty,)* visitor: V) -> Result<V::Value, Error> {
            match self.token() {
                $tokens => self.deserialize_any(visitor),
                _ => Err(no_details()),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for TapeReader<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.token() {
            Token::Null => visitor.visit_unit(),
            Token::Bool(value) => visitor.visit_bool(value),
            Token::U64(value) => visitor.visit_u64(value),
            Token::I64(value) => visitor.visit_i64(value),
            Token::F64(value) => visitor.visit_f64(value),
            Token::Number(index) => match self.tape.numbers.get(index) {
                Some(number) => number.deserialize_any(visitor),
                None => Err(no_details()),
            },
            Token::Name(_) | Token::Borrowed(_) | Token::Owned(..) => self.deserialize_str(visitor),
            Token::Array(count, _) => {
                let mut items = self.items(count);
                let value = visitor.visit_seq(&mut items)?;
                items.end().map(|()| value)
            }
            Token::Object(count, _) => {
                let mut items = self.items(count);
                let value = visitor.visit_map(&mut items)?;
                items.end().map(|()| value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match (self.token(), self.as_str()) {
            (Token::Object(1, _), _) => {
                visitor.visit_enum(MapAccessDeserializer::new(self.items(1)))
            }
            (_, Some(string)) => visitor.visit_enum(BorrowedStrDeserializer::new(string)),
            _ => Err(no_details()),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    deserialize_string! { deserialize_str deserialize_string deserialize_char deserialize_identifier }

    deserialize! {
        deserialize_bool() => Token::Bool(_),
        deserialize_bytes() => Token::Borrowed(_) | Token::Owned(..) | Token::Array(..),
        deserialize_byte_buf() => Token::Borrowed(_) | Token::Owned(..) | Token::Array(..),
        deserialize_unit() => Token::Null,
        deserialize_unit_struct(_name: &'static str) => Token::Null,
        deserialize_seq() => Token::Array(..),
        deserialize_tuple(_length: usize) => Token::Array(..),
        deserialize_tuple_struct(_name: &'static str, _length: usize) => Token::Array(..),
        deserialize_map() => Token::Object(..),
        deserialize_struct(_name: &'static str, _fields: &'static [&'static str])
            => Token::Object(..) | Token::Array(..),
        deserialize_i8() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
        deserialize_i16() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
        deserialize_i32() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
        deserialize_i64() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
        deserialize_i128() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
        deserialize_u8() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
        deserialize_u16() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
        deserialize_u32() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
        deserialize_u64() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
        deserialize_u128() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
        deserialize_f32() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
        deserialize_f64() => Token::I64(_) | Token::U64(_) | Token::F64(_) | Token::Number(_),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt;

    use serde::de::{DeserializeOwned, Error as _, MapAccess, Visitor};
    use serde::{Deserialize, Deserializer};
    use serde_json::{Map, Value, json};

    use super::FieldValue;
    use crate::read::Tape;

    /// The result of recording an object whose known fields are `a` and `b`.
    struct Recorded<'de> {
        tape: Tape<'de>,
        other_name: Option<String>,
    }

    impl<'de> Deserialize<'de> for Recorded<'de> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Recorder;

            impl<'de> Visitor<'de> for Recorder {
                type Value = Recorded<'de>;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("an object")
                }

                fn visit_map<A: MapAccess<'de>>(
                    self,
                    mut map: A,
                ) -> Result<Recorded<'de>, A::Error> {
                    let (tape, other_name) = Tape::record(&mut map, &["a", "b"])?;
                    if other_name.is_some() {
                        map.next_value::<Value>()?;
                    }
                    Ok(Recorded { tape, other_name })
                }
            }

            deserializer.deserialize_map(Recorder)
        }
    }

    fn record(text: &str) -> Recorded<'_> {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// Reads the field `a` from a tape, and from the object on the tape.
    fn read_both<T: DeserializeOwned>(value: &str) -> [Option<T>; 2] {
        let text = format!(r#"{{"a":{value}}}"#);
        let tape = record(&text).tape;
        let from_tape = tape.fields().and_then(|mut fields| {
            let (index, value) = fields.next().expect("one field");
            assert_eq!(index, 0);
            value.read().ok()
        });
        let object = tape.into_object().expect("JSON data");
        [from_tape, FieldValue::Json(&object["a"]).read().ok()]
    }

    #[derive(Deserialize, Debug, PartialEq)]
    enum Shape {
        Unit,
        Newtype(u8),
        Tuple(u8, u8),
        Struct { x: u8 },
    }

    #[derive(Deserialize, Debug, PartialEq)]
    struct Newtype(Option<Box<str>>);

    #[derive(Deserialize, Debug, PartialEq)]
    struct Struct {
        x: f64,
        #[serde(default)]
        y: Vec<Newtype>,
    }

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    enum Untagged {
        Text(String),
        Struct(Struct),
    }

    const VALUES: [&str; 26] = [
        "null",
        "true",
        "0",
        "-1",
        "1.5",
        "18446744073709551615",
        "300",
        r#""""#,
        r#""x""#,
        r#""Unit""#,
        r#""Newtype""#,
        r#""\u00e9\n\"""#,
        "[]",
        "[1,2]",
        "[1,2,3]",
        r#"["a",null]"#,
        "{}",
        r#"{"x":1}"#,
        r#"{"x":0.1,"y":["\t",null],"z":{"w":[{}]}}"#,
        r#"{"x":1,"x":2}"#,
        r#"{"Newtype":7}"#,
        r#"{"Tuple":[1,2]}"#,
        r#"{"Tuple":[1,2,3]}"#,
        r#"{"Struct":{"x":1}}"#,
        r#"{"Newtype":7,"Unit":null}"#,
        r#"{"1":"one"}"#,
    ];

    #[track_caller]
    fn check<T: DeserializeOwned + PartialEq + fmt::Debug>(values_from_tape: usize) {
        let mut count = 0;
        for value in VALUES {
            let [from_tape, from_value] = read_both::<T>(value);
            if from_tape.is_some() {
                assert_eq!(from_tape, from_value, "{value}");
                count += 1;
            }
        }
        // With `arbitrary_precision`, numbers are read from the object.
        if !has_arbitrary_precision() {
            assert_eq!(count, values_from_tape, "{}", std::any::type_name::<T>());
        }
    }

    fn has_arbitrary_precision() -> bool {
        let number: Value = serde_json::from_str("1e400").unwrap_or_default();
        number.is_number()
    }

    #[test]
    fn a_type_that_reads_from_a_tape_reads_from_the_value_with_the_same_result() {
        check::<Value>(VALUES.len());
        check::<bool>(1);
        check::<u8>(1);
        check::<i64>(3);
        check::<f64>(5);
        check::<u128>(3);
        check::<char>(1);
        check::<String>(5);
        check::<()>(1);
        check::<Option<String>>(6);
        check::<Newtype>(6);
        check::<Vec<u8>>(3);
        check::<(u8, u8)>(1);
        check::<Vec<Newtype>>(2);
        check::<Struct>(2);
        check::<Shape>(4);
        check::<Untagged>(7);
        check::<BTreeMap<String, Value>>(10);
        check::<BTreeMap<u8, Value>>(1);
    }

    #[test]
    fn the_object_on_a_tape_is_the_object_of_the_input() {
        for value in VALUES
            .into_iter()
            .chain(["1e2", "-0", "0.30000000000000004"])
        {
            let text = format!(r#"{{"b":{value},"a":[{value}]}}"#);
            let object: Map<String, Value> = serde_json::from_str(&text).expect("JSON");
            let keys = object.keys().cloned().collect::<Vec<_>>();
            let on_tape = record(&text).tape.into_object().expect("JSON data");
            assert_eq!(on_tape.keys().cloned().collect::<Vec<_>>(), keys);
            assert_eq!(on_tape, object, "{text}");
        }
    }

    #[test]
    fn numbers_beyond_64_bits_are_kept() {
        let number = serde::de::value::U128Deserializer::<serde_json::Error>::new(1 << 100);
        let entries = [("a", number)].into_iter();
        let map = serde::de::value::MapDeserializer::<_, serde_json::Error>::new(entries);
        let recorded = Recorded::deserialize(map).map(|recorded| recorded.tape.into_object());
        let expected = serde_json::from_value::<Value>(json!(1)).and_then(|_| {
            serde_json::Number::from_u128(1 << 100)
                .ok_or_else(|| serde_json::Error::custom("JSON number out of range"))
        });
        let recorded = recorded.map(|object| object.expect("JSON data")["a"].clone());
        let text = |error: serde_json::Error| error.to_string();
        assert_eq!(
            recorded.map_err(text),
            expected.map(Value::Number).map_err(text)
        );
    }

    #[test]
    fn recording_stops_at_another_name() {
        let recorded = record(r#"{"b":1,"c":2}"#);
        assert_eq!(recorded.other_name.as_deref(), Some("c"));
        assert_eq!(
            Value::from(recorded.tape.into_object().expect("JSON data")),
            json!({"b": 1})
        );
        let recorded = record("{}");
        assert!(recorded.other_name.is_none() && recorded.tape.fields().is_none());
    }

    #[test]
    fn a_duplicate_field_is_an_error() {
        let result = serde_json::from_str::<Recorded<'_>>(r#"{"a":1,"b":2,"a":null}"#);
        let error = result.err().expect("an error").to_string();
        assert!(
            error.starts_with("duplicate field `a` at line 1"),
            "{error}"
        );
    }

    /// Checks that an object that could represent a number is read only from the object.
    #[test]
    fn private_objects_of_serde_json_are_not_read_from_the_tape() {
        let tape = record(r#"{"a":[{"$serde_json::private::Number":"1"}]}"#).tape;
        assert!(tape.fields().is_none());
    }
}

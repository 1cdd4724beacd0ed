//! Random calls of macros.

use k8s_cel::Type;

use crate::edges::Reading;
use crate::make::Generator;
use crate::table::{MACROS, Macro};

const PLAIN: Reading = Reading::Plain;

impl Generator<'_> {
    /// Returns a macro whose result has the type, or a leaf if no macro has such a result.
    pub(crate) fn macro_call_for(&mut self, ty: &Type, reading: Reading, depth: usize) -> String {
        let names: &[&str] = match ty {
            Type::Bool => &["all", "exists", "exists_one", "existsOne", "has"],
            Type::List(_) => &["map", "filter", "transformList", "sortBy"],
            Type::Map(_) => &["transformMap", "transformMapEntry"],
            Type::Optional(_) => &["optMap", "optFlatMap"],
            _ => return self.leaf(ty, reading),
        };
        let fitting = MACROS.iter().filter(|of| names.contains(&of.name));
        let fitting: Vec<Macro> = fitting.copied().collect();
        let of = *self.random.pick(&fitting);
        let inner = match ty {
            Type::List(of) | Type::Optional(of) => Some((**of).clone()),
            Type::Map(of) => Some(of.1.clone()),
            _ => None,
        };
        // `sortBy` evaluates its argument to a key, which has another type than the elements of the
        // result.
        let inner = inner.filter(|_| of.name != "sortBy");
        self.macro_call(of, inner, depth)
    }

    /// Returns a call of a macro. `inner` is the type of the macro's last argument, or `None` for
    /// any type.
    pub(crate) fn macro_call(&mut self, of: Macro, inner: Option<Type>, depth: usize) -> String {
        match of.name {
            "has" => return self.has(),
            "optMap" | "optFlatMap" => return self.on_optional(of, inner, depth),
            _ => {}
        }
        let variables = match (of.name, of.arguments) {
            ("map" | "filter" | "sortBy", _) | (_, 2) => 1,
            _ => 2,
        };
        let (range, key, value) = self.range(of, inner.as_ref(), depth);
        let mut types = if variables == 2 {
            vec![key, value]
        } else {
            vec![if is_map(&range) { key } else { value }]
        };
        let names: Vec<String> = types.iter().map(|_| self.name()).collect();
        let count = names.len();
        self.scope
            .extend(names.iter().cloned().zip(types.drain(..)));
        let mut parts = names;
        for number in count..of.arguments {
            let is_last = number + 1 == of.arguments;
            let part = match (of.name, is_last) {
                ("all" | "exists" | "exists_one" | "existsOne" | "filter", _) | (_, false) => {
                    self.make(&Type::Bool, PLAIN, depth - 1)
                }
                ("transformMapEntry", true) => self.entry(inner.as_ref(), depth),
                ("sortBy", true) => {
                    let ty = inner.clone().unwrap_or_else(|| self.sortable());
                    self.make(&ty, PLAIN, depth - 1)
                }
                _ => {
                    let ty = inner.clone().unwrap_or_else(|| self.any_type());
                    self.make(&ty, PLAIN, depth - 1)
                }
            };
            parts.push(part);
        }
        self.scope.truncate(self.scope.len().saturating_sub(count));
        format!("{}.{}({})", range.text, of.name, parts.join(", "))
    }

    fn sortable(&mut self) -> Type {
        let types = [
            Type::Int,
            Type::String,
            Type::Double,
            Type::Uint,
            Type::Bool,
            Type::Bytes,
            Type::Timestamp,
            Type::Duration,
        ];
        self.random.pick(&types).clone()
    }

    fn entry(&mut self, inner: Option<&Type>, depth: usize) -> String {
        let key = match self.scope.len().checked_sub(2) {
            Some(at) if self.random.chance(60) => self.scope[at].0.clone(),
            _ => self.make(&Type::String, PLAIN, 0),
        };
        let ty = inner.cloned().unwrap_or_else(|| self.any_type());
        let value = self.make(&ty, PLAIN, depth - 1);
        match self.random.below(10) {
            0 => "{}".to_owned(),
            1 => self.make(&ty, PLAIN, 0),
            _ => format!("{{{key}: {value}}}"),
        }
    }

    /// Returns the list or the map that a macro iterates over, with the types of its keys and
    /// values.
    fn range(&mut self, of: Macro, inner: Option<&Type>, depth: usize) -> (Range, Type, Type) {
        let is_map = of.name != "sortBy" && self.random.chance(25);
        if is_map {
            // The server iterates over a map in random order. With two entries, its result would
            // be random.
            let entry = if self.random.chance(80) {
                let key = self.make(&Type::String, PLAIN, 0);
                let value = self.make(&Type::Int, PLAIN, 0);
                format!("{{{key}: {value}}}")
            } else {
                "{}".to_owned()
            };
            let range = Range {
                text: entry,
                is_map,
            };
            return (range, Type::String, Type::Int);
        }
        let element = match inner {
            Some(ty) if of.name == "filter" => ty.clone(),
            _ => self.any_type(),
        };
        let ty = Type::List(Box::new(element.clone()));
        let text = self.make(&ty, PLAIN, depth.saturating_sub(2));
        (Range { text, is_map }, Type::Int, element)
    }

    fn on_optional(&mut self, of: Macro, inner: Option<Type>, depth: usize) -> String {
        let element = self.any_type();
        let target = self.optional(&element);
        let name = self.name();
        self.scope.push((name.clone(), element));
        let ty = inner.unwrap_or_else(|| self.any_type());
        let result = if of.name == "optMap" {
            self.make(&ty, PLAIN, depth - 1)
        } else {
            self.make(&Type::Optional(Box::new(ty)), PLAIN, depth - 1)
        };
        self.scope.pop();
        format!("{target}.{}({name}, {result})", of.name)
    }

    fn has(&mut self) -> String {
        match self.random.below(6) {
            0 => "has({'a': 1}.b)".to_owned(),
            1 => "has(self.o.n)".to_owned(),
            2 => "has(self.labels.a)".to_owned(),
            3 => "has(self.nothing)".to_owned(),
            _ => {
                let at = self.random.below(10);
                format!("has({})", self.field(at))
            }
        }
    }
}

struct Range {
    text: String,
    is_map: bool,
}

fn is_map(range: &Range) -> bool {
    range.is_map
}

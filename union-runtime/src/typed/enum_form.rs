//! Unions in the enum form: the trait, serialization, deserialization, and access for the rules.

use super::raw_union::{RawUnion, set_field};
use super::union::UnionType;
use super::unknown::UnknownMembers;
use crate::generated::enum_form::{EnumForm, FlattenedFields};
use crate::union_spec::{DiscriminatorFacts, UnionSpec};
use crate::view::{RawReason, Selected, State, UnreadableMember};
use core::fmt;
use core::marker::PhantomData;
use k8s_json_internals::read::{FieldValue, Tape};
use serde::de::{DeserializeOwned, Error, MapAccess, Unexpected, Visitor as SerdeVisitor};
use serde::ser::SerializeMap as _;
use serde::{Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// A union in the enum form. The enum has one variant for each member, and usually one variant for
/// objects that this build cannot read.
///
/// Only the derive implements this trait. See [`#[derive(UnionEnum)]`](macro@crate::UnionEnum) for
/// the attributes.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
/// use union_runtime::{RawUnion, UnionEnum};
///
/// #[derive(Serialize, Deserialize)]
/// struct S3 { bucket: String }
///
/// #[derive(UnionEnum)]
/// #[union(discriminator = "type", schema = false)]
/// enum Target {
///     None,
///     S3(S3),
///     #[union(other)]
///     Other(RawUnion),
/// }
///
/// let target = |object| serde_json::from_value::<Target>(object);
/// assert_eq!(target(json!({"type": "S3", "s3": {"bucket": "b"}}))?.discriminator(), Some("S3"));
/// assert_eq!(target(json!({"type": "Tape"}))?.discriminator(), Some("Tape"));
/// assert!(target(json!({"type": "S3"}))?.raw().is_some());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum with `#[derive(UnionEnum)]`",
    label = "this type does not derive `UnionEnum`",
    note = "add `#[derive(union_runtime::UnionEnum)]` to the enum"
)]
pub trait UnionEnum: UnionType + Serialize + DeserializeOwned {
    /// The description of the enum, from the derive. The constant is hidden, because generated code
    /// changes with every version.
    #[doc(hidden)]
    const FORM: &'static EnumForm;

    /// Returns the number of the variant, or the content of the variant with `other`.
    #[doc(hidden)]
    fn current_variant(&self) -> CurrentVariant<'_>;

    /// Creates the variant with this number. `member` is the value of its member, or null if the
    /// object does not have the member.
    #[doc(hidden)]
    fn read_variant(number: usize, member: FieldValue<'_>) -> serde_json::Result<Self>;

    /// Creates the variant with `other` from `raw`. Returns `raw` as an error if the enum has no
    /// such variant.
    #[doc(hidden)]
    fn from_raw(raw: RawUnion) -> Result<Self, RawUnion> {
        Err(raw)
    }

    /// Returns the content of the variant with `other`, if this is that variant.
    #[doc(hidden)]
    fn raw_mut(&mut self) -> Option<&mut RawUnion> {
        None
    }

    /// Returns the discriminator as it is serialized, even for an object that could not be read.
    /// Returns `None` if the discriminator is absent or not a string.
    #[must_use]
    fn discriminator(&self) -> Option<&str> {
        match self.current_variant() {
            CurrentVariant::Variant(number, _) => {
                let value = spec::<Self>().discriminator()?.values().get(number)?;
                (!value.is_empty()).then_some(value)
            }
            CurrentVariant::Other(raw) => raw.discriminator(),
        }
    }

    /// Returns the object that could not be read, if this is the variant with `other`.
    #[must_use]
    fn raw(&self) -> Option<&RawUnion> {
        match self.current_variant() {
            CurrentVariant::Variant(..) => None,
            CurrentVariant::Other(raw) => Some(raw),
        }
    }

    /// Reads an object. `Deserialize` returns the same result as this function with
    /// `unwrap_or_else(Self::Other)`.
    ///
    /// # Errors
    ///
    /// Returns an object that fits no variant as an error, even if the enum has a variant with
    /// `other`.
    fn from_object(object: Map<String, Value>) -> Result<Self, RawUnion> {
        read_object(object)
    }
}

/// The current variant of an enum.
#[derive(Clone, Copy, Debug)]
pub enum CurrentVariant<'a> {
    /// The variant with this number. The flag is true if its member is set.
    Variant(usize, bool),
    /// The variant with `other`.
    Other(&'a RawUnion),
}

impl EnumForm {
    /// Returns the state of the variant with this number. `is_set` is true if its member is set.
    #[inline]
    const fn state(&self, number: usize, is_set: bool) -> State<'static> {
        let has_value = number < self.value_count();
        State::from_variant(
            if has_value { Some(number) } else { None },
            if is_set { Some(number) } else { None },
        )
    }

    /// Converts an object in the form of serde's externally tagged enums, such as `{"S3": {..}}`,
    /// to the object of the variant. Returns `None` if the object does not have one field with the
    /// name of a variant with a member.
    fn object_from_external(&self, object: &Map<String, Value>) -> Option<Map<String, Value>> {
        let mut fields = object.iter();
        let ((name, content), None) = (fields.next()?, fields.next()) else {
            return None;
        };
        let number = self.external_number(name)?;
        self.member_name(number)?;
        Some(self.object(number, Some(content)))
    }

    /// Returns the number of the variant with this name in the form of serde's externally tagged
    /// enums.
    fn external_number(&self, name: &str) -> Option<usize> {
        let mut names = self.external.iter();
        names
            .find(|(external, _)| *external == name)
            .map(|(_, number)| *number)
    }

    /// Returns the JSON name of the member of a variant.
    pub(crate) fn member_name(&self, number: usize) -> Option<&'static str> {
        let mut members = self.members.iter();
        let member = members.find(|member| member.value_index() == number);
        member.map(|member| member.name())
    }

    /// Returns the object of the variant with this number.
    fn object(&self, number: usize, content: Option<&Value>) -> Map<String, Value> {
        let value = self.values.get(number).map(|value| Value::from(*value));
        let discriminator = self.discriminator.zip(value);
        let member = self.member_name(number).zip(content.cloned());
        let fields = discriminator.into_iter().chain(member);
        fields
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// Returns the number of the variant for a settled state.
    fn variant_number(&self, spec: &UnionSpec<'_>, state: State<'_>) -> usize {
        match spec.discriminator() {
            Some(_) => state.selected().known().unwrap_or(self.value_count()),
            None if state.members_set() == 0 => spec.members().len(),
            None => state.members_set().trailing_zeros() as usize,
        }
    }
}

/// The tables that are computed from the description of an enum.
struct EnumTables<T>(PhantomData<T>);

impl<T: UnionEnum> EnumTables<T> {
    const FACTS: &'static DiscriminatorFacts = &T::FORM.facts();
    const UNION: &'static UnionSpec<'static> = &T::FORM.spec(Self::FACTS);
}

/// Returns the spec of the union.
fn spec<T: UnionEnum>() -> &'static UnionSpec<'static> {
    EnumTables::<T>::UNION
}

/// Implements [`UnionType::unions`] for an enum.
#[must_use]
#[inline]
pub const fn enum_unions<T: UnionEnum>() -> &'static [UnionSpec<'static>] {
    core::slice::from_ref(EnumTables::<T>::UNION)
}

/// Implements [`UnionType::union_state`] for an enum.
#[inline]
#[must_use]
pub fn enum_state<T: UnionEnum>(value: &T, union: usize) -> Option<State<'_>> {
    if union != 0 {
        return None;
    }
    Some(match value.current_variant() {
        CurrentVariant::Variant(number, is_set) => T::FORM.state(number, is_set),
        CurrentVariant::Other(raw) => raw.state(T::FORM, spec::<T>()),
    })
}

/// Implements [`UnionType::reset_member`] for an enum. The enum is converted to JSON and back, so
/// that the types of the members do not need `Clone`.
pub fn enum_reset<T: UnionEnum>(
    value: &mut T,
    old: Option<&T>,
    union: usize,
    member: usize,
) -> bool {
    let spec = T::unions().get(union);
    let Some(member) = spec.and_then(|spec| spec.member(member)) else {
        return false;
    };
    let name = member.name();
    let old_value = match old {
        Some(old) => match to_object(old) {
            Some(mut old) => old.remove(name),
            None => return false,
        },
        None => None,
    };
    if let Some(raw) = value.raw_mut() {
        raw.set_field(name, old_value);
        return true;
    }
    let Some(mut object) = to_object(value) else {
        return false;
    };
    set_field(&mut object, name, old_value);
    let result = variant_from_object(object).or_else(T::from_raw);
    result.map(|variant| *value = variant).is_ok()
}

/// Returns the object that the enum is serialized as, or `None` if serialization fails.
fn to_object<T: UnionEnum>(value: &T) -> Option<Map<String, Value>> {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}

/// Implements [`UnionType::unknown_members`] for an enum. The unknown members are the unknown
/// fields of an object that could not be read.
pub fn enum_unknown_members<T: UnionEnum>(value: &mut T) -> Option<&mut dyn UnknownMembers> {
    value.raw_mut().map(RawUnion::unknown_members)
}

/// Implements [`UnionType::reread`] for an enum: reads the changed object of the variant with
/// `other` again.
pub fn enum_reread<T: UnionEnum>(value: &mut T) {
    let Some(object) = value.raw_mut().map(RawUnion::take_object) else {
        return;
    };
    match variant_from_object(object) {
        Ok(variant) => *value = variant,
        Err(new_raw) => {
            if let Some(raw) = value.raw_mut() {
                *raw = new_raw;
            }
        }
    }
}

/// Implements [`Deserialize`](serde::Deserialize) for an enum.
///
/// # Errors
///
/// Returns an error if the input is not an object. If no variant fits and the enum is strict,
/// returns the first error of validation.
pub fn deserialize_enum<'de, T: UnionEnum, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let form = T::FORM;
    let visitor = EnumVisitor::<T, D>(PhantomData);
    // For a flattened enum, the two methods differ. `deserialize_map` passes all remaining fields
    // to the visitor, and other flattened fields get these fields too. `deserialize_struct` passes
    // only the named fields, and no other field gets them. With every other deserializer, both
    // methods pass the same fields.
    match form.flattened {
        FlattenedFields::All => deserializer.deserialize_map(visitor),
        // In the externally tagged form, a variant without data is a string.
        _ if !form.external.is_empty() && !EnumVisitor::<T, D>::is_flattened() => {
            deserializer.deserialize_any(visitor)
        }
        _ => deserializer.deserialize_struct(form.name, form.fields, visitor),
    }
}

/// The visitor of the enum `T` for the deserializer `D`.
struct EnumVisitor<T, D>(PhantomData<(T, D)>);

impl<T: UnionEnum, D> EnumVisitor<T, D> {
    /// Returns true if a struct flattens the enum. Serde has no other way to recognize a flattened
    /// field than the name of the deserializer.
    fn is_flattened() -> bool {
        core::any::type_name::<D>().contains("FlatMapDeserializer")
    }

    /// Returns true if the object may have had fields that the visitor does not see.
    fn is_incomplete() -> bool {
        T::FORM.flattened == FlattenedFields::Undeclared && Self::is_flattened()
    }
}

impl<'de, T: UnionEnum, D> SerdeVisitor<'de> for EnumVisitor<T, D> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object of union {}", T::FORM.name)
    }

    fn visit_str<E: Error>(self, string: &str) -> Result<T, E> {
        if T::FORM.external.is_empty() {
            return Err(E::invalid_type(Unexpected::Str(string), &self));
        }
        match variant_from_string(string) {
            Err(_) if T::FORM.is_strict => Err(E::invalid_value(Unexpected::Str(string), &self)),
            result => result.or_else(T::from_raw).map_err(E::custom),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let form = T::FORM;
        let (tape, mut next_key) = Tape::record(&mut map, form.fields)?;
        let variant = next_key.is_none().then(|| read_tape(&tape));
        if let Some(Some(variant)) = variant {
            return Ok(variant);
        }
        let mut object = tape.into_object().map_err(A::Error::custom)?;
        while let Some(key) = next_key {
            // Duplicate fields are rejected, as by serde's derive, because one of the two values
            // would be lost.
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
            }
            object.insert(key, map.next_value()?);
            next_key = map.next_key()?;
        }
        // A flattened enum does not see its unknown fields, so a union with an unknown member looks
        // like an empty union.
        let may_be_empty = form.discriminator.is_none() && form.has_empty_variant;
        if may_be_empty && object.is_empty() && Self::is_incomplete() {
            return Err(A::Error::custom(form.lost_fields()));
        }
        // The error is created here, so that the deserializer can add the position in the input.
        read_object(object)
            .or_else(|raw| T::from_raw(raw.with_incomplete(Self::is_incomplete())))
            .map_err(A::Error::custom)
    }
}

/// Returns the variant whose name in the form of serde's externally tagged enums is this string.
/// Returns the string as an error if it is not the name of a variant without a member.
fn variant_from_string<T: UnionEnum>(string: &str) -> Result<T, RawUnion> {
    let form = T::FORM;
    let result = match (form.external_number(string), form.discriminator) {
        (Some(number), discriminator)
            if discriminator.is_some() || form.member_name(number).is_none() =>
        {
            variant_from_object(form.object(number, None))
        }
        (_, Some(name)) => variant_from_object(Map::from_iter([(name.to_owned(), string.into())])),
        (_, None) => {
            let object = Map::from_iter([(string.to_owned(), Map::new().into())]);
            let reason = RawReason::UnknownMember(string.to_owned());
            Err(RawUnion::new(object, reason, form, spec::<T>()))
        }
    };
    result.map_err(|raw| raw.with_string(string))
}

/// Returns the variant that an object fits, or the variant that the object represents in the form
/// of serde's externally tagged enums. Returns the object as an error if no variant fits.
fn read_object<T: UnionEnum>(object: Map<String, Value>) -> Result<T, RawUnion> {
    match T::FORM.object_from_external(&object) {
        Some(converted) => variant_from_object(converted).map_err(|raw| raw.with_object(object)),
        None => variant_from_object(object),
    }
}

/// Returns the variant that an object fits. Returns the object as an error if no variant fits.
fn variant_from_object<T: UnionEnum>(object: Map<String, Value>) -> Result<T, RawUnion> {
    let (form, spec) = (T::FORM, spec::<T>());
    let state = State::from_object(spec, &object, form.default);
    if let Some(reason) = raw_union_reason(form, spec, state, &object) {
        return Err(RawUnion::new(object, reason, form, spec));
    }
    let number = form.variant_number(spec, state);
    let member = spec.member_for_value(number);
    let value = member.and_then(|member| object.get(member.name()));
    match T::read_variant(number, value.map_or(FieldValue::NULL, FieldValue::Json)) {
        Ok(variant) => Ok(variant),
        Err(error) => {
            let reason = RawReason::Unreadable(UnreadableMember {
                value_index: number,
                error: error.to_string(),
            });
            Err(RawUnion::new(object, reason, form, spec))
        }
    }
}

/// Returns the variant that an object with known fields fits. Returns `None` if the variant, or the
/// reason why the object fits no variant, must be found in another way, which is slower.
fn read_tape<T: UnionEnum>(tape: &Tape<'_>) -> Option<T> {
    let (form, spec) = (T::FORM, spec::<T>());
    let (mut selected, mut members_set, mut member) = (form.default, 0, FieldValue::NULL);
    for (index, value) in tape.fields().filter(|_| form.external.is_empty())? {
        match index.checked_sub(usize::from(form.discriminator.is_some())) {
            _ if value.is_null() => {}
            None => selected = Some(value.position_in(form.values)?),
            Some(index) => {
                members_set |= form.members.get(index)?.bit();
                member = value;
            }
        }
    }
    let selected = selected.map_or(Selected::Missing, Selected::Known);
    let state = State::from_mask(spec, selected, members_set);
    let variant = || T::read_variant(form.variant_number(spec, state), member).ok();
    spec.is_settled(state).then(variant)?
}

/// Returns the reason why an object fits no variant, as far as the reason is known without reading
/// a member.
fn raw_union_reason(
    form: &EnumForm,
    spec: &UnionSpec<'_>,
    state: State<'_>,
    object: &Map<String, Value>,
) -> Option<RawReason> {
    if spec.discriminator().is_none() && state.members_set() == 0 && !form.is_strict {
        let unknown = object
            .iter()
            .find(|(name, value)| !value.is_null() && !form.fields.contains(&name.as_str()));
        if let Some((name, _)) = unknown {
            return Some(RawReason::UnknownMember(name.clone()));
        }
    }
    if spec.is_settled(state) {
        return None;
    }
    Some(match state.selected() {
        Selected::Unknown(_) => RawReason::UnknownValue,
        _ => RawReason::Invalid,
    })
}

/// A type that serde serializes, and deserializes without borrowing. A type without the traits of
/// serde causes only one error, because the bound is this trait instead of two traits of serde.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a member, because serde cannot serialize and deserialize it",
    label = "this type does not implement `Serialize` and `DeserializeOwned`",
    note = "add `#[derive(serde::Serialize, serde::Deserialize)]` to the type; types that borrow from their input are not supported"
)]
pub trait EnumMember: Sized {
    /// Reads a member, and creates the variant with the member.
    ///
    /// # Errors
    ///
    /// Returns the error of the member's `Deserialize`.
    fn read<T>(value: FieldValue<'_>, variant: fn(Self) -> T) -> serde_json::Result<T>;

    /// Reads a member that may be null, and creates the variant with the member.
    ///
    /// # Errors
    ///
    /// Returns the error of the member's `Deserialize`.
    fn read_optional<T>(
        value: FieldValue<'_>,
        variant: fn(Option<Self>) -> T,
    ) -> serde_json::Result<T> {
        if value.is_null() {
            Ok(variant(None))
        } else {
            Self::read(value, Some).map(variant)
        }
    }

    /// Reads a member from the JSON of an old object that fits no variant.
    #[must_use]
    fn from_old<T: UnionEnum>(name: &str, old: Option<&T>) -> Option<Self> {
        let value = old?.raw()?.object().get(name);
        Self::read_optional(FieldValue::Json(value?), core::convert::identity).ok()?
    }

    /// Serializes a variant as an object with the discriminator and the member, if the variant has
    /// them. `names` contains the JSON name of the discriminator or `""`, the discriminator value,
    /// and the JSON name of the member.
    ///
    /// # Errors
    ///
    /// Returns the error of the serializer.
    fn serialize_variant<S: Serializer>(
        names: [&'static str; 3],
        member: Option<&Self>,
        serializer: S,
    ) -> Result<S::Ok, S::Error>;
}

#[diagnostic::do_not_recommend]
impl<M: Serialize + DeserializeOwned> EnumMember for M {
    fn read<T>(value: FieldValue<'_>, variant: fn(Self) -> T) -> serde_json::Result<T> {
        value.read().map(variant)
    }

    fn serialize_variant<S: Serializer>(
        [discriminator, value, name]: [&'static str; 3],
        member: Option<&Self>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let has_discriminator = !discriminator.is_empty();
        let length = usize::from(has_discriminator) + usize::from(member.is_some());
        let mut object = serializer.serialize_map(Some(length))?;
        if has_discriminator {
            object.serialize_entry(discriminator, value)?;
        }
        if let Some(member) = member {
            object.serialize_entry(name, member)?;
        }
        object.end()
    }
}

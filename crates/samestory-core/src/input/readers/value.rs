//! The value of a field of a JSON object, as the text that its role needs.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use sonic_rs::LazyValue;

use crate::input::record::{milliseconds, Role, ROLES};

/// The key of an object in place of a number that is not finite, with its name.
pub(super) const NOT_A_NUMBER: &str = "$notFinite";

/// The value of a field.
pub enum Value<'de> {
    Text(Cow<'de, str>),
    Nothing,
    /// Unusable for its role, with the reason.
    Wrong(String),
}

/// A text, or for other fields than the text a number as text; null as nothing; lists and objects that contain texts.
pub struct Scalar {
    pub role: Role,
}

impl Scalar {
    fn number<'de>(self, value: impl fmt::Display) -> Value<'de> {
        match self.role {
            Role::Text => self.wrong(&value.to_string()),
            _ => Value::Text(Cow::Owned(value.to_string())),
        }
    }

    fn wrong<'de>(self, got: &str) -> Value<'de> {
        Value::Wrong(match self.role {
            Role::Published => format!("cannot read a date from {got}"),
            role => format!("{}: expected a text, got {got}", ROLES[role as usize].0),
        })
    }
}

impl<'de> DeserializeSeed<'de> for Scalar {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        match self.role {
            Role::Id => identity(LazyValue::deserialize(deserializer)?.as_raw_cow()).map_err(D::Error::custom),
            _ => deserializer.deserialize_any(self),
        }
    }
}

/// An id from its JSON. A whole number is kept as written, since no number type covers all of them; another number is
/// its value (7.0 is 7).
fn identity(raw: Cow<str>) -> Result<Value, sonic_rs::Error> {
    let number = raw.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    if number && raw[1..].bytes().all(|b| b.is_ascii_digit()) {
        return Ok(Value::Text(raw));
    }
    let mut reader = sonic_rs::Deserializer::from_str(&raw);
    Ok(match reader.deserialize_any(Scalar { role: Role::Id })? {
        Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
        Value::Nothing => Value::Nothing,
        Value::Wrong(why) => Value::Wrong(why),
    })
}

impl<'de> Visitor<'de> for Scalar {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "text for the field {:?}", self.role)
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_string<E>(self, value: String) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Owned(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(self.number(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(self.number(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(self.number(value))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(self.wrong(if value { "true" } else { "false" }))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Value::Nothing)
    }

    /// A list is accepted if it is a list of texts (paragraphs); other fields use its first text.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut parts: Vec<String> = vec![];
        let mut others = false;
        while let Some(part) = seq.next_element_seed(Part)? {
            match part {
                Some(part) => parts.push(part),
                None => others = true,
            }
        }
        if others {
            return Ok(self.wrong("a list with values that are not texts"));
        }
        Ok(match self.role {
            Role::Text => Value::Text(Cow::Owned(parts.join("\n\n"))),
            Role::Published if parts.is_empty() => self.wrong("an empty list"),
            _ => parts.into_iter().next().map_or(Value::Nothing, |part| Value::Text(Cow::Owned(part))),
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let role = self.role;
        // an object in place of a text: a publisher with its name; a key, a date or a number of MongoDB
        let mut found = None;
        while let Some(key) = map.next_key::<Cow<str>>()? {
            match &*key {
                "$oid" | "$numberLong" if role != Role::Text => {
                    found = Some(map.next_value_seed(Scalar { role })?);
                }
                "name" if !matches!(role, Role::Text | Role::Id) => {
                    found = Some(map.next_value_seed(Scalar { role })?);
                }
                NOT_A_NUMBER => {
                    found = Some(Scalar { role }.wrong(&map.next_value::<String>()?));
                }
                "$date" if role == Role::Published => {
                    found = Some(match map.next_value_seed(Scalar { role })? {
                        Value::Text(date) => Value::Text(milliseconds(&date).map_or(date, Cow::Owned)),
                        other => other,
                    });
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(found.unwrap_or_else(|| self.wrong("an object")))
    }
}

/// The text of a list element; None for any other type.
struct Part;

impl<'de> DeserializeSeed<'de> for Part {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a part of a list")
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Some(value.to_owned()))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

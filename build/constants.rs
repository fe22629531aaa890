//! Writes rows as constants of Rust, for `build.rs`: whatever serde can serialize, with the names of its types.

use std::fmt::{Display, Write as _};

use serde::ser::{
    Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleVariant, Serializer,
};

use crate::services::rows::{Field, Form, Named};

/// The name of the constant of a row.
pub fn name<T: Named>(id: &str) -> String {
    let name = id.split_once('/').map_or(id, |(_, name)| name).to_uppercase().replace('-', "_");
    if T::TYPE == Field::TYPE { name + "_FIELD" } else { name }
}

/// The reference to a constant.
fn reference(of: &str, id: &str) -> String {
    let module = id.split_once('/').map_or(id, |(module, _)| module).replace('-', "_");
    let name = if of == Form::TYPE { name::<Form>(id) } else { name::<Field>(id) };
    format!("&crate::services::{module}::{name}")
}

/// The text of a constant.
#[derive(Default, Debug)]
pub struct Constants {
    out: String,
}

/// Serialization of rows does not fail.
#[derive(Debug)]
pub struct Never;

impl Display for Never {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Never {}

impl serde::ser::Error for Never {
    fn custom<T: Display>(message: T) -> Self {
        panic!("{message}")
    }
}

impl Constants {
    /// Writes a row.
    pub fn of(row: &impl Serialize) -> String {
        let mut constants = Self::default();
        row.serialize(&mut constants).expect("rows have constants");
        constants.out
    }

    #[expect(clippy::unnecessary_wraps, reason = "the result of a serializer")]
    fn add(&mut self, value: impl Display) -> Result<(), Never> {
        let _ = write!(self.out, "{value}");
        Ok(())
    }

    /// Opens a struct or a list.
    fn open(&mut self, before: &str, end: &'static str) -> Parts<'_> {
        self.out += before;
        Parts { to: self, end }
    }
}

/// The name of a variant in Rust: `access-token` is `AccessToken`.
pub fn variant_name(variant: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    variant.split('-').map(word).collect()
}

/// The elements of a list, or the fields of a struct.
#[derive(Debug)]
pub struct Parts<'a> {
    to: &'a mut Constants,
    end: &'static str,
}

impl Parts<'_> {
    fn part<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Never> {
        if !key.is_empty() {
            self.to.out += &format!("{key}: ");
        }
        value.serialize(&mut *self.to)?;
        self.to.out += ", ";
        Ok(())
    }
}

macro_rules! literals {
    ($($method:ident: $type:ty),*) => {
        $(fn $method(self, value: $type) -> Result<(), Never> {
            self.add(value)
        })*
    };
}

macro_rules! parts {
    ($($trait:ident::$method:ident($($key:ident)?)),*) => {
        $(impl $trait for Parts<'_> {
            type Ok = ();
            type Error = Never;
            fn $method<T: Serialize + ?Sized>(&mut self, $($key: &'static str,)? value: &T) -> Result<(), Never> {
                let key = "";
                $(let _ = key; let key = $key;)?
                self.part(key, value)
            }
            fn end(self) -> Result<(), Never> {
                self.to.add(self.end)
            }
        })*
    };
}

parts!(
    SerializeSeq::serialize_element(),
    SerializeTuple::serialize_element(),
    SerializeTupleVariant::serialize_field(),
    SerializeStruct::serialize_field(key),
    SerializeStructVariant::serialize_field(key)
);

impl<'a> Serializer for &'a mut Constants {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Impossible<(), Never>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Impossible<(), Never>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    literals!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
        serialize_f32: f32, serialize_f64: f64, serialize_char: char
    );

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_str(self, text: &str) -> Result<(), Never> {
        self.add(format_args!("{text:?}"))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Never> {
        self.add(format_args!("&{bytes:?}"))
    }

    fn serialize_none(self) -> Result<(), Never> {
        self.add("None")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Never> {
        self.out += "Some(";
        value.serialize(&mut *self)?;
        self.add(")")
    }

    fn serialize_unit(self) -> Result<(), Never> {
        self.add("()")
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<(), Never> {
        self.add(name)
    }

    fn serialize_unit_variant(self, name: &'static str, _: u32, variant: &'static str) -> Result<(), Never> {
        self.add(format_args!("{name}::{}", variant_name(variant)))
    }

    /// A reference to a row: its type and its id.
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, of: &'static str, id: &T) -> Result<(), Never> {
        let id = Constants::of(&id);
        self.add(reference(of, id.trim_matches('"')))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        self.out += &format!("{name}::{}(", variant_name(variant));
        value.serialize(&mut *self)?;
        self.add(")")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>, Never> {
        Ok(self.open("&[", "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, Never> {
        Ok(self.open("(", ")"))
    }

    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Never> {
        unreachable!("{name} is no row")
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Never> {
        Ok(self.open(&format!("{name}::{}(", variant_name(variant)), ")"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Never> {
        unreachable!("rows have no maps")
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts<'a>, Never> {
        Ok(self.open(&format!("{name} {{ "), "}"))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Never> {
        Ok(self.open(&format!("{name}::{} {{ ", variant_name(variant)), "}"))
    }
}

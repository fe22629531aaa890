//! Views of a profile for each kind of service. Rules read facts and locations from them; values stay in the vault.

mod app;
mod assessment;
mod messaging;
mod name_hint;
mod pair;
mod relations;
mod server;

pub use app::tokens;
pub use app::{exchanged_credentials, field_for};
pub use assessment::{Assessment, assessments, is_hosted, is_local};
pub use messaging::Messaging;
pub use name_hint::NameHint;
pub use pair::{PairByName, PairByValue, PairValue, PairValues, describe, explains_absence, is_pair_reported};
pub use relations::{BrokenRelation, broken_relations};
pub use server::s3_endpoint;
pub use server::{api_address, hosted_api};

use super::parsed::Parsed;
use super::spot::SourceId;
use crate::secret::Vault;
pub(super) fn parse(text: &str, source: SourceId, _vault: &mut Vault) -> Parsed {
    Parsed::table(Vec::new(), source, text.len())
}

//! What has to hold when the program has ended, as options.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use selvedge_machine::{END_PROPERTIES, EndProperties};

/// What has to hold when the program has ended.
#[derive(Args)]
pub struct EndArguments {
    /// Report memory that was never freed and that no pointer leads to
    #[arg(long, help_heading = "What to look for")]
    leaks: bool,

    /// Report what is wrong when the program has ended
    #[arg(long, value_name = "PROPERTY", value_parser = property(), help_heading = "What to look for")]
    at_end: Vec<EndProperties>,
}

fn property() -> impl TypedValueParser<Value = EndProperties> {
    let values = END_PROPERTIES.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).map(|name| EndProperties::named(&name).unwrap_or_default())
}

impl EndArguments {
    /// The properties that are asked.
    pub fn properties(&self) -> EndProperties {
        let leaks = if self.leaks { EndProperties::LEAKS } else { EndProperties::NONE };
        self.at_end.iter().fold(leaks, |all, &one| all.and(one))
    }

    /// The options that ask for these properties.
    pub fn words(properties: EndProperties) -> Vec<String> {
        let words = properties.iter().map(|row| match row.name {
            "leaks" => "--leaks".to_owned(),
            name => format!("--at-end={name}"),
        });
        words.collect()
    }
}

//! Any text gives a value or a reason. A value that is found is found again in its own text, and in a sentence; every
//! role takes it or says why not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rb_schema::{Role, json_in};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(value) = json_in(text) else { return };
    // Read from its own text: the last digit of a fraction may change on the way.
    let written = value.to_string();
    let value = json_in(&written).expect("its own text is an answer");
    if value.is_object() {
        let sentence = format!("The answer is {value:#}, as asked.");
        let fenced = format!("The answer:\n```json\n{value:#}\n```\n");
        let again = json_in(&sentence);
        assert_eq!(json_in(&fenced), again, "a fence and a sentence hold the same");
        assert!(again.is_ok(), "an object in a sentence is found");
    }
    for role in Role::ALL {
        let schema = role.schema(None).expect("it is sound");
        assert_eq!(schema.check(&value).is_ok(), role.accepts(&value).is_ok(), "schema and type agree");
        let plain = schema.unstrict(value.clone());
        assert_eq!(schema.unstrict(plain.clone()), plain, "nothing is left to take away");
    }
});

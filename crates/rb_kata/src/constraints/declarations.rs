//! The parameters of functions and the fields of classes, as far as they can be seen in the file.

use std::collections::BTreeMap;

use super::source::{Id, Source};
use super::syntax::Family;

/// One parameter; the receiver is none.
pub(super) struct Parameter {
    /// `None` for one that is taken apart or has no name.
    pub(super) name: Option<Id>,
    pub(super) type_id: Option<Id>,
}

/// The parameters of a function or signature.
pub(super) fn parameters(source: &Source<'_>, function: Id) -> Vec<Parameter> {
    let Some(list) = source.field(function, "parameters") else {
        // `a => a + 1`
        let single = source.field(function, "parameter");
        return single.map(|id| Parameter { name: Some(id), type_id: None }).into_iter().collect();
    };
    let mut parameters = Vec::new();
    for (index, id) in source.named(list).enumerate() {
        if is_no_parameter(source, id, index) {
            continue;
        }
        let type_id = type_of_parameter(source, id);
        let names: Vec<Id> = source.fields(id, "name").collect();
        if source.is(id, &["parameter_declaration"]) && !names.is_empty() {
            // Go: `a, b int`.
            let each = |name| Parameter { name: Some(name), type_id };
            parameters.extend(names.into_iter().map(each));
        } else {
            parameters.push(Parameter { name: name_of_parameter(source, id), type_id });
        }
    }
    parameters
}

fn is_no_parameter(source: &Source<'_>, id: Id, index: usize) -> bool {
    const OTHERS: &[&str] = &[
        "self_parameter",
        "receiver_parameter",
        "attribute_item",
        "keyword_separator",
        "positional_separator",
    ];
    let is_receiver = |pattern| source.is(pattern, &["self", "this"]);
    source.is(id, OTHERS)
        || source.field(id, "pattern").is_some_and(is_receiver)
        || (source.syntax.family == Family::Python
            && index == 0
            && ["self", "cls"].contains(&source.text(id)))
}

fn name_of_parameter(source: &Source<'_>, id: Id) -> Option<Id> {
    let name = ["name", "pattern", "left"].into_iter().find_map(|field| source.field(id, field));
    let place = name.unwrap_or(id);
    if source.is(place, &["object_pattern", "array_pattern", "destructured_parameter"]) {
        return None;
    }
    source.within(place).find(|&id| source.is(id, &["identifier"]))
}

fn type_of_parameter(source: &Source<'_>, id: Id) -> Option<Id> {
    let is_type = |child: &Id| !source.is(*child, &["modifiers", "variable_declarator"]);
    source.field(id, "type").or_else(|| {
        // Java: `int... numbers`.
        let is_spread = source.is(id, &["spread_parameter"]);
        source.named(id).find(is_type).filter(|_| is_spread)
    })
}

/// One field of a class.
pub(super) struct Field {
    pub(super) id: Id,
    /// Without `@` and `#`.
    pub(super) name: String,
    pub(super) type_id: Option<Id>,
    /// What it is set to where it is declared or first assigned.
    pub(super) value: Option<Id>,
    /// Declared so that everybody can read it.
    pub(super) is_public: bool,
}

/// The fields of every class of the file, by class; each field once.
pub(super) fn classes(source: &Source<'_>) -> BTreeMap<Id, Vec<Field>> {
    let mut classes: BTreeMap<Id, BTreeMap<String, Field>> =
        source.ids().filter(|&id| source.is_class(id)).map(|id| (id, BTreeMap::new())).collect();
    for id in source.ids() {
        let Some(class) = source.class_of(id) else { continue };
        let Some(fields) = classes.get_mut(&class) else { continue };
        for field in fields_at(source, id) {
            match fields.get_mut(&field.name) {
                // Declared without a type, then assigned.
                Some(first) if first.type_id.is_none() && first.value.is_none() => {
                    first.value = field.value;
                }
                Some(_) => {}
                None => {
                    fields.insert(field.name.clone(), field);
                }
            }
        }
    }
    let in_order = |fields: BTreeMap<String, Field>| {
        let mut fields: Vec<Field> = fields.into_values().collect();
        fields.sort_by_key(|field| field.id);
        fields
    };
    classes.into_iter().map(|(class, fields)| (class, in_order(fields))).collect()
}

/// The fields that this node declares or sets.
fn fields_at(source: &Source<'_>, id: Id) -> Vec<Field> {
    match source.syntax.family {
        Family::Rust => rust_fields(source, id),
        Family::Python => python_fields(source, id),
        Family::Ecma => ecma_field(source, id).into_iter().collect(),
        Family::Go => go_fields(source, id),
        Family::Java => java_fields(source, id),
        Family::Ruby => ruby_fields(source, id),
    }
}

fn new_field(source: &Source<'_>, name: Id, type_id: Option<Id>, value: Option<Id>) -> Field {
    let text = source.text(name).trim_start_matches(['@', '#', ':']);
    Field { id: name, name: text.to_owned(), type_id, value, is_public: false }
}

fn rust_fields(source: &Source<'_>, id: Id) -> Vec<Field> {
    if source.is(id, &["field_declaration"]) {
        let Some(name) = source.field(id, "name") else { return Vec::new() };
        let is_public = source.named(id).any(|child| source.is(child, &["visibility_modifier"]));
        let field = new_field(source, name, source.field(id, "type"), None);
        return vec![Field { is_public, ..field }];
    }
    if !source.is(id, &["ordered_field_declaration_list"]) {
        return Vec::new();
    }
    let mut fields = Vec::new();
    let mut is_public = false;
    for child in source.named(id) {
        if source.is(child, &["visibility_modifier"]) {
            is_public = true;
        } else if source.field_name(child) == "type" {
            let name = fields.len().to_string();
            fields.push(Field { id: child, name, type_id: Some(child), value: None, is_public });
            is_public = false;
        }
    }
    fields
}

fn python_fields(source: &Source<'_>, id: Id) -> Vec<Field> {
    if !source.is(id, &["assignment"]) {
        return Vec::new();
    }
    let Some(left) = source.field(id, "left") else { return Vec::new() };
    let (type_id, value) = (source.field(id, "type"), source.field(id, "right"));
    if source.is(left, &["identifier"]) {
        // A field of a data class.
        let is_field = source.is_member(id)
            && type_id.is_some_and(|of| !source.text(of).trim_start().starts_with("ClassVar"));
        let field = is_field.then(|| new_field(source, left, type_id, value));
        return field.into_iter().collect();
    }
    let is_list = source.is(left, &["pattern_list", "tuple_pattern"]);
    let targets: Vec<Id> = if is_list { source.named(left).collect() } else { vec![left] };
    let field = |target| {
        let object =
            source.field(target, "object").filter(|_| source.is(target, &["attribute"]))?;
        let name = source.field(target, "attribute")?;
        let value = value.filter(|_| !is_list);
        (source.text(object) == "self").then(|| new_field(source, name, type_id, value))
    };
    targets.into_iter().filter_map(field).collect()
}

fn ecma_field(source: &Source<'_>, id: Id) -> Option<Field> {
    match source.kind(id) {
        "public_field_definition" | "field_definition" => {
            let name = source.field(id, "name").or_else(|| source.field(id, "property"))?;
            let value = source.field(id, "value");
            let is_method = value.is_some_and(|value| source.is_function(value));
            if source.has_modifier(id, "static") || is_method {
                return None;
            }
            let is_public = !source.is(name, &["private_property_identifier"])
                && !source.has_modifier(id, "private")
                && !source.has_modifier(id, "protected");
            let field = new_field(source, name, source.field(id, "type"), value);
            Some(Field { is_public, ..field })
        }
        "required_parameter" | "optional_parameter" => {
            let is_hidden = ["private", "protected"].map(|word| source.has_modifier(id, word));
            let is_hidden = is_hidden.contains(&true);
            let is_public = !is_hidden
                && (source.has_modifier(id, "public") || source.has_token(id, "readonly"));
            if !is_hidden && !is_public {
                return None;
            }
            let name = source.field(id, "pattern")?;
            let field = new_field(source, name, source.field(id, "type"), None);
            Some(Field { is_public, ..field })
        }
        "assignment_expression" => {
            let left = source.field(id, "left")?;
            let object = source.field(left, "object")?;
            let name = source.field(left, "property")?;
            source
                .is(object, &["this"])
                .then(|| new_field(source, name, None, source.field(id, "right")))
        }
        _ => None,
    }
}

fn go_fields(source: &Source<'_>, id: Id) -> Vec<Field> {
    if !source.is(id, &["field_declaration"]) {
        return Vec::new();
    }
    let type_id = source.field(id, "type");
    let mut names: Vec<Id> = source.fields(id, "name").collect();
    if names.is_empty() {
        // An embedded type is named like the type.
        names.extend(type_id);
    }
    let field = |name| {
        let field = new_field(source, name, type_id, None);
        Field { is_public: field.name.starts_with(char::is_uppercase), ..field }
    };
    names.into_iter().map(field).collect()
}

fn java_fields(source: &Source<'_>, id: Id) -> Vec<Field> {
    let type_id = source.field(id, "type");
    if source.is(id, &["field_declaration"]) && !source.has_modifier(id, "static") {
        let is_public = source.has_modifier(id, "public");
        let field = |declarator| {
            let name = source.field(declarator, "name")?;
            let field = new_field(source, name, type_id, source.field(declarator, "value"));
            Some(Field { is_public, ..field })
        };
        return source.fields(id, "declarator").filter_map(field).collect();
    }
    let is_component = source.is(id, &["formal_parameter"])
        && source.parent(id).is_some_and(|list| source.is_in(list, &["record_declaration"]));
    let name = source.field(id, "name").filter(|_| is_component);
    name.map(|name| new_field(source, name, type_id, None)).into_iter().collect()
}

fn ruby_fields(source: &Source<'_>, id: Id) -> Vec<Field> {
    if let Some(symbols) = attribute_symbols(source, id) {
        return symbols.into_iter().map(|name| new_field(source, name, None, None)).collect();
    }
    if !source.is(id, &["assignment", "operator_assignment"]) {
        return Vec::new();
    }
    let Some(left) = source.field(id, "left") else { return Vec::new() };
    let is_list = source.is(left, &["left_assignment_list"]);
    let targets: Vec<Id> = if is_list { source.named(left).collect() } else { vec![left] };
    let value = source.field(id, "right").filter(|_| !is_list);
    targets
        .into_iter()
        .filter(|&target| source.is(target, &["instance_variable"]))
        .map(|name| new_field(source, name, None, value))
        .collect()
}

/// The names in `attr_reader :a, :b` and the like.
pub(super) fn attribute_symbols(source: &Source<'_>, id: Id) -> Option<Vec<Id>> {
    let method = source.field(id, "method").filter(|_| source.is(id, &["call"]))?;
    if !["attr_reader", "attr_writer", "attr_accessor"].contains(&source.text(method)) {
        return None;
    }
    let arguments = source.field(id, "arguments")?;
    Some(source.named(arguments).filter(|&id| source.is(id, &["simple_symbol"])).collect())
}

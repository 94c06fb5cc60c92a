//! How a hook reads an object: by which members, and whether the object is surely there.
//! Narrowing by conditions is not followed.

use oxc_ast::AstKind;
use oxc_span::GetSpan;
use rb_ecma::{Module, Types, Use};

use super::super::hooks::path_of;

/// A member that is read, by a path from the name.
pub(super) struct MemberRead<'a> {
    pub(super) names: Vec<&'a str>,
    pub(super) is_optional: bool,
    pub(super) types: Types,
    /// The value before the last member is surely there.
    pub(super) is_owner_there: bool,
    /// It is read whenever the function runs.
    pub(super) is_certain: bool,
}

impl MemberRead<'_> {
    /// As a dependency: the object may be missing while rendering, unless it is known not to be.
    pub(super) fn text(&self, root: &str, is_sure: bool) -> String {
        let dot = if is_sure && !self.is_optional { "." } else { "?." };
        let rest = self.names.join(".");
        format!("{root}{dot}{rest}")
    }
}

/// Every use as a read of a member, at most two of them; `None` where the object is used as a whole.
pub(super) fn member_paths<'a>(
    module: &Module<'a>,
    uses: &[Use<'a>],
) -> Option<Vec<MemberRead<'a>>> {
    let mut found: Vec<MemberRead<'a>> = Vec::new();
    for it in uses {
        if it.is_type() {
            return None;
        }
        let read = member_read(module, it)?;
        match found.iter_mut().find(|other| other.names == read.names) {
            Some(same) => {
                same.is_certain |= read.is_certain;
                if same.is_optional != read.is_optional {
                    return None;
                }
            }
            None => found.push(read),
        }
    }
    (1..=2).contains(&found.len()).then_some(found)
}

fn member_read<'a>(module: &Module<'a>, it: &Use<'a>) -> Option<MemberRead<'a>> {
    let mut path = path_of(module, it);
    let parent = module.parent(path.node);
    let is_callee =
        matches!(parent, AstKind::CallExpression(call) if call.callee.span() == path.span);
    if is_callee {
        // The method needs what stands before it as its receiver.
        path.names.pop();
    }
    let is_written = match parent {
        AstKind::AssignmentExpression(assignment) => assignment.left.span() == path.span,
        AstKind::UpdateExpression(_) => true,
        AstKind::UnaryExpression(it) => it.operator == oxc_syntax::operator::UnaryOperator::Delete,
        AstKind::ComputedMemberExpression(member) => member.object.span() == path.span,
        _ => false,
    };
    // One step alone: what lies deeper may be missing on the way.
    if path.names.len() != 1 || path.names[0] == "current" || is_written {
        return None;
    }
    let node = module.nodes().parent_id(it.node);
    let AstKind::StaticMemberExpression(member) = module.nodes().kind(node) else { return None };
    let types = match module
        .declared_type(&member.object)
        .and_then(|it| module.member_type(it, path.names[0]))
    {
        Some(written) => module.types_of_written(written),
        None => Types::UNKNOWN,
    };
    let owner = module.types(&member.object);
    Some(MemberRead {
        is_optional: member.optional,
        types,
        is_owner_there: owner.is_known() && !owner.includes(Types::NULLISH),
        is_certain: !member.optional && is_certain(module, it),
        names: path.names,
    })
}

/// Is the use reached whenever the function of the memo or effect runs?
fn is_certain<'a>(module: &Module<'a>, it: &Use<'a>) -> bool {
    let mut inner = it.span;
    for kind in module.ancestors(it.node) {
        match kind {
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => {
                let AstKind::CallExpression(call) = module.parent(kind.node_id()) else {
                    return false;
                };
                return matches!(
                    module.react_call(call),
                    Some("useMemo" | "useEffect" | "useLayoutEffect")
                );
            }
            AstKind::IfStatement(it) if !it.test.span().contains_inclusive(inner) => return false,
            AstKind::ConditionalExpression(it) if !it.test.span().contains_inclusive(inner) => {
                return false;
            }
            AstKind::LogicalExpression(it) if !it.left.span().contains_inclusive(inner) => {
                return false;
            }
            AstKind::SwitchStatement(_)
            | AstKind::TryStatement(_)
            | AstKind::ForStatement(_)
            | AstKind::ForOfStatement(_)
            | AstKind::ForInStatement(_)
            | AstKind::WhileStatement(_)
            | AstKind::ChainExpression(_) => return false,
            AstKind::FunctionBody(body) => {
                let before = body.statements.iter().take_while(|it| it.span().end <= inner.start);
                if before.into_iter().any(|it| module.slice(it.span()).contains("return")) {
                    return false;
                }
            }
            _ => {}
        }
        inner = kind.span();
    }
    false
}

//! Array methods written as loops. The body of the callback stays where it is; what is around it changes.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, CallExpression, Expression, StaticMemberExpression, VariableDeclarationKind,
};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_ecma::Func;

use super::at::At;
use super::entry::indented;
use super::model::{Node, Put};

/// What the parts of `xs.forEach(x => …)` are.
pub(super) struct Parts<'a> {
    pub(super) receiver: &'a Expression<'a>,
    /// `const x of xs`
    pub(super) head: String,
    /// What each element is called.
    pub(super) element: String,
    /// The index is asked for, too.
    is_indexed: bool,
    pub(super) statement: Span,
    pub(super) indent: String,
    /// A name for what is iterated, where that takes several lines.
    hoisted: Option<String>,
}

impl Parts<'_> {
    /// What comes before what is iterated.
    pub(super) fn open(&self) -> String {
        match &self.hoisted {
            Some(name) => format!("const {name} = "),
            None => format!("for ({}", self.head),
        }
    }

    /// What comes behind what is iterated, up to the bracket of the loop.
    pub(super) fn close(&self, style: &rb_ecma::Style) -> String {
        let entries = if self.is_indexed { ".entries()" } else { "" };
        match &self.hoisted {
            Some(name) => format!(
                "{}{}{}for ({}{name}{entries})",
                style.semicolon(),
                style.line_end,
                self.indent,
                self.head
            ),
            None if self.is_indexed && needs_parentheses(self.receiver) => {
                format!("){entries})")
            }
            None => format!("{entries})"),
        }
    }
}

impl<'a> At<'_, 'a> {
    pub(super) fn make_loop(
        &self,
        node: &mut Node,
        func: Func<'a>,
        call: &'a CallExpression<'a>,
        method: &str,
    ) {
        let made = if method == "forEach" {
            self.for_each(func, call)
        } else {
            self.searching(func, call, method)
        };
        match made {
            Ok(edits) => {
                node.edits.extend(edits);
                self.up_from(node, call.node_id.get());
            }
            Err((span, reason)) => {
                let suggestion = format!("write the `{method}` as a loop, then run again");
                node.barrier = Some(self.barrier(span, reason, suggestion));
            }
        }
    }

    fn for_each(&self, func: Func<'a>, call: &'a CallExpression<'a>) -> Made {
        let parts = self.parts(func, call, "forEach")?;
        if !matches!(self.module.parent(call.node_id.get()), AstKind::ExpressionStatement(_)) {
            return Err((call.span, "the result of `forEach` is used".to_owned()));
        }
        let mut edits = vec![self.replace_open(&parts, &parts.open())];
        let receiver = parts.receiver.span();
        let style = self.module.style();
        let (eol, step) = (style.line_end, style.indent);
        if let Some(body) = func.body() {
            self.returns_become_continues(func, &mut edits)?;
            self.no_comment(Span::new(receiver.end, body.span.start))?;
            self.no_comment(Span::new(body.span.end, parts.statement.end))?;
            edits.push(Put::replace(
                &self.path,
                receiver.end,
                body.span.start,
                format!("{} ", parts.close(style)),
            ));
            edits.push(Put::replace(&self.path, body.span.end, parts.statement.end, ""));
            self.dedent(&parts, body.span, &mut edits);
        } else if let Some(body) = func.returned() {
            let body = body.span();
            self.no_comment(Span::new(receiver.end, body.start))?;
            self.no_comment(Span::new(body.end, parts.statement.end))?;
            let (indent, semicolon) = (&parts.indent, style.semicolon());
            let head = format!("{} {{{eol}{indent}{step}", parts.close(style));
            edits.push(Put::replace(&self.path, receiver.end, body.start, head));
            edits.push(Put::replace(
                &self.path,
                body.end,
                parts.statement.end,
                format!("{semicolon}{eol}{indent}}}"),
            ));
        }
        Ok(edits)
    }

    pub(super) fn parts(
        &self,
        func: Func<'a>,
        call: &'a CallExpression<'a>,
        method: &str,
    ) -> Result<Parts<'a>, (Span, String)> {
        let err = |span: Span, reason: &str| Err((span, reason.to_owned()));
        let Expression::StaticMemberExpression(callee) = &call.callee else {
            return err(call.span, "the call is not a simple one");
        };
        let callee: &'a StaticMemberExpression<'a> = callee;
        if call.arguments.len() != 1 || callee.optional || call.optional {
            return err(call.span, "the call has a `this` argument, or uses `?.`");
        }
        let receiver = &callee.object;
        if matches!(receiver, Expression::SequenceExpression(_)) {
            return err(receiver.span(), "the iterated value is a comma expression");
        }
        let types = self.module.types(receiver);
        if types.is_known() && !types.may_be(rb_ecma::Types::ARRAY) {
            return err(receiver.span(), "the iterated value is not an array");
        }
        if self.may_be_map(receiver) {
            return err(receiver.span(), "the iterated value may be a `Map`");
        }
        let Some(statement) = self.statement_of(call.node_id.get()) else {
            return err(call.span, "the call is not a statement of its own");
        };
        self.free_of_this(func)?;
        let (head, element, is_indexed) = self.loop_head(func, receiver, method)?;
        let indent = self.module.indent_at(statement.start).to_owned();
        let hoisted = self.hoisted(call, receiver, &element);
        Ok(Parts { receiver, head, element, is_indexed, statement, indent, hoisted })
    }

    /// The body stood as deep as the end of what is iterated, which is a statement of its own now.
    fn dedent(&self, parts: &Parts<'a>, body: Span, edits: &mut Vec<Put>) {
        let own = self.module.indent_at(body.start);
        let Some(extra) = own.strip_prefix(parts.indent.as_str()) else { return };
        if parts.hoisted.is_none() || extra.is_empty() {
            return;
        }
        let extra = u32::try_from(extra.len()).unwrap_or(0);
        for at in indented(self.module, body.start, body.end) {
            let is_line = at == self.module.line_start(at);
            if is_line && self.module.text()[at as usize..].starts_with(own) {
                edits.push(Put::replace(&self.path, at, at + extra, ""));
            }
        }
    }

    /// A name for what is iterated: the header of a loop does not run over several lines.
    fn hoisted(
        &self,
        call: &CallExpression<'a>,
        receiver: &Expression<'a>,
        element: &str,
    ) -> Option<String> {
        let is_long = |it: Span| self.module.slice(it).matches('\n').count() > 1;
        if !is_long(receiver.span()) {
            return None;
        }
        let is_word = element.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '$');
        let base = if is_word { format!("{element}s") } else { "items".to_owned() };
        // Each loop of the file has a name of its own.
        let others = self.module.calls().iter().filter(|it| {
            it.span.start < call.span.start
                && matches!(&it.callee, Expression::StaticMemberExpression(it) if is_long(it.object.span()))
        });
        let name = match others.count() {
            0 => base,
            count => format!("{base}{}", count + 1),
        };
        Some(self.module.fresh_name(&name))
    }

    fn may_be_map(&self, receiver: &Expression<'a>) -> bool {
        match self.module.resolved(receiver) {
            Expression::NewExpression(new) => self.module.slice(new.callee.span()).contains("Map"),
            Expression::Identifier(it) => it.name.to_ascii_lowercase().ends_with("map"),
            Expression::StaticMemberExpression(it) => {
                it.property.name.to_ascii_lowercase().ends_with("map")
            }
            _ => false,
        }
    }

    /// The statement that is nothing but the call, or that binds or returns what it gives.
    fn statement_of(&self, node: NodeId) -> Option<Span> {
        let outer = self.module.nodes().parent_id(node);
        let (statement, span) = match self.module.nodes().kind(outer) {
            AstKind::ExpressionStatement(it) => (outer, it.span),
            // `return` of a callback that becomes a loop itself would leave the function around.
            AstKind::ReturnStatement(it)
                if !self.module.function_around(outer).is_some_and(|it| self.is_loop_body(it)) =>
            {
                (outer, it.span)
            }
            AstKind::VariableDeclarator(_) => {
                let declaration = self.module.nodes().parent_id(outer);
                let AstKind::VariableDeclaration(it) = self.module.nodes().kind(declaration) else {
                    return None;
                };
                if it.declarations.len() != 1 || it.kind == VariableDeclarationKind::Var {
                    return None;
                }
                (declaration, it.span)
            }
            _ => return None,
        };
        let in_list = matches!(
            self.module.parent(statement),
            AstKind::FunctionBody(_)
                | AstKind::BlockStatement(_)
                | AstKind::Program(_)
                | AstKind::SwitchCase(_)
        );
        in_list.then_some(span)
    }

    fn free_of_this(&self, func: Func<'a>) -> Result<(), (Span, String)> {
        for node in self.nodes_in(func.span()) {
            let span = node.kind().span();
            if !func.span().contains_inclusive(span) {
                continue;
            }
            let what = match node.kind() {
                AstKind::ThisExpression(_) if matches!(func, Func::Function(_)) => "`this`",
                AstKind::IdentifierReference(it)
                    if it.name == "arguments" && matches!(func, Func::Function(_)) =>
                {
                    "`arguments`"
                }
                AstKind::VariableDeclaration(it)
                    if it.kind == VariableDeclarationKind::Var
                        && self
                            .module
                            .function_around(node.id())
                            .is_some_and(|it| it.node() == func.node()) =>
                {
                    "a `var`"
                }
                _ => continue,
            };
            return Err((
                span,
                format!("the callback has its own {what}, which a loop does not have"),
            ));
        }
        Ok(())
    }

    fn loop_head(
        &self,
        func: Func<'a>,
        receiver: &Expression<'a>,
        method: &str,
    ) -> Result<(String, String, bool), (Span, String)> {
        let params = func.params();
        let err = |reason: &str| Err((func.span(), reason.to_owned()));
        if params.rest.is_some()
            || params.items.len() > 2
            || params.items.iter().any(|it| it.initializer.is_some())
        {
            return err("the callback has rest, default or additional parameters");
        }
        let keyword = self.loop_keyword(func, receiver)?;
        let text = |at: usize| {
            params.items.get(at).map(|it| self.module.slice(it.pattern.span()).to_owned())
        };
        if method != "forEach" && keyword == "let" {
            return err("the callback assigns to its parameter");
        }
        if method != "forEach"
            && !params
                .items
                .first()
                .is_some_and(|it| matches!(it.pattern, BindingPattern::BindingIdentifier(_)))
        {
            return err("the callback destructures its parameter");
        }
        match (text(0), text(1)) {
            (Some(element), None) => Ok((format!("{keyword} {element} of "), element, false)),
            (Some(element), Some(index)) => {
                Ok((format!("{keyword} [{index}, {element}] of "), element, true))
            }
            _ => {
                let element = self.module.fresh_name("item");
                Ok((format!("{keyword} {element} of "), element, false))
            }
        }
    }

    /// `let` where the callback assigns to its parameters.
    fn loop_keyword(
        &self,
        func: Func<'a>,
        receiver: &Expression<'a>,
    ) -> Result<&'static str, (Span, String)> {
        let mut keyword = "const";
        for param in &func.params().items {
            for id in param.pattern.get_binding_identifiers() {
                let within = receiver.span();
                let is_met = |it: &&'a oxc_ast::ast::IdentifierReference<'a>| {
                    let own =
                        self.module.symbol(it).map(|it| self.module.scoping().symbol_span(it));
                    it.name == id.name && !own.is_some_and(|it| within.contains_inclusive(it))
                };
                if self.module.identifiers_in(within).iter().any(is_met) {
                    return Err((
                        func.span(),
                        "a parameter of the callback has the same name as the iterated value"
                            .to_owned(),
                    ));
                }
                if id.symbol_id.get().is_none_or(|it| !self.module.is_stable(it)) {
                    keyword = "let";
                }
            }
        }
        Ok(keyword)
    }

    pub(super) fn replace_open(&self, parts: &Parts<'a>, text: &str) -> Put {
        let is_bracketed =
            parts.hoisted.is_none() && parts.is_indexed && needs_parentheses(parts.receiver);
        let open = if is_bracketed { "(" } else { "" };
        let before = &self.module.text()[..parts.statement.start as usize];
        let line = before.rsplit('\n').next().unwrap_or(before);
        // `;[1, 2].forEach` needs its semicolon, a loop does not.
        let guard = u32::from(line.trim() == ";" && line.ends_with(';'));
        let start = parts.statement.start - guard;
        let mut put =
            Put::replace(&self.path, start, parts.receiver.span().start, format!("{text}{open}"));
        put.rank = u32::MAX - parts.statement.end;
        put
    }

    pub(super) fn no_comment(&self, span: Span) -> Result<(), (Span, String)> {
        if self.module.has_comment(span) {
            return Err((span, "a comment would be lost".to_owned()));
        }
        Ok(())
    }

    /// `return` of the callback goes on with the next element.
    fn returns_become_continues(
        &self,
        func: Func<'a>,
        edits: &mut Vec<Put>,
    ) -> Result<(), (Span, String)> {
        let last = func.statements().last().map(GetSpan::span);
        for node in self.nodes_in(func.span()) {
            let AstKind::ReturnStatement(it) = node.kind() else { continue };
            let is_own =
                self.module.function_around(node.id()).is_some_and(|it| it.node() == func.node());
            if !is_own || !func.span().contains_inclusive(it.span) {
                continue;
            }
            if self.is_in_inner_loop(node.id(), func) {
                return Err((it.span, "the callback returns from inside a loop".to_owned()));
            }
            match &it.argument {
                None => edits.push(Put::replace(
                    &self.path,
                    it.span.start,
                    it.span.start + 6,
                    "continue",
                )),
                Some(argument) if last == Some(it.span) && plain_statement(argument) => {
                    edits.push(Put::replace(&self.path, it.span.start, argument.span().start, ""));
                }
                Some(argument) if self.module.is_pure0(argument) => {
                    edits.push(Put::replace(
                        &self.path,
                        it.span.start,
                        argument.span().end,
                        "continue",
                    ));
                }
                Some(_) => {
                    return Err((
                        it.span,
                        "the callback returns a value before its end".to_owned(),
                    ));
                }
            }
        }
        Ok(())
    }

    fn is_in_inner_loop(&self, node: NodeId, func: Func<'a>) -> bool {
        for id in self.module.nodes().ancestor_ids(node) {
            if id == func.node() {
                return false;
            }
            if matches!(
                self.module.nodes().kind(id),
                AstKind::ForStatement(_)
                    | AstKind::ForInStatement(_)
                    | AstKind::ForOfStatement(_)
                    | AstKind::WhileStatement(_)
                    | AstKind::DoWhileStatement(_)
            ) {
                return true;
            }
        }
        false
    }
}

pub(super) type Made = Result<Vec<Put>, (Span, String)>;
/// Would it have to stand in parentheses before `.entries()`?
fn needs_parentheses(receiver: &Expression<'_>) -> bool {
    !matches!(
        receiver,
        Expression::Identifier(_)
            | Expression::StaticMemberExpression(_)
            | Expression::ComputedMemberExpression(_)
            | Expression::CallExpression(_)
            | Expression::ArrayExpression(_)
            | Expression::ThisExpression(_)
    )
}

/// May the expression stand as a statement?
fn plain_statement(expression: &Expression<'_>) -> bool {
    matches!(
        expression,
        Expression::CallExpression(_)
            | Expression::AwaitExpression(_)
            | Expression::AssignmentExpression(_)
    )
}

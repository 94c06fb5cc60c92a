//! The schemas as they were specified, with optional keys beside.

use rb_schema::Role;

pub(super) fn schema(role: Role) -> &'static str {
    match role.name {
        "planner" => PLANNER,
        "patcher" => PATCHER,
        "critic" => CRITIC,
        "explorer" => EXPLORER,
        "tester" => TESTER,
        "implementer" => IMPLEMENTER,
        "refactorer" => REFACTORER,
        "supervisor" => SUPERVISOR,
        "impl-agent" => IMPL_AGENT,
        "verify-agent" => VERIFY_AGENT,
        "fix-agent" => FIX_AGENT,
        "pr-agent" => PR_AGENT,
        "translator" => TRANSLATOR,
        other => panic!("the schema of {other}"),
    }
}

const PLANNER: &str = r#"{
  "type": "object",
  "properties": {
    "batches": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "id": { "type": "string" },
          "goal": { "type": "string" },
          "scope_globs": { "type": "array", "items": { "type": "string" } },
          "allowed_operations": { "type": "array", "items": { "type": "string" } },
          "diff_budget_loc": { "type": "integer" },
          "risk_score": { "type": "integer", "minimum": 0, "maximum": 100 },
          "verifier_level": { "type": "string", "enum": ["fast", "full"] },
          "notes": { "type": "string" }
        },
        "required": ["id", "goal", "scope_globs", "allowed_operations", "diff_budget_loc", "risk_score", "verifier_level"]
      }
    },
    "dropped": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "id": { "type": "string" },
          "reason": { "type": "string" }
        },
        "required": ["id", "reason"]
      }
    }
  },
  "required": ["batches"]
}"#;

const PATCHER: &str = r#"{
  "type": "object",
  "properties": {
    "status": { "type": "string", "enum": ["ok", "noop", "blocked"] },
    "rationale": { "type": "string" },
    "risk_notes": { "type": "array", "items": { "type": "string" } },
    "patch_unified_diff": { "type": "string" },
    "edits": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "path": { "type": "string" },
          "search": { "type": "string" },
          "replace": { "type": "string" }
        },
        "required": ["path", "search", "replace"]
      }
    },
    "new_files": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "path": { "type": "string" },
          "content": { "type": "string" }
        },
        "required": ["path", "content"]
      }
    },
    "touched_files": { "type": "array", "items": { "type": "string" } },
    "expected_verifier": { "type": "array", "items": { "type": "string" } },
    "followups": { "type": "array", "items": { "type": "string" } },
    "needs": { "type": "array", "items": { "type": "string" } }
  },
  "required": ["status", "rationale", "risk_notes", "patch_unified_diff", "touched_files", "expected_verifier"]
}"#;

const CRITIC: &str = r#"{
  "type": "object",
  "properties": {
    "decision": { "type": "string", "enum": ["accept", "reject", "shrink_scope", "shrink_diff", "noop"] },
    "reasons": { "type": "array", "items": { "type": "string" } },
    "suggested_constraints": { "type": "object" }
  },
  "required": ["decision", "reasons"]
}"#;

const EXPLORER: &str = r#"{
  "type": "object",
  "properties": {
    "sections": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "heading": { "type": "string" },
          "statements": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "text": { "type": "string" },
                "citations": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "path": { "type": "string" },
                      "first_line": { "type": "integer" },
                      "last_line": { "type": "integer" },
                      "quote": { "type": "string" }
                    },
                    "required": ["path", "first_line", "last_line", "quote"]
                  }
                }
              },
              "required": ["text", "citations"]
            }
          }
        },
        "required": ["heading", "statements"]
      }
    },
    "not_found": { "type": "array", "items": { "type": "string" } },
    "needs": { "type": "array", "items": { "type": "string" } }
  },
  "required": ["sections", "not_found"]
}"#;

const TESTER: &str = r#"{
  "type": "object",
  "properties": {
    "reason": { "type": "string" },
    "status": { "type": "string", "enum": ["test", "complete"] },
    "requirement": { "type": "string" },
    "test_name": { "type": "string" },
    "files": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "path": { "type": "string" },
          "content": { "type": "string" }
        },
        "required": ["path", "content"]
      }
    }
  },
  "required": ["reason", "status", "requirement", "test_name", "files"]
}"#;

const IMPLEMENTER: &str = r#"{
  "type": "object",
  "properties": {
    "reason": { "type": "string" },
    "status": { "type": "string", "enum": ["ok", "blocked"] },
    "summary": { "type": "string" },
    "files": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "path": { "type": "string" },
          "content": { "type": "string" }
        },
        "required": ["path", "content"]
      }
    },
    "deleted_files": { "type": "array", "items": { "type": "string" } }
  },
  "required": ["reason", "status", "summary", "files"]
}"#;

const REFACTORER: &str = r#"{
  "type": "object",
  "properties": {
    "reason": { "type": "string" },
    "status": { "type": "string", "enum": ["ok", "nothing"] },
    "summary": { "type": "string" },
    "files": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "path": { "type": "string" },
          "content": { "type": "string" }
        },
        "required": ["path", "content"]
      }
    },
    "deleted_files": { "type": "array", "items": { "type": "string" } }
  },
  "required": ["reason", "status", "summary", "files"]
}"#;

const SUPERVISOR: &str = r#"{
  "type": "object",
  "properties": {
    "reason": { "type": "string" },
    "decision": {
      "type": "string",
      "enum": [
        "next_test",
        "simpler_test",
        "refactor_first",
        "retry_implementation",
        "retry_refactoring",
        "keep_test",
        "skip_refactoring",
        "done",
        "stop"
      ]
    },
    "guidance": { "type": "string" }
  },
  "required": ["reason", "decision", "guidance"]
}"#;

const IMPL_AGENT: &str = r#"{
  "type": "object",
  "properties": {
    "reason": { "type": "string" },
    "status": { "type": "string", "enum": ["done", "nothing", "blocked"] },
    "summary": { "type": "string" },
    "edits": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "path": { "type": "string" },
          "search": { "type": "string" },
          "replace": { "type": "string" }
        },
        "required": ["path", "search", "replace"]
      }
    },
    "new_files": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "path": { "type": "string" },
          "content": { "type": "string" }
        },
        "required": ["path", "content"]
      }
    }
  },
  "required": ["reason", "status", "summary", "edits", "new_files"]
}"#;

/// A fix is a change like an implementation.
const FIX_AGENT: &str = IMPL_AGENT;

const VERIFY_AGENT: &str = r#"{
  "type": "object",
  "properties": {
    "reason": { "type": "string" },
    "checks": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "criterion": { "type": "string" },
          "says": { "type": "string" },
          "path": { "type": "string" },
          "width": { "type": "integer", "minimum": 200, "maximum": 4000 },
          "steps": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "action": {
                  "type": "string",
                  "enum": ["goto", "click", "type", "select", "hover", "press", "wait_for_text"]
                },
                "target": { "type": "string" },
                "value": { "type": "string" }
              },
              "required": ["action", "target", "value"]
            }
          },
          "expect": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "kind": {
                  "type": "string",
                  "enum": [
                    "text_present", "text_absent", "exists", "absent", "count", "enabled", "disabled", "value_is",
                    "url_is", "title_is", "status", "no_overflow", "looks_like"
                  ]
                },
                "target": { "type": "string" },
                "value": { "type": "string" }
              },
              "required": ["kind", "target", "value"]
            }
          }
        },
        "required": ["criterion", "says", "path", "steps", "expect"]
      }
    },
    "uncheckable": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "criterion": { "type": "string" },
          "why": { "type": "string" }
        },
        "required": ["criterion", "why"]
      }
    }
  },
  "required": ["reason", "checks", "uncheckable"]
}"#;

const PR_AGENT: &str = r#"{
  "type": "object",
  "properties": {
    "title": { "type": "string" },
    "summary": { "type": "string" },
    "risk": { "type": "string" },
    "rollback": { "type": "string" }
  },
  "required": ["title", "summary", "risk", "rollback"]
}"#;

const TRANSLATOR: &str = r#"{
  "type": "object",
  "properties": {
    "operations": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "operation": {
            "type": "string",
            "enum": [
              "rename", "rename-parameter", "rename-module", "move", "move-method", "merge", "add-parameter",
              "remove-parameter", "reorder-parameters", "parameter-object", "encapsulate", "inline-reexport",
              "replace-duplicate"
            ]
          },
          "symbol": { "type": "string" },
          "symbols": { "type": "array", "items": { "type": "string" } },
          "to": { "type": "string" },
          "keep_name_in": { "type": "array", "items": { "type": "string" } },
          "alias": { "type": "boolean" },
          "rename_tests": { "type": "boolean" },
          "rename_files": { "type": "boolean" },
          "path": { "type": "string" },
          "modules": { "type": "array", "items": { "type": "string" } },
          "into": { "type": "string" },
          "merge_tests": { "type": "boolean" },
          "function": { "type": "string" },
          "functions": { "type": "array", "items": { "type": "string" } },
          "methods": { "type": "array", "items": { "type": "string" } },
          "class": { "type": "string" },
          "module": { "type": "string" },
          "name": { "type": "string" },
          "parameter": { "type": "string" },
          "parameters": { "type": "array", "items": { "type": "string" } },
          "order": { "type": "array", "items": { "type": "string" } },
          "default": { "type": "string" },
          "annotation": { "type": "string" },
          "values": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "value": { "type": "string" },
                "calls": { "type": "string", "enum": ["all", "tests", "not-tests"] },
                "within": { "type": "array", "items": { "type": "string" } }
              },
              "required": ["value", "calls"]
            }
          },
          "logs": { "type": "boolean" },
          "files": { "type": "array", "items": { "type": "string" } },
          "keep": { "type": "string" },
          "remove": { "type": "string" }
        },
        "required": ["operation"]
      }
    },
    "rest": { "type": "string" }
  },
  "required": ["operations", "rest"]
}"#;

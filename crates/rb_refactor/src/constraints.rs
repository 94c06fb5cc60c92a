//! What a critic would have the next try keep to. It can make a task smaller, never larger.

use rb_core::{RepoPath, Task};
use rb_workspace::patch::Scope;
use serde_json::{Map, Value};

/// The most wishes that are passed on, and the longest one in characters.
const WISHES: usize = 8;
const LONGEST: usize = 300;

/// The task with a smaller budget or fewer files; `None` where neither is asked for.
pub(crate) fn narrowed(task: &Task, wishes: &Map<String, Value>) -> Option<Task> {
    let mut smaller = task.clone();
    let budget = wishes.get("diff_budget_loc").and_then(Value::as_u64);
    let budget = budget.and_then(|lines| usize::try_from(lines).ok()).filter(|lines| *lines > 0);
    if let Some(lines) = budget {
        smaller.diff_budget_loc = Some(task.diff_budget_loc.map_or(lines, |now| now.min(lines)));
    }
    let globs: Vec<String> = texts(wishes.get("scope_globs"));
    if let Ok(scope) = Scope::new(&globs, &[""; 0], None)
        && task.files.iter().any(|file| scope.contains(file))
    {
        smaller.files.retain(|file| scope.contains(file));
        let is_kept = |glob: &String| {
            let one = Scope::new(&[glob], &[""; 0], None);
            let is_wanted = |file: RepoPath| scope.contains(&file);
            one.is_ok_and(|one| smaller.files.iter().any(|file| one.contains(file)))
                // A file that the task may create.
                || RepoPath::new(glob.trim_start_matches('/')).is_ok_and(is_wanted)
        };
        smaller.scope_globs.retain(is_kept);
    }
    (smaller != *task).then_some(smaller)
}

/// The wishes in words, for whoever tries again.
pub(crate) fn words(wishes: &Map<String, Value>) -> Vec<String> {
    let mut words = Vec::new();
    for (name, value) in wishes {
        match (name.as_str(), value) {
            ("diff_budget_loc", value) => {
                words.push(format!("wanted: at most {value} changed lines"));
            }
            ("scope_globs", value) => {
                words.push(format!("wanted: no file but {}", texts(Some(value)).join(", ")));
            }
            ("keep", value) => {
                words.extend(texts(Some(value)).iter().map(|it| format!("keep: {it}")));
            }
            (name, Value::String(text)) => words.push(format!("{name}: {text}")),
            (name, value) => words.push(format!("{name}: {value}")),
        }
    }
    let short = |word: String| word.chars().take(LONGEST).collect();
    words.into_iter().take(WISHES).map(short).collect()
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let all = value.and_then(Value::as_array).into_iter().flatten();
    all.filter_map(|it| it.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use rb_core::{TaskId, TaskKind};
    use serde_json::json;

    use super::*;

    fn task() -> Task {
        let mut task = Task::new(TaskId(1), "Do it", TaskKind::Change { format: None });
        task.files = ["src/a.ts", "src/b.ts"].map(|it| RepoPath::new(it).unwrap()).to_vec();
        task.scope_globs = vec!["/src/a.ts".to_owned(), "/src/b.ts".to_owned()];
        task.diff_budget_loc = Some(40);
        task
    }

    fn check(wishes: &Value, budget: usize, files: &[&str], said: &[&str]) {
        let wishes = wishes.as_object().unwrap();
        let smaller = narrowed(&task(), wishes).unwrap_or_else(task);
        let names: Vec<String> = smaller.files.iter().map(ToString::to_string).collect();
        assert_eq!(
            (smaller.diff_budget_loc, names),
            (Some(budget), files.iter().map(ToString::to_string).collect())
        );
        let globs: Vec<String> = files.iter().map(|it| format!("/{it}")).collect();
        assert_eq!(smaller.scope_globs, globs);
        assert_eq!(words(wishes), said);
    }

    #[test]
    fn rf6_a_file_that_may_be_created_stays_in_scope() {
        let mut task = task();
        task.scope_globs.push("/src/new.ts".to_owned());
        let wishes = json!({"scope_globs": ["src/a.ts", "src/new.ts"]});
        let smaller = narrowed(&task, wishes.as_object().unwrap()).unwrap();
        assert_eq!(smaller.scope_globs, ["/src/a.ts", "/src/new.ts"]);
    }

    #[test]
    fn rf6_a_critic_makes_a_task_smaller_and_never_larger() {
        let both = ["src/a.ts", "src/b.ts"];
        check(&json!({}), 40, &both, &[]);
        check(&json!({"diff_budget_loc": 12}), 12, &both, &["wanted: at most 12 changed lines"]);
        check(&json!({"diff_budget_loc": 900}), 40, &both, &["wanted: at most 900 changed lines"]);
        check(&json!({"diff_budget_loc": 0}), 40, &both, &["wanted: at most 0 changed lines"]);
        check(
            &json!({"scope_globs": ["src/a.ts"]}),
            40,
            &["src/a.ts"],
            &["wanted: no file but src/a.ts"],
        );
        check(&json!({"scope_globs": ["lib/**"]}), 40, &both, &["wanted: no file but lib/**"]);
        check(
            &json!({"keep": ["the order"], "why": "it is tested"}),
            40,
            &both,
            &["keep: the order", "why: it is tested"],
        );
    }
}

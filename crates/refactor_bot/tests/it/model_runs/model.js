// A model whose answers are written beforehand. Each call is kept, each answer is taken from a list by role and task.
const fs = require('node:fs');
const asked = JSON.parse(fs.readFileSync(0, 'utf8'));
const key = asked.task ? `${asked.role} ${asked.task}` : asked.role;
const answers = JSON.parse(fs.readFileSync(`${__dirname}/answers.json`, 'utf8'));
const list = answers[key] ?? answers[asked.role] ?? [];
const begun = String(process.hrtime.bigint());

let number = 0;
const file = () => `${__dirname}/calls/${key}.${number}.json`;
const keep = (more, flag) => fs.writeFileSync(file(), JSON.stringify({ key, begun, asked, ...more }), { flag });
for (;;) {
  try {
    keep({}, 'wx');
    break;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    number += 1;
  }
}

const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
const until = (condition) => {
  for (let at = 0; at < 6000 && !condition(); at += 1) pause();
};

/** The first plan as it was shown, taken as it is. */
function asShown() {
  const text = asked.messages[0].text;
  const shown = /^(batch-\d+) .* risk (\d+), budget (\d+), (fast|full)\n {2}goal: (.*)\n {2}files: (.*)$/gm;
  const batches = [...text.matchAll(shown)].map(([, id, risk, budget, level, goal, files]) => ({
    id,
    goal,
    scope_globs: files.split(', '),
    allowed_operations: ['edit'],
    diff_budget_loc: Number(budget),
    risk_score: Number(risk),
    verifier_level: level,
  }));
  return { value: { batches } };
}

let answer = list[Math.min(number, list.length - 1)];
if (answer === undefined) answer = asked.role === 'planner' ? asShown() : { error: { kind: 'stop', message: `no answer for ${key}` } };
if (answer.together) until(() => fs.readdirSync(`${__dirname}/calls`).length >= answer.together);
if (answer.hang) until(() => fs.existsSync(`${__dirname}/go`));
if (answer.after_ms) until(() => process.hrtime.bigint() - BigInt(begun) > BigInt(answer.after_ms) * 1000000n);
if (answer.then) answer = answer.then;
keep({ ended: String(process.hrtime.bigint()) }, 'w');
process.stdout.write(answer.print ?? JSON.stringify(answer));

// What TypeScript's parser says is declared: the judge where two other readers of JavaScript and TypeScript differ.
//
//   node declared.mjs REPOSITORY [--typescript FOLDER] < LIST
//
// LIST is one path of the repository per line. For each, one line of JSON:
//   {"path": "src/a.ts", "declared": [{"name": "run", "line": 3, "kind": "function", "inside": ["method"]}]}
// `inside` are the functions, classes and object literals around it, from the outermost. `--typescript` is the folder of the
// npm package `typescript`, version 5 or 6. Functions count that have a name, their own or that of what they are assigned
// to; an object literal is no class.

import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const [repository, flag, folder] = process.argv.slice(2)
const ts = createRequire(import.meta.url)(flag === '--typescript' ? path.resolve(folder) : 'typescript')
const { SyntaxKind } = ts

const KINDS = new Map([
  [SyntaxKind.FunctionDeclaration, 'function'],
  [SyntaxKind.FunctionExpression, 'function'],
  [SyntaxKind.ClassDeclaration, 'class'],
  [SyntaxKind.ClassExpression, 'class'],
  [SyntaxKind.MethodDeclaration, 'method'],
  [SyntaxKind.MethodSignature, 'method'],
  [SyntaxKind.Constructor, 'method'],
  [SyntaxKind.GetAccessor, 'getter'],
  [SyntaxKind.SetAccessor, 'setter'],
  [SyntaxKind.InterfaceDeclaration, 'interface'],
  [SyntaxKind.EnumDeclaration, 'enum'],
  [SyntaxKind.TypeAliasDeclaration, 'alias'],
  [SyntaxKind.ModuleDeclaration, 'namespace'],
])

for (const file of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const text = fs.readFileSync(path.join(repository, file), 'utf8')
  // JSX in `.js` is usual; in `.ts` it is an error that is read as a cast.
  const kind = /\.[cm]?jsx?$/.test(file) ? ts.ScriptKind.JSX : undefined
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind)
  process.stdout.write(JSON.stringify({ path: file, declared: declaredIn(source) }) + '\n')
}

function declaredIn(source) {
  const found = []
  const add = (name, kind, inside) => {
    const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1
    found.push({ name: nameOf(name), line, kind, inside })
  }
  const visit = (node, inside) => {
    const kind = KINDS.get(node.kind)
    if (node.kind === SyntaxKind.Constructor) add(node.getFirstToken(source), kind, inside)
    else if (kind && node.name) add(node.name, kind, inside)
    const [target, value] = assignment(node)
    const assigned = value && assignedKind(value)
    if (assigned) add(target, assigned, inside)
    const around = surrounding(node)
    const inner = around ? [...inside, around] : inside
    ts.forEachChild(node, (child) => visit(child, inner))
  }
  visit(source, [])
  return found
}

// The name and the value of `const a = …`, `x.a = …`, `a: …`, and a field of a class.
function assignment(node) {
  if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) return [node.name, node.initializer]
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== SyntaxKind.EqualsToken) return []
  const { left, right } = node
  if (ts.isPropertyAccessExpression(left)) return [left.name, right]
  if (ts.isElementAccessExpression(left)) return [left.argumentExpression, right]
  return [left, right]
}

function assignedKind(value) {
  while (ts.isParenthesizedExpression(value) || ts.isAsExpression(value)) value = value.expression
  if (ts.isBinaryExpression(value) && value.operatorToken.kind === SyntaxKind.EqualsToken) return assignedKind(value.right)
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return 'function'
  return ts.isClassExpression(value) ? 'class' : undefined
}

function surrounding(node) {
  if (ts.isObjectLiteralExpression(node)) return 'object'
  if (ts.isArrowFunction(node)) return 'function'
  return ['function', 'class', 'method', 'getter', 'setter', 'interface'].find((kind) => kind === KINDS.get(node.kind))
}

function nameOf(name) {
  return ts.isStringLiteralLike(name) || ts.isIdentifier(name) || ts.isPrivateIdentifier(name) ? name.text : name.getText()
}

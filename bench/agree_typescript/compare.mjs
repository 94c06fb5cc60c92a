// How often do we and TypeScript lead an import to the same file?
//
//   node compare.mjs REPOSITORY GRAPH.json [--typescript FOLDER] [--show COUNT]
//   node compare.mjs REPOSITORY --list [--typescript FOLDER]
//
// GRAPH.json is DEPENDENCY_GRAPH.json, or anything of its shape:
//   {"files": [{"path": "src/a.ts", "imports": [{"specifier": "./b", "resolved": ["src/b.ts"] | null, "external": "react" | null,
//     "builtin": false}]}]}
// `--list` prints the imports that TypeScript sees in that shape, without an answer. `--typescript` is the folder of the npm
// package `typescript`, version 5 or 6; without it, it is looked for as any import of this script is.
//
// The repository is copied, and its workspace packages are linked into `node_modules`, as an install does; nothing is
// installed. Each import of each source file is asked of `ts.resolveModuleName` under the options of the tsconfig that holds
// the file. A bare name that TypeScript does not find counts as external, since no package is installed.
//
// Every difference is put into a class. Where TypeScript finds nothing and we find a file, it left the question to a bundler
// or to a build that has not run: these classes are counted apart, for there is no answer that could be agreed with.
//   asset    a picture, style sheet or component under its full name
//   query    `./a.svg?raw`, `raw-loader!./a`
//   rooted   `/src/main.ts`, from the root of the site
//   package  a package of this repository whose entry is built, or not exported under the name as it is written
//   alias    another name: `@/a` without a tsconfig that says so, `exports` where the config asks for rules without them

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

const SCRIPT = /\.[cm]?[jt]sx?$/
const BEYOND = new Set(['asset', 'query', 'rooted', 'package', 'alias'])

const options = readArguments(process.argv.slice(2))
const ts = createRequire(import.meta.url)(options.typescript ?? 'typescript')

function main() {
  const copy = copyRepository(options.repository)
  try {
    const manifests = readManifests(copy)
    linkPackages(copy, manifests)
    const seen = importsOf(copy)
    if (options.list) process.stdout.write(JSON.stringify({ files: seen.map(withoutAnswers) }) + '\n')
    else report(compare(seen, readGraph(options.graph), manifests))
  } finally {
    fs.rmSync(copy.root, { recursive: true, force: true })
  }
}

function readArguments(words) {
  const read = { show: 5, list: false }
  const plain = []
  while (words.length > 0) {
    const word = words.shift()
    if (word === '--typescript') read.typescript = path.resolve(words.shift())
    else if (word === '--show') read.show = Number(words.shift())
    else if (word === '--list') read.list = true
    else plain.push(word)
  }
  ;[read.repository, read.graph] = plain
  if (!read.repository || (!read.graph && !read.list)) {
    console.error('usage: compare.mjs REPOSITORY GRAPH.json [--typescript FOLDER] [--show COUNT]')
    process.exit(2)
  }
  return read
}

// The tracked files of a git checkout; of another folder, all files.
function copyRepository(repository) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'agree-')))
  const files = listFiles(repository).filter((file) => {
    const stat = fs.lstatSync(path.join(repository, file), { throwIfNoEntry: false })
    if (!stat?.isFile() && !stat?.isSymbolicLink()) return false
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    if (stat.isSymbolicLink()) copyLink(repository, root, file)
    else fs.copyFileSync(path.join(repository, file), path.join(root, file))
    return stat.isFile()
  })
  return { root, files, tracked: new Set(files) }
}

// An import of a link leads to the file behind it. A link out of the repository is left away.
function copyLink(repository, root, file) {
  const target = fs.readlinkSync(path.join(repository, file))
  const inside = path.join(path.dirname(file), target)
  if (!path.isAbsolute(target) && !inside.startsWith('..')) fs.symlinkSync(target, path.join(root, file))
}

function listFiles(repository) {
  if (fs.existsSync(path.join(repository, '.git'))) {
    const git = ['-C', repository, 'ls-files', '-z']
    return execFileSync('git', git, { maxBuffer: 1 << 30, encoding: 'utf8' }).split('\0').filter(Boolean).sort()
  }
  const entries = fs.readdirSync(repository, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(repository, path.join(entry.parentPath, entry.name))).sort()
}

function readManifests({ root, files }) {
  const manifests = new Map()
  for (const file of files.filter((file) => path.basename(file) === 'package.json')) {
    try {
      const json = JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'))
      if (json && typeof json === 'object' && !Array.isArray(json)) manifests.set(path.dirname(file), json)
    } catch {
      // Fixtures hold broken manifests on purpose.
    }
  }
  return manifests
}

// Members go into the root's `node_modules`, as npm and yarn do it, and what a package declares as local into its own, as
// pnpm does it.
function linkPackages(copy, manifests) {
  const roots = workspaceRoots(copy, manifests)
  for (const [root, members] of roots) {
    for (const member of members) {
      const { name } = manifests.get(member)
      if (name) link(copy.root, root, name, member)
    }
  }
  for (const [folder, json] of manifests) {
    const [, members = []] = [...roots].find(([root, all]) => root === folder || all.includes(folder)) ?? []
    const declared = { ...json.peerDependencies, ...json.optionalDependencies, ...json.devDependencies, ...json.dependencies }
    for (const [name, version] of Object.entries(declared)) {
      const local = /^(?:link|file|portal|workspace):(\..*)$/.exec(version)?.[1]
      const member = /^workspace:/.test(version) && members.find((member) => manifests.get(member).name === name)
      if (local) link(copy.root, folder, name, path.join(folder, local))
      else if (member) link(copy.root, folder, name, member)
    }
  }
}

function link(root, folder, name, target) {
  const at = path.join(root, folder, 'node_modules', name)
  if (fs.existsSync(at) || !fs.existsSync(path.join(root, target))) return
  fs.mkdirSync(path.dirname(at), { recursive: true })
  fs.symlinkSync(path.join(root, target), at)
}

function workspaceRoots({ root, files }, manifests) {
  const roots = new Map()
  for (const folder of new Set([...manifests.keys(), ...files.filter((file) => /pnpm-workspace\.ya?ml$/.test(file)).map((file) => path.dirname(file))])) {
    const { workspaces } = manifests.get(folder) ?? {}
    const patterns = [...(Array.isArray(workspaces) ? workspaces : (workspaces?.packages ?? []))]
    const yaml = path.join(root, folder, 'pnpm-workspace.yaml')
    if (fs.existsSync(yaml)) {
      const list = /^packages:\n((?:[ \t]*(?:-.*|#.*)?\n)*)/m.exec(fs.readFileSync(yaml, 'utf8'))?.[1] ?? ''
      patterns.push(...[...list.matchAll(/^[ \t]*-\s*['"]?([^'"#\n]+?)['"]?\s*(?:#.*)?$/gm)].map((match) => match[1]))
    }
    if (patterns.length === 0) continue
    const inner = [...manifests.keys()].filter((member) => member !== folder && (folder === '.' || member.startsWith(folder + '/')))
    roots.set(folder, inner.filter((member) => isMember(path.posix.relative(folder, member), patterns)))
  }
  return roots
}

function isMember(folder, patterns) {
  const matches = (pattern) => {
    const escaped = pattern.replace(/^\.\//, '').replace(/\/$/, '').replace(/[.+^$()|[\]\\]/g, '\\$&')
    const source = escaped
      .replace(/\{([^}]*)\}/g, (_, words) => `(?:${words.split(',').join('|')})`)
      .replace(/\*\*\/?|\*/g, (star) => (star === '*' ? '[^/]*' : '.*'))
    return new RegExp(`^${source}$`).test(folder)
  }
  const taken = patterns.some((pattern) => !pattern.startsWith('!') && matches(pattern))
  return taken && !patterns.some((pattern) => pattern.startsWith('!') && matches(pattern.slice(1)))
}

// Per source file: its imports with TypeScript's answer, a path of the repository or null.
function importsOf(copy) {
  const projects = new Projects(copy)
  return copy.files.filter((file) => SCRIPT.test(file)).map((file) => {
    const at = path.join(copy.root, file)
    const compilerOptions = projects.optionsFor(file)
    const impliedNodeFormat = ts.getImpliedNodeFormatForFile(at, undefined, ts.sys, compilerOptions)
    const text = fs.readFileSync(at, 'utf8')
    const source = ts.createSourceFile(at, text, { languageVersion: ts.ScriptTarget.Latest, impliedNodeFormat }, true)
    const imports = new Map()
    for (const { literal, kind } of specifiersOf(source)) {
      const mode = ts.getModeForUsageLocation(source, literal, compilerOptions)
      const found = ts.resolveModuleName(literal.text, at, compilerOptions, ts.sys, undefined, undefined, mode).resolvedModule
      const answer = found && path.relative(copy.root, ts.sys.realpath(found.resolvedFileName))
      const expected = copy.tracked.has(answer) ? answer : null
      imports.set(literal.text, { specifier: literal.text, kind, expected, claimed: isClaimed(literal.text, compilerOptions) })
    }
    return { path: file, imports: [...imports.values()] }
  })
}

// Does `paths` have a pattern for the name? A star alone has one for every name and does not count.
function isClaimed(specifier, { paths = {} }) {
  return Object.keys(paths).some((key) => {
    const [prefix, suffix] = key.split('*')
    if (suffix === undefined) return key === specifier
    return prefix + suffix !== '' && specifier.startsWith(prefix) && specifier.endsWith(suffix)
  })
}

function specifiersOf(source) {
  const found = []
  const add = (literal, kind) => literal && ts.isStringLiteralLike(literal) && found.push({ literal, kind })
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier, 'import')
    else if (ts.isExternalModuleReference(node)) add(node.expression, 'require')
    else if (ts.isImportTypeNode(node)) add(node.argument.literal, 'import')
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], 'import')
    else if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'require' && node.arguments.length === 1) {
      add(node.arguments[0], 'require')
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

// The config that a file goes by: the nearest tsconfig or jsconfig upward that holds it, itself or through its
// references; else the nearest.
class Projects {
  constructor({ root }) {
    this.root = root
    this.parsed = new Map()
  }

  optionsFor(file) {
    let nearest
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
      const names = ['tsconfig.json', 'jsconfig.json'].map((name) => path.join(this.root, folder, name))
      const config = names.find((name) => fs.existsSync(name))
      nearest ??= config
      const owner = config && this.owner(config, path.join(this.root, file), new Set())
      if (owner) return this.options(owner)
      if (folder === '.') return this.options(nearest)
    }
  }

  owner(config, file, seen) {
    if (seen.has(config) || !fs.existsSync(config)) return undefined
    seen.add(config)
    const { names, references } = this.parse(config)
    if (names.has(file)) return config
    for (const reference of references) {
      const owner = this.owner(reference, file, seen)
      if (owner) return owner
    }
    return undefined
  }

  parse(config) {
    if (!this.parsed.has(config)) {
      const { config: json } = ts.readConfigFile(config, ts.sys.readFile)
      const parsed = ts.parseJsonConfigFileContent(json ?? {}, ts.sys, path.dirname(config), undefined, config)
      // JavaScript beside TypeScript goes by the same config.
      const wide = ts.parseJsonConfigFileContent(json ?? {}, ts.sys, path.dirname(config), { allowJs: true, outDir: parsed.options.outDir }, config)
      const references = (parsed.projectReferences ?? []).map((reference) => ts.resolveProjectReferencePath(reference))
      this.parsed.set(config, { options: parsed.options, names: new Set(wide.fileNames), references })
    }
    return this.parsed.get(config)
  }

  // JSON is looked for whatever the config says. Where nothing says how modules are found (a config that would be
  // installed may), it is by the rules of bundlers.
  options(config) {
    const options = config ? { ...this.parse(config).options } : {}
    options.resolveJsonModule = true
    if (options.moduleResolution === undefined && !(options.module >= ts.ModuleKind.Node16)) {
      options.moduleResolution = ts.ModuleResolutionKind.Bundler
      options.module = ts.ModuleKind.ESNext
    }
    return options
  }
}

function withoutAnswers({ path, imports }) {
  return { path, imports: imports.map(({ specifier, kind }) => ({ specifier, kind })) }
}

function readGraph(file) {
  const { files = [] } = JSON.parse(fs.readFileSync(file, 'utf8'))
  const ours = new Map()
  for (const { path, imports = [] } of files) {
    for (const { specifier, resolved, external, builtin } of imports) {
      // TypeScript cannot tell a module of the runtime from a package that is not installed.
      ours.set(`${path}\0${specifier}`, { resolved: [resolved ?? []].flat(), external: Boolean(external || builtin) })
    }
  }
  return ours
}

function compare(seen, ours, manifests) {
  const names = new Set([...manifests.values()].map((json) => json.name))
  const classes = new Map()
  for (const { path, imports } of seen) {
    for (const { specifier, expected, claimed } of imports) {
      const answer = ours.get(`${path}\0${specifier}`)
      const kind = classify(specifier, expected, answer, names, claimed)
      if (!classes.has(kind)) classes.set(kind, [])
      classes.get(kind).push({ path, specifier, expected, answer })
    }
  }
  return classes
}

function classify(specifier, expected, answer, names, claimed) {
  const relative = /^\.{0,2}\//.test(specifier) || /^\.\.?$/.test(specifier)
  if (!answer) return 'not seen'
  const found = answer.resolved.length > 0
  if (expected) {
    if (answer.resolved.includes(expected)) return 'same'
    return found ? 'other file' : 'missed'
  }
  const name = /^(?:@[^/]+\/)?[^/?]+/.exec(specifier)?.[0]
  // TypeScript cannot tell a package that is not installed from a file that is not there. What has no name that a package can
  // have is of the second kind; the name of a package of this repository, or one that a manifest claims, may be either.
  const packageLike = !relative && /^(?:@[\w-][\w.~-]*\/)?[\w-][\w.~-]*$/.test(name)
  const either = names.has(name) || claimed || /^(?:[\w-]+:|#)/.test(specifier)
  if (!found) return either || answer.external === packageLike ? 'same' : 'inside or outside'
  if (specifier.includes('?') || specifier.includes('!')) return 'query'
  if (specifier.startsWith('/')) return 'rooted'
  if (!answer.resolved.some((file) => SCRIPT.test(file))) return 'asset'
  if (!relative && (names.has(name) || specifier.startsWith('#'))) return 'package'
  return relative ? 'found where TypeScript finds nothing' : 'alias'
}

function report(classes) {
  const count = (kinds) => kinds.reduce((sum, kind) => sum + (classes.get(kind)?.length ?? 0), 0)
  const kinds = [...classes.keys()].sort()
  const all = count(kinds)
  const asked = count(kinds.filter((kind) => !BEYOND.has(kind)))
  const percent = (part, whole) => `${((100 * part) / Math.max(whole, 1)).toFixed(2)} %`
  console.log(`imports ${all}`)
  console.log(`same ${count(['same'])}, ${percent(count(['same']), asked)} of ${asked} that TypeScript answers, ${percent(count(['same']), all)} of all`)
  const led = [...classes].flatMap(([kind, rows]) => rows.filter((row) => row.expected).map(() => kind))
  const alike = led.filter((kind) => kind === 'same').length
  console.log(`${percent(alike, led.length)} of ${led.length} that TypeScript leads to a file of the repository`)
  for (const kind of kinds.filter((kind) => kind !== 'same')) {
    const rows = classes.get(kind)
    console.log(`\n${kind}: ${rows.length}${BEYOND.has(kind) ? ' (beyond TypeScript)' : ''}`)
    for (const { path, specifier, expected, answer } of rows.slice(0, options.show)) {
      const ours = answer?.resolved.join(', ') || (answer?.external ? 'external' : 'nothing')
      console.log(`  ${path}: '${specifier}' TypeScript ${expected ?? 'nothing'}, we ${ours}`)
    }
  }
}

main()

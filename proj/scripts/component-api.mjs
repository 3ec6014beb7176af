/**
 * What a component really imports from others and exports, and what its doc/API.md says about it. Shared by the test
 * that compares the two and the script that rewrites the document.
 */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { load } from 'js-yaml'
import ts from 'typescript'
import { signaturesOf } from './api-signatures.mjs'

const KINDS = ['functions', 'classes', 'values', 'types']
const FENCE = /^```yaml\n(dependencies|exports):[^]*?^```$/gm
/** The last section: what others use, with the signatures. */
const SIGNATURES = /\n## Signatures\n\n```ts\n([^]*?)```\n$/

/** The names of the components that have sources. */
export function listComponents(root) {
  return readdirSync(join(root, 'proj', 'comp')).filter(name => existsSync(indexOf(root, name)))
}

/** Reads the sources of all components once; the result tells the API of one. */
export function readSources(root) {
  const names = listComponents(root)
  const entryPoints = join(root, 'proj', 'src')
  const files = [...names.map(name => sourcesOf(root, name)), entryPoints].flatMap(filesIn)
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config, ts.sys, root,
  )
  const program = ts.createProgram(files, options)
  const dependencies = new Map(names.map(name => [name, dependenciesOf(program, root, sourcesOf(root, name))]))
  const used = usedNames([...dependencies.values(), dependenciesOf(program, root, entryPoints)])
  return name => ({
    dependencies: dependencies.get(name), exports: exportsOf(program, root, name),
    signatures: signaturesOf(
      program, sourcesOf(root, name), exportedSymbols(program, root, name), used.get(`proj/comp/${name}`) ?? [],
    ),
  })
}

/** The declared API, in the same form. @throws Error when a fence is missing or is no YAML */
function parseApiDoc(markdown) {
  const [dependencies, exports] = ['dependencies', 'exports'].map(key => {
    const fence = [...markdown.matchAll(FENCE)].find(([, title]) => title === key)
    if (fence === undefined) throw new Error(`no yaml fence that begins with '${key}:'`)
    return load(fence[0].slice('```yaml\n'.length, -'```'.length))[key] ?? {}
  })
  const modules = Object.entries(dependencies).map(([key, names]) => [key, names === '*' ? '*' : normal(names)])
  const signatures = (SIGNATURES.exec(markdown)?.[1] ?? '').split('\n').slice(0, -1)
  return { dependencies: sortedObject(modules), exports: normal(exports), signatures }
}

/** The document with both fences and the signatures rewritten. */
export function writeApiDoc(markdown, api) {
  const fences = markdown.replaceAll(FENCE, (_, key) => `\`\`\`yaml\n${render(key, api[key])}\`\`\``)
  const lines = api.signatures ?? []
  const section = lines.length === 0 ? '' : `\n## Signatures\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`
  return `${fences.replace(SIGNATURES, '')}${section}`
}

/** The differences in words, one a line; none when the document is right. */
export function checkApiDoc(markdown, actual) {
  try {
    return compareApis(parseApiDoc(markdown), actual)
  } catch (error) {
    return [error.message]
  }
}

function compareApis(declared, actual) {
  const modules = [...new Set([...Object.keys(declared.dependencies), ...Object.keys(actual.dependencies)])].sort()
  return [
    ...modules.flatMap(key => compareNames(`dependency ${key}`, declared.dependencies[key], actual.dependencies[key])),
    ...compareNames('exports', declared.exports, actual.exports),
    ...compareSignatures(declared.signatures, actual.signatures ?? []),
  ]
}

function compareNames(what, declared, actual) {
  if (declared === undefined) return [`${what} is imported, but not declared`]
  if (actual === undefined) return [`${what} is declared, but not imported`]
  if (declared === '*' && actual === '*') return []
  if (declared === '*' || actual === '*') return [`${what} should be ${JSON.stringify(actual)}`]
  return [...new Set([...Object.keys(declared), ...Object.keys(actual)])].flatMap(kind => {
    const [was, is] = [declared[kind] ?? [], actual[kind] ?? []]
    const [missing, extra] = [is.filter(name => !was.includes(name)), was.filter(name => !is.includes(name))]
    return [
      ...(missing.length > 0 ? [`${what}: ${kind} lack ${missing.join(', ')}`] : []),
      ...(extra.length > 0 ? [`${what}: ${kind} name ${extra.join(', ')}, which the code does not`] : []),
    ]
  })
}

function compareSignatures(declared, actual) {
  return [
    ...actual.filter(line => !declared.includes(line)).map(line => `signatures lack: ${line.trim()}`),
    ...declared.filter(line => !actual.includes(line)).map(line => `signatures have, and the code not: ${line.trim()}`),
  ]
}

function indexOf(root, name) {
  return join(root, 'proj', 'comp', name, 'src', 'index.ts')
}

function sourcesOf(root, name) {
  return dirname(indexOf(root, name))
}

function filesIn(directory) {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts')).map(file => join(directory, file))
}

function exportsOf(program, root, name) {
  const checker = program.getTypeChecker()
  return group(exportedSymbols(program, root, name).map(symbol => [kindOf(checker, symbol), symbol.name]))
}

function exportedSymbols(program, root, name) {
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(program.getSourceFile(indexOf(root, name)))
  return module === undefined ? [] : checker.getExportsOfModule(module)
}

/** By component the names of its exports that others import: other components, and entry points. */
function usedNames(allDependencies) {
  const used = new Map()
  for (const [module, names] of allDependencies.flatMap(Object.entries)) {
    if (names !== '*') used.set(module, [...used.get(module) ?? [], ...Object.values(names).flat()])
  }
  return used
}

/** @param directory of the sources of a component, or of the entry points */
function dependenciesOf(program, root, directory) {
  const checker = program.getTypeChecker()
  const found = new Map()
  for (const file of filesIn(directory)) {
    for (const { specifier, names } of importsOf(program.getSourceFile(file), checker)) {
      const key = moduleKey(root, file, directory, specifier)
      if (key === undefined) continue
      const present = found.get(key) ?? []
      found.set(key, names === '*' || present === '*' ? '*' : [...present, ...names])
    }
  }
  return sortedObject([...found].map(([key, names]) => [key, names === '*' ? '*' : group(names)]))
}

/** `undefined` for the component's own files. */
function moduleKey(root, file, directory, specifier) {
  if (specifier.startsWith('node:')) return specifier
  if (!specifier.startsWith('.')) return `external/${specifier}`
  const target = resolve(dirname(file), specifier)
  if (target.startsWith(directory + sep)) return undefined
  const path = relative(root, target).split(sep).join('/')
  return path.replace(/^(proj\/comp\/[^/]+)\/.*/, '$1')
}

/** Every import, re-export, dynamic import and import type of a file, with the names taken (`*`: the whole). */
function importsOf(file, checker) {
  const found = []
  const visit = node => {
    const one = importOf(node, checker)
    if (one !== undefined) found.push(one)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function importOf(node, checker) {
  const named = elements => elements.map(element => {
    const name = element.propertyName ?? element.name
    const kind = kindOf(checker, checker.getSymbolAtLocation(element.name), isTypeOnly(element))
    return [kind, name.text]
  })
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause
    const bindings = clause?.namedBindings
    const specifier = node.moduleSpecifier.text
    if (clause === undefined || (bindings && ts.isNamespaceImport(bindings))) return { specifier, names: '*' }
    const whole = clause.name && [kindOf(checker, checker.getSymbolAtLocation(clause.name)), clause.name.text]
    return { specifier, names: [...(whole ? [whole] : []), ...(bindings ? named(bindings.elements) : [])] }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    const specifier = node.moduleSpecifier.text
    const clause = node.exportClause
    return { specifier, names: clause !== undefined && ts.isNamedExports(clause) ? named(clause.elements) : '*' }
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments
    if (argument === undefined || !ts.isStringLiteralLike(argument)) return undefined
    return { specifier: argument.text, names: takenFrom(node, checker) }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const index = ts.isIndexedAccessTypeNode(node.parent) ? node.parent.indexType : undefined
    const name = node.qualifier?.getText().split('.')[0] ?? index?.literal?.text
    return { specifier: node.argument.literal.text, names: name === undefined ? '*' : [['types', name]] }
  }
  return undefined
}

/** The names of `const { a, b } = await import(…)` and `(await import(…)).a`. */
function takenFrom(call, checker) {
  if (!ts.isAwaitExpression(call.parent)) return '*'
  const module = checker.getTypeAtLocation(call.parent)
  const withKind = name => [kindOf(checker, module.getProperty(name)), name]
  const { parent } = call.parent
  if (ts.isParenthesizedExpression(parent) && ts.isPropertyAccessExpression(parent.parent)) {
    return [withKind(parent.parent.name.text)]
  }
  if (!ts.isVariableDeclaration(parent) || !ts.isObjectBindingPattern(parent.name)) return '*'
  return parent.name.elements.map(element => withKind((element.propertyName ?? element.name).getText()))
}

function isTypeOnly(element) {
  return element.isTypeOnly || element.parent.parent.isTypeOnly
}

/** One of KINDS. What cannot be resolved counts as a value. */
function kindOf(checker, symbol, typeOnly = false) {
  if (typeOnly) return 'types'
  const target = symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const flags = target?.flags ?? 0
  if (flags & ts.SymbolFlags.Class) return 'classes'
  if (flags & ts.SymbolFlags.Function) return 'functions'
  if (flags & ts.SymbolFlags.Value) {
    const type = checker.getTypeOfSymbol(target)
    if (type.getConstructSignatures().length > 0) return 'classes'
    return type.getCallSignatures().length > 0 ? 'functions' : 'values'
  }
  return flags & ts.SymbolFlags.Type ? 'types' : 'values'
}

function group(names) {
  const isValue = name => names.some(([kind, other]) => other === name && kind !== 'types')
  const namesOf = kind => names.filter(([of, name]) => of === kind && !(kind === 'types' && isValue(name)))
    .map(([, name]) => name)
  return normal(Object.fromEntries(KINDS.map(kind => [kind, namesOf(kind)])))
}

/** Kinds in order, names sorted and unique, empty kinds left out. Classes may be declared as a map to their methods. */
function normal(names) {
  const kinds = [...KINDS, ...Object.keys(names).filter(kind => !KINDS.includes(kind))]
  return Object.fromEntries(kinds.flatMap(kind => {
    const value = names[kind] ?? []
    const list = [...new Set(Array.isArray(value) ? value : Object.keys(value))].sort()
    return list.length === 0 ? [] : [[kind, list]]
  }))
}

function sortedObject(entries) {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function render(key, content) {
  const entries = Object.entries(content)
  if (entries.length === 0) return `${key}: {}\n`
  if (key === 'exports') return `${key}:\n${renderKinds(content, '  ')}`
  return `${key}:\n${entries.map(([module, names]) => (
    names === '*' ? `  ${module}: "*"\n` : `  ${module}:\n${renderKinds(names, '    ')}`
  )).join('')}`
}

/** Lists that are longer than a line go on below their bracket. */
function renderKinds(kinds, indent) {
  return Object.entries(kinds).map(([kind, names]) => {
    const line = `${indent}${kind}: [${names.join(', ')}]`
    if (line.length <= 120) return `${line}\n`
    const rows = ['']
    for (const name of names) {
      if (rows.at(-1).length + name.length > 114 - indent.length) rows.push('')
      rows[rows.length - 1] += `${rows.at(-1) === '' ? '' : ' '}${name},`
    }
    return `${indent}${kind}: [\n${rows.map(row => `${indent}    ${row}\n`).join('')}${indent}  ]\n`
  }).join('')
}

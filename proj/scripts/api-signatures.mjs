/**
 * The signatures of what a component exports and others use, as its doc/API.md shows them (seed 002): a comment says
 * what it throws, by its docstring, and where its cases are: the test data that a test reads which imports it, else
 * that test.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import ts from 'typescript'

const WIDTH = 120
const PRINTER = ts.createPrinter({ removeComments: true })
/** As many places of cases as are named. */
const MOST_PLACES = 2

/**
 * @param directory of the component's sources
 * @param symbols what it exports
 * @param used names that others import
 * @returns lines, without the fence
 */
export function signaturesOf(program, directory, symbols, used) {
  const checker = program.getTypeChecker()
  const tests = testsOf(directory)
  const shown = symbols.filter(({ name }) => used.includes(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
  return shown.flatMap(exported => {
    const { name } = exported
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const declarations = (symbol.declarations ?? []).filter(isShown)
    const [first] = declarations
    if (first === undefined) return []
    const notes = [throwsOf(symbol), casesOf(name, tests)].filter(Boolean).join(' ')
    const lines = ts.isClassDeclaration(first) ? classLines(name, first, checker)
      : functionLines(name, declarations, checker)
    return [...(notes === '' ? [] : wrapped(`// ${notes}`, '// ')), ...lines]
  })
}

function isShown(node) {
  return ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)
    || (ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isArrowFunction(node.initializer))
}

/** Overloads: all of them, without the one that has the body. */
function functionLines(name, declarations, checker) {
  const overloads = declarations.filter(node => ts.isFunctionDeclaration(node) && node.body === undefined)
  return (overloads.length > 0 ? overloads : declarations.slice(0, 1)).flatMap(node => {
    const made = ts.isVariableDeclaration(node) ? node.initializer : node
    return wrapped(`${name}${callText(made, checker)}`)
  })
}

/** A class with its public constructor and methods. */
function classLines(name, node, checker) {
  const members = node.members.filter(member => ts.isConstructorDeclaration(member) || ts.isMethodDeclaration(member))
    .filter(member => !hasModifier(member, 'private') && (member.name === undefined || ts.isIdentifier(member.name)))
  const bodyless = members.filter(({ body }) => body === undefined).map(member => member.name?.getText())
  const lines = members.filter(member => member.body === undefined || !bodyless.includes(member.name?.getText()))
    .flatMap(member => {
      const called = ts.isConstructorDeclaration(member) ? 'constructor' : member.name.getText()
      const modifier = hasModifier(member, 'static') ? 'static ' : ''
      return wrapped(`  ${modifier}${called}${callText(member, checker)}`, '      ')
    })
  return lines.length === 0 ? [`class ${name}`] : [`class ${name} {`, ...lines, '}']
}

function hasModifier(node, word) {
  return (ts.getModifiers(node) ?? []).some(modifier => modifier.getText() === word)
}

/** Type parameters, parameters and result; a parameter with a default is one that may be left out. */
function callText(node, checker) {
  const generic = node.typeParameters ? `<${node.typeParameters.map(plain).join(', ')}>` : ''
  const parameters = node.parameters.map(({ name, dotDotDotToken, questionToken, initializer, type }) => {
    const left = ts.isIdentifier(name) ? name.text : plain(name).replace(/ = [^,}]*[^,} ]/g, '').replace(/, \}/, ' }')
    const kind = type ? plain(type) : initializer ? checker.typeToString(checker.getTypeAtLocation(name)) : ''
    const optional = questionToken || initializer ? '?' : ''
    return `${dotDotDotToken ? '...' : ''}${left}${optional}${kind === '' ? '' : `: ${kind}`}`
  })
  const result = node.type ? plain(node.type) : resultOf(node, checker)
  return `${generic}(${parameters.join(', ')})${result === '' ? '' : `: ${result}`}`
}

function resultOf(node, checker) {
  if (ts.isConstructorDeclaration(node)) return ''
  const signature = checker.getSignatureFromDeclaration(node)
  return signature ? checker.typeToString(signature.getReturnType(), node, ts.TypeFormatFlags.NoTruncation) : ''
}

/** Source text on one line, without its comments. */
function plain(node) {
  return PRINTER.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).replace(/\s+/g, ' ')
}

function throwsOf(symbol) {
  const tag = symbol.getJsDocTags().find(({ name }) => name === 'throws')
  const text = ts.displayPartsToString(tag?.text).replace(/\s+/g, ' ').trim().replace(/\.$/, '')
  return text === '' ? '' : `Throws ${text}.`
}

/** Each test of a component: the names that it imports, and the test data that it reads. */
function testsOf(directory) {
  const room = join(directory, '..')
  return readdirSync(join(room, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts')).sort().map(name => {
      const file = join(room, 'test', name)
      const text = readFileSync(file, 'utf8')
      const imports = [...text.matchAll(/import \{([^}]*)\} from '[^']*\/src\/[^']*'/g)].map(([, names]) => names)
      return {
        name: relative(room, file).split(sep).join('/'),
        imports: new Set(imports.join(',').match(/\w+/g)),
        data: [...new Set([...text.matchAll(/test-data\/[\w./-]*/g)].map(([path]) => path))]
          .filter(path => /[^a]\/$|\.(?:md|json)$/.test(path) && existsSync(join(room, path))),
      }
    })
}

function casesOf(name, tests) {
  const importing = tests.filter(({ imports }) => imports.has(name))
  const data = [...new Set(importing.flatMap(test => test.data))]
  const places = data.length > 0 ? data : importing.filter(test => isNamed(test.name, name))
    .concat(importing.filter(test => !isNamed(test.name, name))).map(test => test.name)
  return places.length === 0 ? '' : `Cases: ${places.slice(0, MOST_PLACES).join(', ')}.`
}

/** Whether a test is named for a function: `run-git.test.ts` for `runGit`. */
function isNamed(file, name) {
  return basename(file).startsWith(`${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}.`)
}

function wrapped(text, indent = '    ') {
  const lines = []
  let rest = text
  while (rest.length > WIDTH) {
    const comma = rest.lastIndexOf(', ', WIDTH - 1) + 1
    const at = comma > WIDTH / 2 ? comma : rest.lastIndexOf(' ', WIDTH)
    if (at <= indent.length) break
    lines.push(rest.slice(0, at))
    rest = `${indent}${rest.slice(at + 1)}`
  }
  return [...lines, rest]
}

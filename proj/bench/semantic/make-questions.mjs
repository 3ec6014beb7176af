/**
 * Questions about code, in the words of those who wrote it: the first sentence of the comment above a function, and
 * lines of a changelog or readme that name just one function. Made from the files of a package, the same each time.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { withoutComments } from './take-comments.mjs'

const MOST_OF_COMMENTS = 40
const MOST_OF_LINES = 15
const FEWEST_WORDS = 4
const MOST_WORDS = 40

/**
 * @param directory of the package
 * @param sources says which paths are searched
 * @returns the files to be searched, by path, without the comments that became questions; and the questions: text,
 *   the same without the words of the function's name, and the lines of the function
 */
export function makeQuestions(directory, sources) {
  const paths = pathsBelow(directory)
  const files = new Map(paths.filter(path => sources.test(path) && /(?<!\.d)\.[cm]?[jt]s$/.test(path))
    .map(path => [path, readFileSync(join(directory, path), 'utf8')]))
  const functions = [...files].flatMap(([path, text]) => functionsOf(path, text))
  const chosen = [
    ...choose(fromComments(functions), MOST_OF_COMMENTS),
    ...choose(fromLines(functions, paths.filter(isAbout).map(path => readFileSync(join(directory, path), 'utf8'))),
      MOST_OF_LINES),
  ]
  const questions = []
  for (const [path, ofFile] of byPath(chosen)) {
    const comments = ofFile.filter(({ from }) => from === 'comment').map(({ at }) => at.comment)
    const { text, lineOf } = withoutComments(files.get(path), comments)
    files.set(path, text)
    for (const { question, bare, from, at } of ofFile) {
      const lines = { startLine: lineOf(at.start), endLine: lineOf(at.end) }
      questions.push({ question, bare, from, name: at.name, path, ...lines })
    }
  }
  return { files, questions }
}

function byPath(chosen) {
  const groups = new Map()
  for (const item of chosen) groups.set(item.at.path, [...groups.get(item.at.path) ?? [], item])
  return groups
}

function pathsBelow(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(directory.length + 1).replaceAll('\\', '/')).sort()
}

function isAbout(path) {
  return /^(?:docs?\/.*|readme|changelog|changes|history)\.(?:md|markdown)$/i.test(path)
}

/** Every function with a body and a name: name, path, offsets, and the comment right above it. */
function functionsOf(path, text) {
  const found = []
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const visit = (node) => {
    const name = nameOf(node)
    if (name !== undefined) {
      const doc = node.jsDoc?.at(-1)
      found.push({
        name, path, start: node.getStart(file), end: node.getEnd(),
        ...doc && { comment: { start: doc.pos, end: doc.end }, doc: ts.getTextOfJSDocComment(doc.comment) ?? '' },
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function nameOf(node) {
  if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.body) return textOf(node.name)
  if (ts.isPropertyAssignment(node) && isFunction(node.initializer)) return textOf(node.name)
  if (ts.isVariableStatement(node) && node.declarationList.declarations.length === 1) {
    const [{ name, initializer }] = node.declarationList.declarations
    return initializer && isFunction(initializer) ? textOf(name) : undefined
  }
  if (!ts.isExpressionStatement(node) || !ts.isBinaryExpression(node.expression)) return undefined
  const { left, right, operatorToken } = node.expression
  if (operatorToken.kind !== ts.SyntaxKind.EqualsToken || !isFunction(right)) return undefined
  return ts.isPropertyAccessExpression(left) ? textOf(left.name) : textOf(left)
}

/** A function, or a call that is given one as its last argument: `const map = curry(function map() {})`. */
function isFunction(node) {
  if (ts.isCallExpression(node)) return node.arguments.length > 0 && isFunction(node.arguments.at(-1))
  return ts.isFunctionExpression(node) || ts.isArrowFunction(node)
}

function textOf(name) {
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && name.text.length > 2 ? name.text : undefined
}

function fromComments(functions) {
  return functions.flatMap((at) => {
    const sentence = at.doc && firstSentence(at.doc)
    return sentence ? asQuestion(sentence, at, 'comment') : []
  })
}

function firstSentence(doc) {
  const paragraph = doc.trim().split(/\n\s*\n|\n\s*[-*#@`|]/)[0]
  return plain(/^.*?[.:!?](?=\s+[A-Z`]|\s*$)/s.exec(paragraph)?.[0] ?? paragraph)
}

/** A line that names one function, of which there is one. */
function fromLines(functions, texts) {
  const byName = new Map()
  for (const at of functions) byName.set(at.name, byName.has(at.name) ? undefined : at)
  return texts.flatMap(text => text.split('\n')).flatMap((line) => {
    if (!/^\s*(?:[-*+]|#{2,})\s/.test(line)) return []
    const codes = Array.from(line.matchAll(/`([^`]+)`|\b([\w.]+)\(/g), match => match[1] ?? match[2])
    const named = new Set(codes.map(code => byName.get(/(\w+)(?:\(.*)?$/.exec(code)?.[1])).filter(Boolean))
    return named.size === 1 ? asQuestion(plain(line), [...named][0], 'line') : []
  })
}

/** Without markup, links, numbers of issues and names of people. */
function plain(text) {
  return text.replaceAll(/\{@\w+\s+([^}|\s]+)[^}]*\}/g, '$1').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/https?:\S+/g, '').replaceAll(/\(?#\d+\)?|@[\w-]+|\b[0-9a-f]{7,40}\b/g, '')
    .replaceAll(/[`*#<>[\]]/g, ' ').replaceAll(/\s+/g, ' ').trim()
}

function asQuestion(question, at, from) {
  const parts = new Set(partsOf(at.name).map(root))
  const bare = question.split(' ').filter(word => !partsOf(word).some(part => parts.has(root(part)))).join(' ')
  const words = bare.match(/\p{L}{3,}/gu) ?? []
  if (words.length < FEWEST_WORDS || words.length > MOST_WORDS || question.length > 500) return []
  return [{ question, bare, from, at }]
}

function partsOf(word) {
  return word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu)?.map(part => part.toLowerCase()) ?? []
}

/** Forms of one word begin alike; that some others do too only makes questions harder. */
function root(word) {
  return word.slice(0, 4)
}

/** Those asked once, in an order by hash, the first of each function. */
function choose(candidates, most) {
  const asked = new Map()
  for (const { question } of candidates) asked.set(question, (asked.get(question) ?? 0) + 1)
  const seen = new Set()
  return candidates.filter(({ question }) => asked.get(question) === 1)
    .map(item => ({ item, key: createHash('sha256').update(`${item.at.path} ${item.question}`).digest('hex') }))
    .sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item)
    .filter(({ at }) => !seen.has(at) && seen.add(at)).slice(0, most)
}

import type { Node } from 'jsonc-parser'
import { HermesError } from '../../0-contracts/src/index.js'
import type { IdentifierPlace, VisibleDefinition } from './definition.js'
import type { LanguageId } from './language-id.js'
import { lastAtMost, lineStarts, placeIn } from './line-starts.js'

/** The code of a Jupyter notebook, all cells joined, with a mapping to places in the file. */
export interface Notebook {
  language: LanguageId
  code: string
  /** Converts a place in the code to one in the file: line and column in the JSON. */
  inFile(place: IdentifierPlace): IdentifierPlace
  /** Converts a place in the file to one in the code; `undefined` outside of code. */
  inCode(place: IdentifierPlace): IdentifierPlace | undefined
}

/** Longest notebook to read, in UTF-16 units; it may contain pictures. */
const MOST_CHARS = 16 * 1024 * 1024
/** Deeper nesting than any notebook has (six levels): such a file is not parsed. */
const MOST_DEPTH = 200

const LANGUAGES: Readonly<Record<string, LanguageId>> = {
  python: 'python', ipython: 'python', python3: 'python', javascript: 'javascript', typescript: 'typescript',
  scala: 'scala', kotlin: 'kotlin', java: 'java', go: 'go', rust: 'rust', ruby: 'ruby', bash: 'bash', 'c++': 'cpp',
  'c#': 'csharp', csharp: 'csharp', swift: 'swift', elixir: 'elixir', lua: 'lua', php: 'php', r: 'r', julia: 'julia',
  haskell: 'haskell', perl: 'perl', sql: 'sql', powershell: 'powershell', fortran: 'fortran',
}

/**
 * @returns `undefined` for what is no notebook of a known language
 * @throws HermesError `FILE_TOO_LARGE` over 16,777,216 characters
 */
export async function readNotebook(text: string): Promise<Notebook | undefined> {
  if (text.length > MOST_CHARS) {
    throw new HermesError('FILE_TOO_LARGE', 'Notebook is too large to read: over 16,777,216 characters')
  }
  if (isDeep(text)) return undefined
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser')
  const root = parseTree(text)
  if (!root) return undefined
  const info = ['language_info', 'kernelspec'].map((key, index) => (
    findNodeAtLocation(root, ['metadata', key, index === 0 ? 'name' : 'language'])?.value as unknown
  )).find((value) => typeof value === 'string') ?? 'python'
  const name = String(info).toLowerCase()
  const language = Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined
  if (language === undefined) return undefined
  const cells = findNodeAtLocation(root, ['cells'])?.children ?? []
  const sources = cells.filter((cell) => findNodeAtLocation(cell, ['cell_type'])?.value === 'code')
    .map((cell) => findNodeAtLocation(cell, ['source'])).filter((source) => source !== undefined)
  return new CellsOf(text, language, sources)
}

class CellsOf implements Notebook {
  readonly code: string
  /** Offset in the file of each character of the code. */
  readonly #offsets: number[] = []
  readonly #codeLines: readonly number[]
  readonly #fileLines: readonly number[]

  constructor(text: string, readonly language: LanguageId, sources: readonly Node[]) {
    this.code = sources.map((source) => {
      let cell = ''
      for (const part of source.type === 'array' ? source.children ?? [] : [source]) {
        if (part.type === 'string') cell += decode(text, part, this.#offsets)
      }
      this.#offsets.push(source.offset + source.length - 1)
      return `${withoutMagics(cell)}\n`
    }).join('')
    this.#offsets.push(text.length)
    this.#codeLines = lineStarts(this.code)
    this.#fileLines = lineStarts(text)
  }

  inFile({ line, column }: IdentifierPlace): IdentifierPlace {
    const at = (this.#codeLines[line - 1] ?? this.code.length) + column - 1
    return placeIn(this.#fileLines, this.#offsets[Math.min(at, this.#offsets.length - 1)] ?? 0)
  }

  inCode({ line, column }: IdentifierPlace): IdentifierPlace | undefined {
    const wanted = (this.#fileLines[line - 1] ?? Infinity) + column - 1
    const at = lastAtMost(this.#offsets, wanted)
    // A place right behind the last character of a name belongs to the name.
    const offset = this.#offsets[at]
    if (offset === undefined || wanted - offset > 1 || this.code[at] === '\n') return undefined
    return placeIn(this.#codeLines, at)
  }
}

/** Converts the positions of a definition from the code to the file. */
export function moveToFile(notebook: Notebook, definition: VisibleDefinition): VisibleDefinition {
  const start = notebook.inFile({ line: definition.startLine, column: definition.startColumn })
  const last = notebook.inFile({ line: definition.endLine, column: Math.max(1, definition.endColumn - 1) })
  const name = notebook.inFile({ line: definition.nameLine, column: definition.nameColumn })
  // Other definitions refer to this object, so it is changed in place.
  return Object.assign(definition, {
    startLine: start.line, startColumn: start.column, endLine: last.line, endColumn: last.column + 1,
    nameLine: name.line, nameColumn: name.column,
  })
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/** Decodes a JSON string; appends the file offset of each of its characters to `offsets`. */
function decode(text: string, { offset, length }: Node, offsets: number[]): string {
  const end = offset + length - 1
  let decoded = ''
  for (let at = offset + 1; at < end;) {
    offsets.push(at)
    const char = text[at] ?? ''
    const escaped = text[at + 1] ?? ''
    if (char !== '\\') {
      decoded += char
      at++
    } else if (escaped === 'u') {
      decoded += String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16) || 0xfffd)
      at += 6
    } else {
      decoded += ESCAPES[escaped] ?? escaped
      at += 2
    }
  }
  return decoded
}

/** First line of a cell in another language. */
const CELL_MAGIC = /^\s*%%(?!time(?:it)?\b|capture\b|prun\b|memit\b)/
/** Commands of IPython and the shell, which are replaced by a number. */
const LINE_MAGIC = /^([^\S\n]*)([%!?][^\n]*|[\w.]+\?{1,2}[^\S\n]*)$/gm

function withoutMagics(cell: string): string {
  if (CELL_MAGIC.test(cell)) return cell.replaceAll(/[^\n]/g, ' ')
  return cell.replaceAll(LINE_MAGIC, (_line, space: string, magic: string) => (
    `${space}0${' '.repeat(magic.length - 1)}`
  ))
}

function isDeep(text: string): boolean {
  let depth = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') isString = !isString
    else if (isString) {
      if (char === '\\') at++
    } else if (char === '[' || char === '{') {
      if (++depth > MOST_DEPTH) return true
    } else if (char === ']' || char === '}') depth--
  }
  return false
}

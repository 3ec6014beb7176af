import type { ParsedBlock } from '../../contracts/src/index.js'
import type { EnvelopeItem } from '../../scanner/src/index.js'
import { failed, isRecord, placeFlaw, type BlockPlace, type Flaw, type Reading } from './reading.js'
import { readStrictJson } from './strict-json.js'
import { readStrictYaml } from './strict-yaml.js'

/** Longest document read, in UTF-16 units. */
const MAX_LENGTH = 16 * 1024 * 1024
const EXAMPLE = 'Write verb: and arguments:, for instance\nverb: file_read\narguments:\n  path: /workspace/README.md'
/** Keys models write for `verb` and `arguments`. */
const VERB_LIKE = ['action', 'name', 'tool', 'command', 'function', 'type']
const ARGUMENTS_LIKE = ['args', 'params', 'parameters', 'input']

interface Piece {
  text: string
  /** Index of its first line in the content, 0-based. */
  line: number
}

/** Reads a `hermes` fence: one envelope, several split by `---`, or a list of them; each on its own. */
export function readEnvelopes(item: EnvelopeItem, nextId: () => string): Reading[] {
  const place = { blockId: undefined, startLine: item.startLine, endLine: item.endLine, source: item.source }
  if (item.errors.length > 0) return [failed({ ...place, blockId: nextId() }, item.errors)]
  const pieces = splitDocuments(item.content)
  if (pieces.length === 0) return [failed({ ...place, blockId: nextId() }, [flawAt(item, '', 0, { message: "The hermes fence holds no 'verb'", index: 0, length: 0, hint: EXAMPLE })])]
  return pieces.flatMap((piece) => {
    const own = pieces.length === 1 ? place : piecePlace(item, piece)
    return readDocument(item, piece, own, nextId)
  })
}

function readDocument(item: EnvelopeItem, piece: Piece, place: BlockPlace, nextId: () => string): Reading[] {
  const fail = (flaw: Flaw, blockId = nextId(), lines: Partial<BlockPlace> = {}): Reading =>
    failed({ ...place, ...lines, blockId }, [flawAt(item, piece.text, piece.line, flaw)])
  if (piece.text.length > MAX_LENGTH) return [fail({ message: `Envelope is longer than ${MAX_LENGTH} characters`, index: 0, length: 0 })]
  const read = item.language === 'json' || item.language === 'jsonc' ? readStrictJson(piece.text) : readStrictYaml(piece.text)
  if (!read.ok) return [fail(read.flaw)]
  if (!Array.isArray(read.value)) return [readOne(read.value, place, 0, nextId, fail)]
  if (read.value.length === 0) return [fail({ message: "The hermes fence holds no 'verb'", index: 0, length: 0, hint: EXAMPLE })]
  return read.value.map((value: unknown, at) => readOne(value, itemPlace(item, piece, place, read.itemStarts, at), Math.max(0, read.itemStarts[at] ?? 0), nextId, fail))
}

function readOne(
  value: unknown, place: BlockPlace, index: number, nextId: () => string,
  fail: (flaw: Flaw, blockId?: string, lines?: Partial<BlockPlace>) => Reading,
): Reading {
  const id = isRecord(value) ? idOf(value['id']) : undefined
  const problem = shapeProblem(value)
  if (problem) return fail({ ...problem, index, length: 0 }, id ?? nextId(), place)
  const { verb, arguments: args } = value as { verb: string; arguments?: Record<string, unknown> | null }
  const block: ParsedBlock = {
    id: id ?? nextId(), format: 'envelope', action: verb, params: args ?? {}, startLine: place.startLine, endLine: place.endLine,
  }
  return { ok: true, block }
}

function idOf(id: unknown): string | undefined {
  return typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : undefined
}

function shapeProblem(value: unknown): { message: string; hint: string } | undefined {
  if (!isRecord(value)) return { message: 'An envelope is a mapping with verb and arguments', hint: EXAMPLE }
  const instead = (names: string[], right: string): string => {
    const found = names.find((name) => name in value)
    return found === undefined ? EXAMPLE : `Write ${right}: instead of ${found}:.`
  }
  if (!('verb' in value)) return { message: "Envelope has no 'verb'", hint: instead(VERB_LIKE, 'verb') }
  if (typeof value['verb'] !== 'string' || value['verb'] === '') return { message: "'verb' must be the name of a verb", hint: EXAMPLE }
  const unknown = Object.keys(value).find((key) => key !== 'verb' && key !== 'arguments' && key !== 'id')
  if (unknown !== undefined) {
    return { message: `Unknown envelope key '${unknown}'`, hint: ARGUMENTS_LIKE.includes(unknown) ? `Write arguments: instead of ${unknown}:.` : 'An envelope has verb, arguments and optionally id; parameters go under arguments.' }
  }
  const { arguments: args, id } = value
  if (args !== undefined && args !== null && !isRecord(args)) return { message: "'arguments' must be a mapping", hint: EXAMPLE }
  if (id !== undefined && idOf(id) === undefined) return { message: "'id' must be a string", hint: 'Write id: some-name, or leave it out.' }
  return undefined
}

/** Documents that hold more than blanks and comments; a line `---` at column 0 splits. */
function splitDocuments(content: string): Piece[] {
  const pieces: Piece[] = []
  let lines: string[] = []
  let start = 0
  const flush = (): void => {
    if (lines.some((line) => /^\s*[^\s#]/.test(line))) pieces.push({ text: lines.join('\n'), line: start })
  }
  content.split('\n').forEach((line, index) => {
    if (/^---(?:[ \t]|\r?$)/.test(line)) {
      flush()
      lines = [`   ${line.slice(3)}`]
      start = index
    } else lines.push(line)
  })
  flush()
  return pieces
}

function piecePlace(item: EnvelopeItem, piece: Piece): BlockPlace {
  const lines = piece.text.split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  const base = item.contentLine + piece.line
  return { blockId: undefined, startLine: base + first, endLine: base + last, source: clip(lines.slice(first, last + 1).join('\n')) }
}

function itemPlace(item: EnvelopeItem, piece: Piece, place: BlockPlace, starts: readonly number[], at: number): BlockPlace {
  const lineOf = (index: number): number => item.contentLine + piece.line + piece.text.slice(0, index).split('\n').length - 1
  const start = starts[at] ?? -1
  if (start < 0) return place
  const next = starts.slice(at + 1).find((index) => index >= 0)
  const startLine = lineOf(start)
  const endLine = next === undefined ? lineOf(piece.text.trimEnd().length) : Math.max(startLine, lineOf(next) - 1)
  return { ...place, startLine, endLine, source: clip(piece.text.slice(start, next).trimEnd()) }
}

function flawAt(item: EnvelopeItem, text: string, line: number, flaw: Flaw) {
  return placeFlaw('INVALID_ENVELOPE', { ...flaw, hint: flaw.hint ?? EXAMPLE }, text, { line: item.contentLine + line, offset: item.contentOffset, later: item.contentOffset })
}

function clip(source: string): string {
  return source.slice(0, 1024)
}

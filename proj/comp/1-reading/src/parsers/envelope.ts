import { type Fix, isRecord, type ParsedBlock } from '../../../0-contracts/src/index.js'
import type { EnvelopeItem } from '../scanner/index.js'
import { clip, countBreaks, nearest } from '../../../0-text/src/index.js'
import { BLOCK_SOURCES } from './block-source.js'
import { flawOfAll, placeFlaw, type Flaw } from './flaw.js'
import { failed, type BlockPlace, type ReadBlock } from './read-event.js'
import { readStrictJson } from './strict-json.js'
import { readStrictYaml } from './strict-yaml.js'

/** Longest document read, in UTF-16 units. */
export const MAX_LENGTH = 16 * 1024 * 1024
const EXAMPLE = 'Write verb: and arguments:, e.g. {"verb": "fs.readFile", "arguments": {"path": "README.md"}}'
/** Most of a document's own text in its errors, in UTF-16 units; that is at most 4 KiB of UTF-8. */
const MAX_SOURCE = 1024
/** Keys that models write for `verb` and `arguments` by mistake. */
const VERB_LIKE = ['action', 'name', 'tool', 'command', 'function', 'type']
const ARGUMENTS_LIKE = ['args', 'params', 'parameters', 'input']

const NO_VERB = flawOfAll("The hermes fence holds no 'verb'", EXAMPLE)

interface Piece {
  text: string
  /** 0-based index of its first line, and offset of its first character, in the content. */
  line: number
  offset: number
}

/** Reads a `hermes` fence: one envelope, several divided by `---`, or a list; each succeeds or fails on its own. */
export function readEnvelopes(item: EnvelopeItem, nextId: () => string): ReadBlock[] {
  const place = { blockId: undefined, startLine: item.startLine, endLine: item.endLine, source: item.source }
  if (item.errors.length > 0) return [failed({ ...place, blockId: nextId() }, item.errors)]
  const pieces = splitDocuments(item.content)
  if (pieces.length === 0) return [failed({ ...place, blockId: nextId() }, [flawAt(item, '', 0, NO_VERB)])]
  return pieces.flatMap((piece) => (
    readDocument(item, piece, pieces.length === 1 ? place : piecePlace(item, piece), nextId)
  ))
}

function readDocument(item: EnvelopeItem, piece: Piece, place: BlockPlace, nextId: () => string): ReadBlock[] {
  const fail = (flaw: Flaw): ReadBlock => {
    const error = flawAt(item, piece.text, piece.line, flaw)
    const fix = flaw.mended === undefined ? undefined : pieceFix(item, piece, flaw.mended)
    return failed({ ...place, blockId: nextId() }, [fix ? { ...error, fix } : error])
  }
  if (piece.text.length > MAX_LENGTH) return [fail(flawOfAll(`Envelope is longer than ${MAX_LENGTH} characters`))]
  const read = item.language === 'json' || item.language === 'jsonc' ? readStrictJson(piece.text)
    : readStrictYaml(piece.text)
  if (!read.ok) return [fail(read.flaw)]
  if (!Array.isArray(read.value)) return [kept(readOne(item, read.value, place, nextId), item, piece)]
  if (read.value.length === 0) return [fail(NO_VERB)]
  const places = itemPlaces(item, piece, place, read.itemStarts)
  return read.value.map((value: unknown, at) => (
    kept(readOne(item, value, places[at] ?? place, nextId), item, piece, at)
  ))
}

/**
 * Adds the source of a block, for fixes.
 *
 * @param at index in a list
 */
function kept(read: ReadBlock, item: EnvelopeItem, { text, offset }: Piece, at?: number): ReadBlock {
  const document = { text, offset, ...(at !== undefined && { at }) }
  if (read.type === 'block') BLOCK_SOURCES.set(read.block, { ...item, document })
  return read
}

/** A fix by corrected JSON, if the correction yields envelopes. */
function pieceFix(item: EnvelopeItem, piece: Piece, mended: string): Fix | undefined {
  const lines = piece.text.trimEnd().split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  // The `---` of a document is not part of `text`.
  const hasMark = piece.line > 0 && first === 0
  const read = readDocument(item, { ...piece, text: mended }, item, () => '')
  if (hasMark || read.some(({ type }) => type === 'failed')) return undefined
  const columns = ' '.repeat(item.contentOffset)
  return {
    startLine: item.contentLine + piece.line + first, endLine: item.contentLine + piece.line + lines.length - 1,
    text: mended.split('\n').map((line) => (line.trim() === '' ? line : columns + line)).join('\n'),
  }
}

function readOne(item: EnvelopeItem, value: unknown, place: BlockPlace, nextId: () => string): ReadBlock {
  const id = (isRecord(value) ? idOf(value['id']) : undefined) ?? nextId()
  const problem = shapeProblem(value)
  if (problem) {
    const error = {
      code: 'INVALID_ENVELOPE', ...problem, line: place.startLine, column: item.contentOffset + 1, length: 0,
    }
    return failed({ ...place, blockId: id }, [error])
  }
  const { verb, arguments: args } = value as { verb: string; arguments?: Record<string, unknown> | null }
  const block: ParsedBlock = {
    id, format: 'envelope', action: verb, params: args ?? {}, startLine: place.startLine, endLine: place.endLine,
  }
  return { type: 'block', block }
}

function idOf(id: unknown): string | undefined {
  return typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : undefined
}

/** Why a value is no envelope; `undefined` where it is one. */
export function shapeProblem(value: unknown): { message: string; hint: string } | undefined {
  if (!isRecord(value)) return { message: 'An envelope is a mapping with verb and arguments', hint: EXAMPLE }
  if (!('verb' in value)) {
    const meant = Object.keys(value).find((key) => isMeantFor('verb', key, VERB_LIKE))
    const hint = meant === undefined ? EXAMPLE : `Write verb: instead of ${meant}:.`
    return { message: "Envelope has no 'verb'", hint }
  }
  if (typeof value['verb'] !== 'string' || value['verb'] === '') {
    return { message: "'verb' must be the name of a verb", hint: EXAMPLE }
  }
  const unknown = Object.keys(value).find((key) => key !== 'verb' && key !== 'arguments' && key !== 'id')
  if (unknown !== undefined) {
    return {
      message: `Unknown envelope key '${unknown}'`,
      hint: isMeantFor('arguments', unknown, ARGUMENTS_LIKE)
        ? `Write arguments: instead of ${unknown}:.`
        : 'An envelope has verb, arguments and optionally id; parameters go under arguments.',
    }
  }
  const { arguments: args, id } = value
  if (args !== undefined && args !== null && !isRecord(args)) {
    return { message: "'arguments' must be a mapping", hint: EXAMPLE }
  }
  if (id !== undefined && idOf(id) === undefined) {
    return { message: "'id' must be a string that is not empty", hint: 'Write id: some-name, or leave it out.' }
  }
  return undefined
}

/** Whether a wrong key was probably written for this one. */
function isMeantFor(meant: 'verb' | 'arguments', key: string, alike: readonly string[]): boolean {
  const name = key.toLowerCase()
  return alike.includes(name) || nearest(name, ['verb', 'arguments', 'id']) === meant
}

/** Splits content at lines `---` (column 0) into documents; drops those with only blanks and comments. */
function splitDocuments(content: string): Piece[] {
  const pieces: Piece[] = []
  let lines: string[] = []
  let start = 0
  let [offset, read] = [0, 0]
  const flush = (): void => {
    if (lines.some((line) => /^\s*[^\s#]/.test(line))) pieces.push({ text: lines.join('\n'), line: start, offset })
  }
  content.split('\n').forEach((line, index) => {
    if (/^---(?:[ \t]|\r?$)/.test(line)) {
      flush()
      lines = [`   ${line.slice(3)}`]
      start = index
      offset = read
    } else lines.push(line)
    read += line.length + 1
  })
  flush()
  return pieces
}

function piecePlace(item: EnvelopeItem, piece: Piece): BlockPlace {
  const lines = piece.text.split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  const base = item.contentLine + piece.line
  const source = clip(lines.slice(first, last + 1).join('\n'), MAX_SOURCE)
  return { blockId: undefined, startLine: base + first, endLine: base + last, source }
}

/** The lines of each list item, by the offsets where items start; those of the whole document where unknown. */
function itemPlaces(item: EnvelopeItem, piece: Piece, place: BlockPlace, starts: readonly number[]): BlockPlace[] {
  const text = piece.text.trimEnd()
  let line = item.contentLine + piece.line
  let counted = 0
  return starts.map((start, at) => {
    if (start < 0) return place
    line += countBreaks(text, counted, start)
    counted = start
    const next = starts[at + 1] ?? text.length
    const source = text.slice(start, next < 0 ? text.length : next)
    // The dash and indentation of the next item are on its own line.
    const own = at + 1 < starts.length ? source.slice(0, Math.max(0, source.lastIndexOf('\n'))).trimEnd() : source
    const endLine = line + countBreaks(own, 0, own.length)
    return { ...place, startLine: line, endLine, source: clip(own || source.trim(), MAX_SOURCE) }
  })
}

function flawAt(item: EnvelopeItem, text: string, line: number, flaw: Flaw) {
  return placeFlaw('INVALID_ENVELOPE', { ...flaw, hint: flaw.hint ?? EXAMPLE }, text, {
    line: item.contentLine + line, offset: item.contentOffset, later: item.contentOffset,
  })
}

import { parseNesl } from 'nesl-js'
import type { ParsedBlock } from '../../../0-contracts/src/index.js'
import {
  delimiter, endLine, isKey, lineError, readQuotedAssignment, type BodyLine, type Dialect, type ScanError,
  type ShamItem,
} from '../scanner/index.js'
import { assignmentFix, assignmentsFix, repeatedLineFix } from './assignment-fix.js'
import { BLOCK_SOURCES } from './block-source.js'
import { define } from './python-calls.js'
import { failed, type ReadBlock } from './read-event.js'
import { lastAssignment, shamFix } from './sham-fix.js'
import { MOST_ERRORS, threeErrors } from './three-errors.js'

/**
 * Reads a SHAM/NESL block. The scanner has extracted the heredocs; nesl-js judges each line that is not plainly valid.
 *
 * @param mayProve whether to look for fixes that need a proof
 */
export function readSham(item: ShamItem, mayProve: boolean): ReadBlock {
  const { id, startLine, endLine: last } = item
  const place = { blockId: id, startLine, endLine: last, source: item.source }
  if (id === undefined) return failed(place, item.errors)
  if (item.body.length === 0 && item.errors.length === 1) {
    return failed(place, [withFix(item, item.errors[0]!, {}, mayProve)])
  }
  const { params, wrong, count, isRun } = readBody(item, id)
  if (item.errors.length + count > 0) {
    const summary = (left: number, first: ScanError) => summaryOf(item, left, first)
    const structural = item.errors.map((error) => placed(item, error))
    if (isRun && count > MOST_ERRORS) return failed(place, [withText(structural[0], wrong[0]!, count)])
    const errors = threeErrors([...structural, ...wrong], count - wrong.length, summary)
    if (errors.length === 1) return failed(place, errors.map((error) => withFix(item, error, params, mayProve)))
    if (item.errors.length === 0 && errors.length === count) withFixOfAll(item, errors, params)
    return failed(place, errors)
  }
  const block: ParsedBlock = {
    id,
    format: item.dialect === 'SHAM' ? 'sham' : 'nesl',
    action: Object.hasOwn(params, 'action') ? params['action']! : '',
    params,
    startLine,
    endLine: last,
  }
  BLOCK_SOURCES.set(block, item)
  return { type: 'block', block }
}

/** Puts the error of a missing end marker behind the last assignment, not behind prose below it. */
function placed(item: ShamItem, error: ScanError): ScanError {
  if (error.code !== 'UNCLOSED_BLOCK' || item.body.length === 0) return error
  const last = lastAssignment(item.body)
  const after = item.body[last + 1]
  if (last < 0 || !after) return error
  return { ...error, line: after.line, column: after.offset + 1 }
}

/**
 * Reads the lines of a body: parameters, the first errors, the count of wrong lines, and whether these are consecutive,
 * as lines of a pasted text are.
 */
function readBody(
  item: ShamItem, id: string,
): { params: Record<string, string>; wrong: ScanError[]; count: number; isRun: boolean } {
  const params: Record<string, string> = {}
  const wrong: ScanError[] = []
  let [count, isRun, isBelow] = [0, true, false]
  for (const line of bodyLines(item)) {
    if (!(line.text.charCodeAt(0) > 0x20) && line.text.trim() === '') continue
    // nesl-js takes quadratic time for malformed lines, so it only judges as many as are reported.
    const read = readLine(line, item.dialect, id, wrong.length < MOST_ERRORS)
    if (read !== undefined && 'key' in read && !Object.hasOwn(params, read.key)) {
      // A plain assignment to `__proto__` would set no own key.
      if (read.key === '__proto__') define(params, read.key, read.value)
      else params[read.key] = read.value
      isBelow = count > 0
      continue
    }
    if (isBelow) isRun = false
    count++
    if (read === undefined || wrong.length === MOST_ERRORS) continue
    wrong.push('code' in read ? read : duplicateKey(line, read.key, id))
  }
  return { params, wrong, count, isRun }
}

/**
 * Many consecutive wrong lines are one mistake: text without its heredoc, or a missing end marker. Reports one error:
 * that of the markers if there is one, else the first line's.
 */
function withText(structural: ScanError | undefined, first: ScanError, count: number): ScanError {
  const more = `${count - 1} more lines below it are malformed`
  if (!structural) return { ...first, message: `${first.message}; ${more}` }
  const hint = `${structural.hint ?? ''} Line ${first.line} is no line of a block, and ${more}: text of several lines `
    + 'goes in a heredoc.'
  return { ...structural, hint: hint.trimStart() }
}

/**
 * The lines that belong to a body. Where the end marker is missing, prose may follow the last assignment; of that only
 * a line right behind it counts that nearly is an assignment.
 */
function bodyLines(item: ShamItem): readonly BodyLine[] {
  if (!item.errors.some(({ code }) => code === 'UNCLOSED_BLOCK')) return item.body
  const lines = item.body.filter(({ text }) => text.trim() !== '')
  let end = lastAssignment(lines) + 1
  while (isNext(lines[end], lines[end - 1]?.line ?? item.startLine)) end++
  return lines.slice(0, end)
}

function isNext(line: BodyLine | undefined, above: number): boolean {
  return line !== undefined && line.line === above + 1 && NEAR_ASSIGNMENT.test(line.text)
}

/** Matches `key :=`, `key = value`, `key: "value"`. */
const NEAR_ASSIGNMENT = /^\s*[\p{L}_][\p{L}\p{N}_]*\s*(?::?\s*=|:\s*["'])/u

/** Adds a fix if there may be one; that of a structural error still needs its proof. */
function withFix(item: ShamItem, error: ScanError, params: Record<string, string>, mayProve: boolean): ScanError {
  const line = item.body.find((bodyLine) => bodyLine.line === error.line)
  const isOfLine = line !== undefined && item.errors.length === 0 && !line.text.includes('<<') && !mayGoOn(item, line)
  const fix = isOfLine && error.code === 'DUPLICATE_KEY' ? repeatedLineFix(line, params)
    : isOfLine ? assignmentFix(line, indentOf(item, line), params)
    : mayProve ? shamFix(item, error) : undefined
  // Set on the object, since spreading thousands of errors is slow.
  if (fix) error.fix = fix
  return error
}

/**
 * For several lines with one mistake each, the first error gets one fix of them all, since any smaller fix leaves the
 * block wrong.
 */
function withFixOfAll(item: ShamItem, errors: readonly ScanError[], params: Record<string, string>): void {
  const isWrong = (line: number): boolean => errors.some((error) => error.line === line)
  const lines = item.body.filter((each) => !each.text.includes('<<') && isWrong(each.line) && !mayGoOn(item, each))
  const fix = lines.length === errors.length
    ? assignmentsFix(lines, (line) => indentOf(item, line), params) : undefined
  if (fix) errors[0]!.fix = fix
}

/** An unclosed quote with more lines below may be the start of a multi-line value. */
function mayGoOn(item: ShamItem, { line, text }: BodyLine): boolean {
  return /^[^"]*"[^"]*$/.test(text) && item.body.some((bodyLine) => bodyLine.line > line && bodyLine.text.trim() !== '')
}

export function indentOf(item: ShamItem, line: BodyLine): string {
  if (line.offset === 0) return ''
  const written = item.source.split('\n')[line.line - item.startLine]
  return written?.slice(0, line.offset) ?? ' '.repeat(line.offset)
}

function readLine(
  line: BodyLine, dialect: Dialect, id: string, report: boolean,
): { key: string; value: string } | ScanError | undefined {
  if (line.heredoc !== undefined) {
    const key = line.text.slice(0, line.text.indexOf('=')).trimEnd()
    if (isKey(key)) return { key, value: line.heredoc }
  }
  const plain = readQuotedAssignment(line.text)
  if (plain) return plain
  return report ? judge(line, dialect, id) : undefined
}

/** The error of nesl-js for one line, in the author's spelling and with the place in the whole text. */
function judge(line: BodyLine, dialect: Dialect, id: string): ScanError {
  const own = delimiter(dialect, id)
  const error = neslError(line.text.replaceAll(`'${own}'`, `'EOT_${id}'`), id)
  // nesl-js takes `:=` inside quotes for an operator: ask again with it masked, in the same columns.
  const equals = line.text.indexOf('=')
  const masked = error?.code === 'INVALID_ASSIGNMENT_OPERATOR' && /^\s*"/.test(line.text.slice(equals + 1))
    ? neslError(line.text.replaceAll(':=', '::').replace('::', line.text.indexOf(':=') < equals ? ':=' : '::'), id)
    : undefined
  const fault = masked ?? error
  if (!fault || fault.code === 'UNCLOSED_HEREDOC') {
    const wrong = /<<'([^']*)'/.exec(line.text)?.[1] ?? ''
    return at(
      line, 'INVALID_HEREDOC_DELIMITER', `Heredoc delimiter must be '${own}'`, line.text.indexOf(wrong), wrong.length,
      dialect, id,
    )
  }
  return at(line, fault.code, fault.message.replaceAll(`EOT_${id}`, own), fault.column - 1, fault.length, dialect, id)
}

function neslError(
  text: string, id: string,
): { code: string; message: string; column: number; length: number } | undefined {
  const { errors } = parseNesl(`#!nesl [@three-char-SHA-256: ${id}]\n${text}\n#!end_${id}`)
  return errors.find((error) => error.line === 2) ?? errors[0]
}

function at(
  line: BodyLine, code: string, message: string, index: number, length: number, dialect: Dialect, id: string,
): ScanError {
  return {
    code, message, line: line.line, column: line.offset + index + 1, length,
    hint: hintFor(code, line.text, dialect, id),
  }
}

function hintFor(code: string, text: string, dialect: Dialect, id: string): string {
  const key = /^\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(text)?.[1] ?? 'key'
  const word = delimiter(dialect, id)
  if (text.trim() === word) {
    return 'This delimiter ends no heredoc: the value above it ended earlier, or its opener is malformed.'
  }
  const heredoc = `${key} = <<'${word}', the text on the next lines, then ${word} alone on a line`
  switch (code) {
    case 'INVALID_HEREDOC_DELIMITER': return `Write ${heredoc}.`
    case 'UNCLOSED_QUOTE': return `Close the quote on the same line and write \\" inside it, `
      + `or use a heredoc: ${heredoc}.`
    case 'INVALID_VALUE': {
      const control = /=\s*".*"\s*$/.test(text) && text.trim().includes('\t') ? ', \\t for a tab' : ''
      return `Write ${key} = "value" with JSON escapes${control}, or use a heredoc: ${heredoc}.`
    }
    case 'TRAILING_CONTENT': return `End the line after the closing quote; quotes inside the value are written \\".`
    case 'INVALID_ASSIGNMENT_OPERATOR': return `Write ${key} = "value" with a plain =`
    case 'INVALID_KEY': return 'A key starts the line: a letter or underscore, then letters, digits and underscores.'
    case 'EMPTY_KEY': return 'Write a key before the =, for instance path = "/file".'
    default: return `Each line of a block is key = "value"; text of several lines goes in a heredoc: ${heredoc}.`
  }
}

function duplicateKey({ line, offset }: BodyLine, key: string, id: string): ScanError {
  const message = `Duplicate key '${key}' in block '${id}'`
  return { ...lineError('DUPLICATE_KEY', line, message, 'Give each key once.', key.length), column: offset + 1 }
}

function summaryOf({ dialect, id = '' }: ShamItem, count: number, { code, line }: ScanError): ScanError {
  return lineError(code, line, `${count} more lines of block '${id}' are malformed`,
    `Text of several lines goes in a heredoc; end the block with ${endLine(dialect, id)}.`)
}

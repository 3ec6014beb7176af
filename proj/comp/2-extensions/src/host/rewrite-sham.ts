import type { ParsedBlock } from '../../../0-contracts/src/index.js'
import { linesOf } from '../../../1-edits/src/index.js'
import { delimiter, readHeader } from '../../../1-reading/src/index.js'
import { linesWithBreaks } from '../../../0-text/src/index.js'
import type { ParameterChange } from './block-change.js'

/** Lines of one assignment; the last may be the terminator of its heredoc. */
interface Assignment {
  name: string
  first: number
  last: number
}

/** A SHAM or NESL block with one assignment changed, added or removed; other lines stay, line breaks included. */
export function* rewrittenSham(
  source: string, { id, format, params }: ParsedBlock, change: ParameterChange,
): Generator<string> {
  const lines = linesWithBreaks(source)
  const [header = ''] = lines
  const { dialect } = readHeader(header.slice(header.indexOf('#!')).trimEnd()) ?? {}
  const assignments = assignmentsIn(lines, params)
  const own = assignments.find(({ name }) => name === change.parameter)
  const [from, count] = own ? [own.first, own.last - own.first + 1] : [(assignments.at(-1)?.last ?? 0) + 1, 0]
  if (change.kind === 'remove') {
    yield lines.toSpliced(from, count).join('')
    return
  }
  const form = {
    indent: /^[ \t]*/.exec(lines[assignments[0]?.first ?? 1] ?? '')?.[0] ?? '',
    ending: linesOf(header)[0]?.ending || '\n',
    word: delimiter(dialect ?? (format === 'sham' ? 'SHAM' : 'NESL'), id),
  }
  const text = typeof change.value === 'string' ? change.value : JSON.stringify(change.value)
  const heredoc = /\n/.test(text) && !text.includes('\0') ? [asHeredoc(change.parameter, text, form)] : []
  // Try quotes as well: a line of the text may equal the terminator.
  for (const written of [...heredoc, `${form.indent}${change.parameter} = ${JSON.stringify(text)}${form.ending}`]) {
    yield lines.toSpliced(from, count, written).join('')
  }
}

/** Keeps the line breaks of the text; the assignment's own use those of the block. */
function asHeredoc(
  name: string, text: string, { indent, ending, word }: { indent: string; ending: string; word: string },
): string {
  const content = text.split('\n').map((line) => indent + line).join('\n')
  return `${indent}${name} = <<'${word}'${ending}${content}${ending}${indent}${word}${ending}`
}

function assignmentsIn(lines: readonly string[], params: ParsedBlock['params']): Assignment[] {
  const assignments: Assignment[] = []
  for (let at = 1; at < lines.length; at++) {
    const { name, word } = ASSIGNMENT.exec(lines[at] ?? '')?.groups ?? {}
    if (name === undefined) continue
    const first = at
    if (word !== undefined) at += heredocLines(lines[at + 1], word, String(params[name] ?? ''))
    assignments.push({ name, first, last: at })
  }
  return assignments
}

const ASSIGNMENT = /^\s*(?<name>[^\s=]+)\s*=\s*(?:<<'(?<word>[^']+)'\s*$)?/

/** Number of lines with the terminator, computed from the value, since a line of it may look like the terminator. */
function heredocLines(next: string | undefined, word: string, value: string): number {
  return value === '' && next?.trim() === word ? 1 : value.split('\n').length + 1
}

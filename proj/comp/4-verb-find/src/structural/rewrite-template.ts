import { endingsFor } from '../../../1-edits/src/index.js'
import type { Span, StructuralMatch } from '../../../2-syntax/src/index.js'

/** How far back to look for the beginning of a line, as ast-grep does. */
const LOOK_BACK = 512
/** `$NAME`, or `$$$NAME` for all of several nodes; `$$NAME` is read as `$NAME`. */
const VARIABLE = /(\${1,3})([A-Z_][A-Z0-9_]*)/g

interface Variable {
  name: string
  /** Indentation of its line in the rewrite, in spaces. */
  indent: number
}

/** The text that matches are rewritten to, parsed as ast-grep does: alternating texts and variables. */
export class RewriteTemplate {
  readonly #parts: (string | Variable)[] = []
  readonly #hasReturns: boolean

  /** @param rewrite its last line break is ignored */
  constructor(rewrite: string) {
    const text = rewrite.replace(/\r?\n$/, '')
    this.#hasReturns = text.includes('\r')
    let end = 0
    for (const { 0: all, 2: name = '', index } of text.matchAll(VARIABLE)) {
      this.#parts.push(text.slice(end, index), { name, indent: indentAt(text.slice(0, index)) })
      end = index + all.length
    }
    this.#parts.push(text.slice(end))
  }

  /** The variables in a text, as written: `$NAME` and `$$$NAME`. */
  static variablesIn(text: string): string[] {
    const all = [...text.matchAll(VARIABLE)]
    return [...new Set(all.map(([, marks = '', name = '']) => `${marks === '$$$' ? marks : '$'}${name}`))]
  }

  /** Length of a match's replacement without indentation, known before it is built. */
  lengthFor({ captures }: StructuralMatch): number {
    const lengths = new Map(captures.map(([name, from, to]) => [name, to - from]))
    return this.#parts.reduce((sum, part) => (
      sum + (typeof part === 'string' ? part.length : lengths.get(part.name) ?? 0)
    ), 0)
  }

  /** The replacement of a match, with its indentation and its file's line endings. */
  fill(content: string, { span: [start, end], captures }: StructuralMatch): string {
    const ending = this.#hasReturns ? '\n' : endingAt(content, [start, end])
    const filled = this.#parts.map((part) => {
      if (typeof part === 'string') return part.replaceAll('\n', ending)
      const captured = captures.find(([name]) => name === part.name)
      if (!captured) return ''
      const [, from, to] = captured
      return indented(content.slice(from, to), indentAt(content.slice(0, from)), part.indent)
    }).join('')
    return indented(filled, 0, indentAt(content.slice(0, start)))
  }
}

/** The line ending at the match, for a rewrite with more lines. */
function endingAt(content: string, [start, end]: Span): string {
  const from = content.lastIndexOf('\n', start - 1) + 1
  const to = content.indexOf('\n', end)
  return endingsFor(content, { start: from, end: to === -1 ? content.length : to + 1 }, ['', ''])[0] ?? '\n'
}

/** Indentation of the last line in spaces, looking back no further than ast-grep does; tabs do not count. */
function indentAt(before: string): number {
  const near = before.slice(-LOOK_BACK)
  const line = near.slice(near.lastIndexOf('\n') + 1)
  if (line.length === near.length && near.length < before.length) return 0
  return line.length - line.replace(/^ +/, '').length
}

/** The text with all lines but the first moved to another indentation. */
function indented(text: string, from: number, to: number): string {
  const [first = '', ...rest] = text.split('\n')
  if (rest.length === 0 || from === to) return text
  const spaces = ' '.repeat(Math.abs(to - from))
  const move = (line: string): string => {
    if (from < to) return spaces + line
    return line.startsWith(spaces) ? line.slice(spaces.length) : line
  }
  return [first, ...rest.map(move)].join('\n')
}

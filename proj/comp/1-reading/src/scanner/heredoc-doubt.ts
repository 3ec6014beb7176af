import { opensHeredoc } from './assignment.js'
import { endBlock, isOwnEnd } from './block-end.js'
import { delimiter, headerLine, readEndMarker, readHeader } from './grammar.js'
import type { OpenBlock, ScanState } from './scan-state.js'

/**
 * A heredoc that quotes the block's own header and, after it, anything that opens a heredoc (well written or not): the
 * terminator found may be the inner one's, so where the block ends is in doubt and it does not run.
 */
export function doubtContent(
  block: OpenBlock, raw: string, word: string, opener: { line: number; column: number },
): void {
  const { id, dialect } = block
  if (id === undefined || word !== delimiter(dialect, id) || !raw.includes('<<') || !raw.includes('#')) return
  let depth = 1
  let header = false
  let doubtful = false
  for (const line of raw.split('\n')) {
    const text = line.replace(/^[\s>*+-]+/, '').trimEnd()
    if (text.startsWith('#')) {
      if (readHeader(text)?.id === id) {
        header = true
        depth++
      } else if (isOwnEnd(block, readEndMarker(text))) depth = Math.max(1, depth - 1)
    } else if (header && opensHeredoc(text)) doubtful = true
  }
  if (!doubtful) return
  block.doubt = depth
  block.errors.push({
    code: 'UNCLOSED_HEREDOC',
    message: `Block '${id}' repeats its own header inside its heredoc '${word}', so where it ends is in doubt`,
    line: opener.line,
    column: opener.column,
    length: word.length + 4,
    hint: 'Give the outer block another id in its header, delimiters and end marker, '
      + `for instance ${headerLine(dialect, otherId(id))}`,
  })
}

/** A line of a block whose end is in doubt: only its own headers and end markers count. */
export function doubtLine(s: ScanState, block: OpenBlock): number {
  const text = s.region.slice(s.at, s.end).trim()
  if (readHeader(text)?.id === block.id) block.doubt++
  else if (isOwnEnd(block, readEndMarker(text)) && --block.doubt === 0) endBlock(s, block, s.line, s.abs(s.end))
  return -1
}

function otherId(id: string): string {
  return id.length < 8 ? `${id}2` : `${id.slice(0, 7)}${id.endsWith('2') ? '3' : '2'}`
}

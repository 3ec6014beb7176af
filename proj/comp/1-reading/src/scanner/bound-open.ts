import { endBlock } from './block-end.js'
import { heldFrom } from './calls/dialect-state.js'
import { cutEdit } from './edits/edit-items.js'
import { SOURCE_LIMIT } from './items.js'
import type { ScanState } from './scan-state.js'
import { inWords, isTooLong, tooLong } from './too-long.js'

/** After each piece, bounds what is open to `longest`. Edits are bounded line by line instead. */
export function boundOpen(s: ScanState): void {
  const start = (s.block ?? s.envelope ?? s.call)?.start ?? (s.dialect && heldFrom(s.dialect).at)
  if (start !== undefined && isTooLong(s, start, s.abs(s.region.length))) dropText(s, start)
}

/**
 * Handles an incomplete line that is too long. Where it is content, its end is still searched; otherwise reading stops,
 * since what follows may belong to a block.
 *
 * @returns whether the line goes on, without its middle
 */
export function boundLine(s: ScanState): boolean {
  const open = s.block?.heredoc ? s.block : s.envelope
  if (open) {
    open.isTooLong = true
    dropText(s, open.start)
    return true
  }
  s.cutOff = true
  const line = s.line + 1
  if (s.edit) cutEdit(s, s.edit)
  else if (s.block) {
    s.block.isTooLong = true
    endBlock(s, s.block, line, s.abs(s.region.length))
  } else {
    s.emit({
      kind: 'section-error', startLine: line, endLine: line, source: '',
      errors: [{
        ...tooLong(s, line), message: `Line ${line} is longer than ${inWords(s.longest)}`,
        hint: 'Nothing after it was read: break it into lines, or leave it out.',
      }],
    })
    s.call = undefined
    s.dialect = undefined
  }
  return false
}

/** Drops the text of an open block except its beginning, which the error shows. */
function dropText(s: ScanState, start: number): void {
  if (s.block) s.block.body = []
  if (s.block?.heredoc) s.block.heredoc.target = undefined
  s.source.drop(start + SOURCE_LIMIT)
}

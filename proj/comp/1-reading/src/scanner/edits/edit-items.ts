import { emitFenceCall } from '../calls/dialect-fences.js'
import type { OpenEdit } from './edit-state.js'
import { SOURCE_LIMIT, type EditItem } from '../items.js'
import type { ScanState } from '../scan-state.js'
import { tooLong } from '../too-long.js'

/** Emits an edit block; `end` is the absolute offset where its text ends. */
export function emitEdit(
  s: ScanState, edit: OpenEdit, content: EditItem['content'], endLine: number, end: number,
): void {
  // Behind a block that names its own file, a path above an earlier SEARCH/REPLACE block no longer applies.
  if (edit.format !== 'search-replace') s.editPath = undefined
  s.emit({
    kind: 'edit',
    content,
    startLine: edit.startLine,
    endLine: Math.max(edit.startLine, endLine),
    source: (edit.format === 'unified' ? startOf(edit.lines) : s.sourceText(edit.start, end)).trimEnd(),
    errors: edit.errors,
  })
}

/** Emits an edit that is too long to hold. Its end depends on its lines, so that the rest cannot be read. */
export function cutEdit(s: ScanState, edit: OpenEdit): void {
  const error = tooLong(s, edit.startLine)
  edit.errors = [{ ...error, hint: `Nothing after line ${edit.startLine} was read. ${error.hint}` }]
  s.edit = undefined
  s.cutOff = true
  if (edit.format === 'fence-call') {
    emitFenceCall(s, edit, s.line, s.abs(s.next))
    return
  }
  const content: EditItem['content'] = edit.format === 'v4a' || edit.format === 'unified'
    ? { format: edit.format, patch: '' }
    : edit.format === 'whole-file' || edit.format === 'unnamed-fence' ? { format: 'whole', path: '', content: '' }
      : { format: 'search-replace', path: '', oldText: '', newText: '' }
  emitEdit(s, edit, content, s.line, s.abs(s.next))
}

/**
 * The first lines as text: a diff is only recognised at its second line, when the source may no longer hold its first.
 */
function startOf(lines: readonly string[]): string {
  let text = ''
  for (let at = 0; at < lines.length && text.length < SOURCE_LIMIT; at++) text += lines[at]!
  return text.slice(0, SOURCE_LIMIT)
}

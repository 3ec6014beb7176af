import type { OpenEdit } from './edit-state.js'
import { SOURCE_LIMIT, type EditItem, type ScanError } from './items.js'
import type { ScanState } from './scan-state.js'

/** Emits an edit block whose text ends at `end` (absolute). */
export function emitEdit(
  s: ScanState, edit: OpenEdit, content: EditItem['content'], endLine: number, end: number,
): void {
  // What follows a block that says its file itself is not about the file of a SEARCH/REPLACE block before it.
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

/** The same for one that cannot be read to its end. */
export function unreadable(s: ScanState, edit: OpenEdit, error: ScanError): void {
  edit.errors = [error]
  const content: EditItem['content'] = edit.format === 'v4a' || edit.format === 'unified'
    ? { format: edit.format, patch: '' } : { format: 'search-replace', path: '', content: '' }
  emitEdit(s, edit, content, s.line, s.abs(s.region.length))
}

/** A diff is known by its second line, when the source may not hold its first any more. */
function startOf(lines: readonly string[]): string {
  let text = ''
  for (let at = 0; at < lines.length && text.length < SOURCE_LIMIT; at++) text += lines[at]!
  return text.slice(0, SOURCE_LIMIT)
}

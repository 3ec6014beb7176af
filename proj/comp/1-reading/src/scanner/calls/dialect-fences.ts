import { skipIndent } from '../columns.js'
import { matchContainers } from '../containers.js'
import type { OpenFenceCall } from '../edits/edit-state.js'
import { endInDoubt, giveUpFence, noteInnerFence, notClosed, takeLine, takenFence } from '../edits/taken-fence.js'
import { closesFence, isLiveLanguage, type FenceOpener } from '../fences.js'
import type { DialectCallItem, DialectField } from '../items.js'
import type { DialectFence } from '../../dialects/index.js'
import type { ScanState } from '../scan-state.js'

/**
 * Fences that are calls of a dialect. The text is all up to the closing line:
 *
 *     ```save src/a.ts
 *     const a = "```"          ← text: no closing line
 *     ```
 */
export function openFenceCall(s: ScanState, call: DialectFence, opener: FenceOpener, indent: number): number {
  s.edit = { format: 'fence-call', ...takenFence(s, opener, indent), call }
  return -1
}

export function fenceCallLine(s: ScanState, edit: OpenFenceCall): number {
  const cursor = { at: s.at, column: 0 }
  if (matchContainers(s.list, s.region, cursor, s.end) < s.list.length) {
    endUnclosedFenceCall(s, edit, s.line - 1, s.abs(s.lineStart))
    return s.at
  }
  if (skipIndent(s.region, cursor, s.end) <= 3) {
    if (closes(s, edit, cursor.at)) {
      endFenceCall(s, edit, s.line, s.abs(s.end))
      return -1
    }
    if (edit.undecided && cursor.at < s.end) {
      edit.undecided = false
      if (isAnothers(s, edit, cursor.at)) return giveUpFence(s, edit)
    }
    noteInnerFence(s, edit, cursor.at)
  }
  takeLine(s, edit)
  return -1
}

function closes(s: ScanState, edit: OpenFenceCall, at: number): boolean {
  const { after } = edit.call.form
  if (after === undefined || s.region.charAt(at) !== edit.char) return closesFence(edit, s.region, at, s.end)
  const line = s.region.slice(at, s.end).trimEnd()
  return closesFence(edit, s.region, at, line.endsWith(after) ? at + line.length - after.length : s.end)
}

/** Whether the first line shows that the fence holds blocks of hermes, or a diff. */
function isAnothers(s: ScanState, { info, call: { form } }: OpenFenceCall, at: number): boolean {
  if (isLiveLanguage(info) && s.headerAt(at)) return true
  return form.begins !== undefined && s.formats.has('unified') && !form.begins.test(s.region.slice(at, s.end))
}

export function endUnclosedFenceCall(s: ScanState, edit: OpenFenceCall, endLine: number, end: number): void {
  edit.errors.push(notClosed(edit, `${edit.call.dialect.title} fence of line ${edit.startLine}`, 'call'))
  endFenceCall(s, edit, endLine, end)
}

function endFenceCall(s: ScanState, edit: OpenFenceCall, endLine: number, end: number): void {
  s.edit = undefined
  if (edit.innerFence > 0) edit.errors.push(endInDoubt('INVALID_TOOL_CALL', edit, `${edit.call.dialect.title} call`))
  emitFenceCall(s, edit, endLine, end)
}

/** Emits the call; `end` is the absolute offset where its text ends. */
export function emitFenceCall(s: ScanState, edit: OpenFenceCall, endLine: number, end: number): void {
  const { startLine, start, column, errors, lines, call: { dialect, form } } = edit
  const text = errors.length > 0 ? '' : lines.join('')
  s.editPath = undefined
  s.editFloor = end
  s.emit({
    kind: 'dialect-call', dialect, sentinelLine: startLine, name: form.calls?.name, id: undefined,
    body: form.runsAs ? 'command' : form.calls ? 'fields' : 'statements', fields: fieldsOf(edit, text), content: text,
    contentLine: startLine + 1, contentOffset: column, startLine, endLine: Math.max(startLine, endLine),
    source: s.sourceText(start, end).trimEnd(), errors,
  } satisfies DialectCallItem)
}

function fieldsOf({ startLine, column, call: { form, rest } }: OpenFenceCall, text: string): DialectField[] {
  if (!form.calls || form.runsAs) return []
  const { body, fixed } = form.calls
  const said = { ...fixed, ...(form.rest !== undefined && { [form.rest]: QUOTED.exec(rest)?.[2] ?? rest }) }
  return [
    ...Object.entries(said).map(([key, value]) => ({ key, text: value, isJson: false, line: startLine, offset: 0 })),
    { key: body, text, isJson: false, line: startLine + 1, offset: column },
  ]
}

const QUOTED = /^(["'])(.+)\1$/

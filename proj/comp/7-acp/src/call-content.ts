import { resolve } from 'node:path'
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk'
import type { ActionResult, AnyVerb, FileChange } from '../../0-contracts/src/index.js'
import { commandOutput, fileOfCall, whatChanged } from '../../1-reports/src/index.js'
import { clip, escapeControls, fenced } from '../../0-text/src/index.js'
import type { EditorPaths } from './editor-paths.js'

/** Files of one call that are shown. */
const MOST_FILES = 50
/** Of the two texts of a file together; an editor opens the file itself just as well. In UTF-16 units. */
const MOST_DIFF = 2_000_000
/** Of what a command printed: its end. */
const MOST_OUTPUT = 64_000
const MOST_ERROR = 8000

/** What a call is about, so that the editor can follow. @param root absolute */
export function callLocations(params: Readonly<Record<string, unknown>>, root: string): ToolCallLocation[] {
  const file = fileOfCall(params)
  if (file === undefined) return []
  const line = Number(params['line'] ?? params['start_line'] ?? params['startLine'])
  return [{ path: resolve(root, file), ...(Number.isSafeInteger(line) && line > 0 && { line }) }]
}

export function callKind(verb: AnyVerb | undefined): ToolKind {
  if (!verb) return 'other'
  const name = verb.name.toLowerCase()
  if (verb.type === 'read') return /grep|glob|search|find|symbol|references|ls$|list/.test(name) ? 'search' : 'read'
  if (verb.type === 'write') {
    if (/delete|remove/.test(name)) return 'delete'
    return /move|rename/.test(name) ? 'move' : 'edit'
  }
  return verb.type === 'exec' || verb.type === 'git' ? 'execute' : 'other'
}

/** What came of a call: the difference of each file, what a command printed, why it failed. */
export function resultContent(
  result: ActionResult, changes: readonly FileChange[], root: string, named: EditorPaths,
): ToolCallContent[] {
  const shown = fileDiffs(changes, named)
  const output = commandOutput(result)
  const printed = output && `${output.stdout}${output.stderr}`.trimEnd()
  if (printed !== undefined && printed !== '') shown.push(printedContent(printed))
  if (!result.success) {
    const hint = result.hint === undefined ? '' : `\n${result.hint}`
    shown.push(textContent(clip(`${result.error ?? 'It failed'}${hint}`, MOST_ERROR)))
  } else if (shown.length === 0) {
    const words = whatChanged(result, changes, [root])
    if (words !== '') shown.push(textContent(words))
  }
  return shown
}

/** Of commands, files and models: no control character, nor one that turns what is shown, comes through. */
export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text: escapeControls(text, true) } }
}

/** What a command has printed, its end where it is long. */
export function printedContent(text: string): ToolCallContent {
  const left = text.length - MOST_OUTPUT
  return textContent(fenced(left > 0 ? `… ${left} characters before\n${text.slice(left)}` : text, 'console'))
}

/** Each file once, from what it was before the call to what it is after it. */
function fileDiffs(changes: readonly FileChange[], named: EditorPaths): ToolCallContent[] {
  const files = new Map<string, { before: string | undefined; after: string | undefined }>()
  const others: ToolCallContent[] = []
  for (const { kind, path, from, before, after } of changes) {
    if (kind === 'create-directory' || kind === 'delete-directory') continue
    if (kind === 'move') {
      others.push(textContent(`${from === undefined ? '' : named(from)} → ${named(path)}`))
      continue
    }
    const isGone = kind === 'delete'
    if ((before === undefined && kind !== 'create') || (after === undefined && !isGone)) {
      others.push(textContent(`${path}: no text, or too large to show`))
      continue
    }
    const known = files.get(path)
    files.set(path, { before: known ? known.before : before, after })
  }
  const diffs = [...files].slice(0, MOST_FILES).map(([path, { before, after = '' }]): ToolCallContent => (
    (before?.length ?? 0) + after.length > MOST_DIFF ? textContent(`${named(path)}: too large to show`)
      : { type: 'diff', path: named(path), oldText: before ?? null, newText: after }
  ))
  const left = files.size - diffs.length
  return [...diffs, ...others.slice(0, MOST_FILES), ...(left > 0 ? [textContent(`… and ${left} more files`)] : [])]
}

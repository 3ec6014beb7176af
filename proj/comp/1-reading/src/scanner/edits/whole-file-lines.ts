import type { DialectFence } from '../../dialects/index.js'
import { skipIndent } from '../columns.js'
import { matchContainers } from '../containers.js'
import { emitEdit } from './edit-items.js'
import {
  beginsGitDiff, DIFF_LANGUAGES, LIKE_DIFF, readPatchCommand, readPatchMarker, readSearchMarker,
} from './edit-markers.js'
import { otherPathIn, pathOfFirstLine, pathOfInfo, pathOfLine } from './edit-paths.js'
import type { OpenWholeFile } from './edit-state.js'
import { closesFence, languageOf, type FenceOpener } from '../fences.js'
import type { ScanError } from '../items.js'
import { linesAbove } from './lines-above.js'
import { mayHavePathAbove } from './path-above.js'
import type { OpenFence, ScanState } from '../scan-state.js'
import { endInDoubt, giveUpFence, noteInnerFence, notClosed, takeLine, takenFence } from './taken-fence.js'
import { notAFile } from './whole-file-guards.js'

const NO_FILE = new Set(DIFF_LANGUAGES)
/** Languages of commands and output. */
const COMMANDS = new Set(['', 'sh', 'bash', 'shell', 'console', 'zsh', 'text', 'txt', 'output', 'log'])

/**
 * Opens a fence as a whole file, if its info string or the text right above is a path, or its first line may name one.
 * False for other fences.
 *
 * @param call the call that the fence is if it names no path
 */
export function openWholeFile(
  s: ScanState, opener: FenceOpener, indent: number, call: DialectFence | undefined,
): boolean {
  if (NO_FILE.has(languageOf(opener.info))) return false
  const [first, second] = textAbove(s)
  const { path, isAbove } = pathOfFence(opener, first)
  const fence = takenFence(s, opener, indent)
  if (path === undefined) {
    const isHeading = first !== undefined && /:[*_]*\s*$/.test(first) && !COMMANDS.has(languageOf(opener.info))
    const spokenOf = isHeading ? otherPathIn(first, undefined) : undefined
    s.edit = { format: 'unnamed-fence', ...fence, above: first, spokenOf, call }
  } else s.edit = { format: 'whole-file', ...fence, path, above: isAbove ? second : first }
  return true
}

/** The path of a whole file: in the info string, else alone on the line `above`. */
function pathOfFence({ info }: FenceOpener, above: string | undefined): { path: string | undefined; isAbove: boolean } {
  const path = above === undefined ? undefined : pathOfLine(above)
  return { path: pathOfInfo(info) ?? path, isAbove: path !== undefined }
}

/** The two nearest lines of text above the fence, the nearest with at most one blank line between. */
function textAbove(s: ScanState): string[] {
  const lines: string[] = []
  let blanks = 0
  for (const line of linesAbove(s, s.editFloor)) {
    if (line.trim() !== '') lines.push(line.trim())
    else if (++blanks > 2 || (lines.length === 0 && blanks > 1)) break
    if (lines.length === 2) break
  }
  return lines
}

/** Where whole files are not read: the path of the file that the fence would be, for the message. */
export function namedFile(s: ScanState, opener: FenceOpener): string | undefined {
  if (NO_FILE.has(languageOf(opener.info))) return undefined
  return pathOfFence(opener, mayHavePathAbove(s.region, s.lineStart) ? textAbove(s)[0] : undefined).path
}

/** Reports a fence without edits of its own that was likely meant as a file or a diff. */
export function tellOfFence(s: ScanState, fence: OpenFence, lastLine: number): void {
  const { namesFile, isDiff, edits, noticed, startLine, preamble } = fence
  if (edits === 'own' || noticed !== undefined) return
  // Only git's header lines: files are renamed or change their modes.
  const isGit = isDiff && edits === 'unknown' && preamble === 0 && lastLine > startLine
  if (namesFile === undefined && !isGit) return
  const reason = namesFile === undefined ? LIKE_DIFF
    : `looks like the file ${namesFile}: whole files are read only with --edit-format whole`
  s.emit({ kind: 'skipped', block: { startLine, endLine: startLine, reason } })
}

const COMMENT = /^(?:#|\/\/|--|;|%|<!--|\/\*)/

/** Whether an edit begins here, so that the fence holds edits and is no file. */
function beginsEdit(s: ScanState, line: string): boolean {
  const marker = readSearchMarker(line)
  const patch = readPatchMarker(line)
  return (marker !== undefined && marker.problem === undefined)
    || (patch?.begins === true && (patch.exact || s.formats.has('v4a'))) ||
    readPatchCommand(line.trim()) !== undefined || beginsGitDiff(line)
}

/** A line of a whole file, which ends with its fence. */
export function wholeFileLine(s: ScanState, edit: OpenWholeFile): number {
  const cursor = { at: s.at, column: 0 }
  const text = s.region
  if (matchContainers(s.list, text, cursor, s.end) < s.list.length) {
    endUnclosedFile(s, edit, s.line - 1, s.abs(s.lineStart))
    return s.at
  }
  if (skipIndent(text, cursor, s.end) <= 3) {
    if (closesFence(edit, text, cursor.at, s.end)) {
      endWholeFile(s, edit, s.line, s.abs(s.end))
      return -1
    }
    const line = text.slice(cursor.at, Math.min(s.end, cursor.at + 600))
    if (beginsEdit(s, line)) {
      if (edit.undecided) return giveUpFence(s, edit)
      if (readSearchMarker(line)) {
        const message = 'A SEARCH marker after other lines of its fence'
        edit.errors.push(
          s.error('INVALID_EDIT', message, cursor.at, line.length, 'Begin the fence with the SEARCH line.'),
        )
      }
    }
    const said = s.line === edit.startLine + 1 ? pathOfFirstLine(line) : undefined
    if (said === edit.path) return -1
    if (said !== undefined) edit.errors.push(otherFile(s, edit, said, cursor.at))
    if (cursor.at < s.end && !COMMENT.test(line) && pathOfLine(line) === undefined) edit.undecided = false
    noteInnerFence(s, edit, cursor.at)
  }
  takeLine(s, edit)
  return -1
}

/** The error for a path and a first line that name different files. */
function otherFile(s: ScanState, { path }: OpenWholeFile, said: string, at: number): ScanError {
  return s.error('INVALID_EDIT', `The fence of ${path} begins with the path of ${said}`, at, s.end - at,
    'Name the file once: in the info string, on the line above, or in the first line.')
}

function endWholeFile(s: ScanState, edit: OpenWholeFile, endLine: number, end: number): void {
  s.edit = undefined
  s.editFloor = end
  if (edit.innerFence > 0) edit.errors.push(endInDoubt('INVALID_EDIT', edit, 'file'))
  const wrong = edit.errors.length > 0 ? undefined : notAFile(edit.lines, edit.path, edit.above)
  if (wrong) {
    const { code, message, hint, line } = wrong
    edit.errors.push({ code, message, hint, line: edit.startLine + 1 + line, column: 1, length: 0 })
  }
  const content = edit.errors.length > 0 ? '' : edit.lines.join('')
  emitEdit(s, edit, { format: 'whole', path: edit.path, content }, endLine, end)
}

export function endUnclosedFile(s: ScanState, edit: OpenWholeFile, endLine: number, end: number): void {
  edit.errors.push(notClosed(edit, `fence of ${edit.path}`, 'file'))
  endWholeFile(s, edit, endLine, end)
}

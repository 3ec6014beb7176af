import { isRecord, parseJson } from '../../../../0-contracts/src/index.js'

/**
 * The markers of the edit formats as data. Lines come without indentation and line end. SEARCH/REPLACE is aider's;
 * `------- SEARCH … +++++++ REPLACE` is Cline's spelling; V4A is the patch format of codex.
 */

export interface SearchMarker {
  /** The sign and its count: markers with another count inside a block are content. */
  kind: string
  /** What the line should be; absent for an exact marker. */
  problem?: string
  /** Text behind the word; models may write a path there. */
  rest: string
  length: number
}

const SEARCH = /^(?:(<{5,9}|-{5,9}) ?SEARCH>?[ \t]*$|(<{5,9}) ?SEARCH[ \t:]+(\S.*))/
const NEAR_SEARCH = /^(<{3,})[ \t]*search\b/i
export const DIVIDER = /^={5,9}[ \t]*$/
const REPLACE = /^(?:>{5,9}|\+{5,9}) ?REPLACE[ \t]*(?:$|(?=<{5,9} ?SEARCH))/

export function readSearchMarker(line: string): SearchMarker | undefined {
  const exact = SEARCH.exec(line)
  if (exact) return { kind: exact[1] ?? exact[2]!, rest: (exact[3] ?? '').trim(), length: exact[0].length }
  const near = NEAR_SEARCH.exec(line)
  return near ? { kind: near[1]!, rest: '', length: near[0].length, problem: '<<<<<<< SEARCH' } : undefined
}

/** Markers of other tools, and of early versions of aider. */
export const FOREIGN_MARKER = /^<{5,9} ?(?:ORIGINAL|OLD|BEFORE|FIND)[ \t]*$/

/** What nearly is the end of a block. */
export const NEAR_REPLACE = /^[>+]{3,}[ \t]*(?:replace|updated?)\b/i

/** Length of a REPLACE marker with its blanks, else 0; a SEARCH marker may follow directly. */
export function replaceMarkerLength(line: string): number {
  return REPLACE.exec(line)?.[0].length ?? 0
}

export const BEGIN_PATCH = '*** Begin Patch'
export const END_PATCH = '*** End Patch'
const NEAR_PATCH = /^\*{3}[ \t]*(begin|end)[ \t_-]?patch\b[ \t*:]*$/i

/** `exact`: the marker as codex writes it, ignoring trailing blanks. */
export function readPatchMarker(line: string): { begins: boolean; exact: boolean } | undefined {
  const marker = line.trimEnd()
  if (marker === BEGIN_PATCH || marker === END_PATCH) return { begins: marker === BEGIN_PATCH, exact: true }
  const near = line.length > 40 ? null : NEAR_PATCH.exec(line)
  return near ? { begins: near[1]!.toLowerCase() === 'begin', exact: false } : undefined
}

/** `apply_patch <<'EOF'`, optionally behind `cd`. */
const PATCH_COMMAND = /^(?:\$ )?(?:(cd\b[^&;]*)(?:&&|;)[ \t]*)?apply_patch[ \t]*<<-?[ \t]*(['"]?)\w+\2[ \t]*$/

export function readPatchCommand(line: string): { directory: string | undefined } | undefined {
  const match = PATCH_COMMAND.exec(line)
  return match ? { directory: match[1]?.trim() } : undefined
}

/** A patch in a call; `patch` is `undefined` where it is incomplete, or the call would do more. */
export interface PatchCall {
  patch: string | undefined
  /** Directory in which it was to be applied. */
  directory?: string
}

/**
 * The patch in `["apply_patch", "*** Begin Patch…"]`, as a call or in `{"command": […]}`, also as a here-document in a
 * shell command; `undefined` for other lines.
 */
export function readPatchCall(line: string): PatchCall | undefined {
  if (!/^[[{]/.test(line) || !line.includes('apply_patch') || !line.includes(BEGIN_PATCH)) return undefined
  const text = callWords(line).find((word) => word.includes(BEGIN_PATCH)) ?? ''
  const [start, end] = [text.indexOf(BEGIN_PATCH), text.indexOf(END_PATCH)]
  if (end < start) return { patch: undefined }
  const [before, behind] = [text.slice(0, start).trim(), text.slice(end + END_PATCH.length).trim()]
  const command = before === '' ? { directory: undefined } : readPatchCommand(before)
  if (command?.directory !== undefined) return { patch: undefined, directory: command.directory }
  const isAll = command !== undefined && (behind === '' || (before !== '' && /^\w+$/.test(behind)))
  return { patch: isAll ? text.slice(start, end + END_PATCH.length) : undefined }
}

function callWords(line: string): string[] {
  const value = parseJson(line)
  const words: unknown = isRecord(value) ? Object.values(value).find(Array.isArray) : value
  return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : []
}

/** `--- a/file`: begins a diff if the next line names the new file. */
export const OLD_FILE = /^--- (?!-)\S/
export const NEW_FILE = /^\+\+\+ (?!\+)\S/

export function beginsGitDiff(line: string): boolean {
  return line.startsWith('diff --git ')
}

/** Languages of fences that hold diffs. */
export const DIFF_LANGUAGES: readonly string[] = ['diff', 'patch']
export const LIKE_DIFF = 'looks like a diff, which is read only with --edit-format unified'

import type { ErrorCode } from '../../../../0-contracts/src/index.js'
import { FOREIGN_MARKER, NEW_FILE, OLD_FILE, readPatchMarker, readSearchMarker } from './edit-markers.js'

/** Why a fence with a path is probably not the new content of the file. */
export interface NotAFile {
  code: ErrorCode
  message: string
  hint: string
  /** Index of the line that proves it. */
  line: number
}

const EDIT_HINT = 'Nothing was written. Write the whole new file, or the change as a SEARCH/REPLACE block or patch '
  + 'with its own --edit-format.'

/** Checks the lines of a whole file; `above`: nearest text above, other than its path. */
export function notAFile(lines: readonly string[], path: string, above: string | undefined): NotAFile | undefined {
  const reason = markedAt(lines) ?? changedAt(lines, path) ?? transcriptAt(lines, path) ?? jsonEdit(lines)
  if (reason) {
    return {
      code: 'DIFF_AS_FILE', message: `The fence of ${path} holds ${reason.what}, not the file`, hint: EDIT_HINT,
      line: reason.line,
    }
  }
  // `Currently src/a.ts says:`, but not `It currently fails, so replace it with:`.
  if (above !== undefined && /:[*_`]*$/.test(above) && SHOWS.test(above) && !CHANGES.test(above)) {
    return {
      code: 'QUOTED_FILE', message: `The text above the fence of ${path} says that it shows what is there`, line: 0,
      hint: 'Nothing was written. To replace the file, say so in the line above the fence, for instance: New content:',
    }
  }
  return undefined
}

interface Found {
  line: number
  what: string
}

/** Looks for markers of other edit formats, exact or nearly so. */
function markedAt(lines: readonly string[]): Found | undefined {
  for (const [line, text] of lines.entries()) {
    const trimmed = text.trim()
    if (MARK.test(trimmed) || readSearchMarker(trimmed) || FOREIGN_MARKER.test(trimmed) || readPatchMarker(trimmed)) {
      return { line, what: `a mark of an edit (${shown(trimmed)})` }
    }
    if (HUNK.test(trimmed)) return { line, what: `a hunk of a diff (${shown(trimmed)})` }
    const next = (lines[line + 1] ?? '').trim()
    if (OLD_FILE.test(trimmed) && NEW_FILE.test(next)) return { line, what: 'a diff' }
    if (CHANGE.test(trimmed) && /^[<>] /.test(next)) return { line, what: 'a diff' }
  }
  return undefined
}

const MARK = new RegExp(
  '^(?:<{3,9} ?(?:search|original|old|before|find|head|current|updated?)\\b'
  + '|[>+]{3,9} ?(?:replace|updated?|new|after|incoming|theirs)\\b|</?(?:search|replace)>$'
  + '|\\*{3} (?:add|update|delete) file: )', 'i',
)
/** `3,4c3`, from plain `diff`. */
const CHANGE = /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/
const HUNK = /^@@(?:$| -\d| .*@@)/

/** Files that may have lists, which use the same signs followed by a blank. */
const PROSE = /\.(?:md|markdown|mdx|txt|rst|adoc|ya?ml|org)$/i

/** Looks for removed and added lines of a diff without header. */
function changedAt(lines: readonly string[], path: string): Found | undefined {
  const filled = lines.filter((line) => line.trim() !== '')
  const isList = filled.every((line) => /^(?:[-+] |\s)/.test(line))
  if (filled.length === 0 || (isList && PROSE.test(path))) return undefined
  if (filled.every((line) => line.startsWith('+')) && !PROSE.test(path)) return { line: 0, what: 'the lines of a diff' }
  const at = lines.findIndex((line, index) => TAKEN.test(line) && PUT.test(lines[index + 1] ?? ''))
  return at < 0 || PROSE.test(path) ? undefined : { line: at, what: 'the lines of a diff' }
}

const TAKEN = /^-(?!-)/
const PUT = /^\+(?!\+)/

function transcriptAt(lines: readonly string[], path: string): Found | undefined {
  const line = lines.findIndex((text) => text.trim() !== '')
  if (line < 0 || PROSE.test(path)
    || !/^(?:\$|❯|➜|PS [A-Z]:[^>]*>|>>>|\S+@\S+[$#]) +\S/.test(lines[line]!)) return undefined
  return { line, what: 'what a terminal showed' }
}

/** A text that is a JSON edit: `{"old_string": …, "new_string": …}` and the like, alone or in a list. */
function jsonEdit(lines: readonly string[]): Found | undefined {
  const text = lines.join('')
  if (!/^\s*[[{]/.test(text) || text.length > MAX_JSON) return undefined
  const isEdit = /"(?:old_?(?:string|text|str|code)?|search|find|before)"\s*:/i.test(text)
    && /"(?:new_?(?:string|text|str|code)?|replace(?:ment)?|after)"\s*:/i.test(text)
  return isEdit ? { line: 0, what: 'an edit written as JSON' } : undefined
}

const MAX_JSON = 100_000

/** Words of a text above a fence that say that it shows the present file; and those that say that it changes it. */
const SHOWS = new RegExp(
  '\\b(?:currently|at the moment|at present|right now|now looks like|looks like|says|contains|reads|output|was|is now'
  + '|existing|before the change|as it (?:is|stands))\\b', 'i',
)
const CHANGES = new RegExp(
  '\\b(?:replace|change|update|rewrite|write|become|should|must|need|so|fix|new|instead|create|make|add)\\w*\\b', 'i',
)

function shown(line: string): string {
  return line.length > 40 ? `${line.slice(0, 40)}…` : line
}

import { relative } from 'node:path'
import { type ApprovedPath, HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { approvePath, readText } from '../../../2-files/src/index.js'
import {
  editRefused, offsetEdits, placeOfOffset, withEdits, type AskedServer, type EditedFile,
} from '../../../2-language-servers/src/index.js'
import { editableLanguageOf, type ParsedId } from '../../../2-syntax/src/index.js'
import { placeKey } from '../symbols/references/candidate.js'

/** Files that one rename may change, and characters of all of them. */
const MOST_FILES = 2000
const MOST_CHARS = 64 * 1024 * 1024
const MARK = '\ufeff'

/** A file as it would be. */
export interface RenamedFile {
  path: ApprovedPath
  shown: string
  language: ParsedId | undefined
  before: string
  content: string
  replacements: number
}

export interface PlannedRename {
  files: RenamedFile[]
  /** By `placeKey`. */
  places: Set<string>
}

/**
 * What the edits of a server make of the files; where one of them cannot be made, none is.
 *
 * @throws HermesError `SERVER_FAILED` for edits outside the root, that overlap, or of something else than the name;
 *   `CHANGED_ON_DISK`, `POLICY_DENIED`, `FILE_TOO_LARGE`
 */
export function planRename(
  verb: string, asked: AskedServer, edited: readonly EditedFile[], oldName: string, context: VerbContext,
): PlannedRename {
  if (edited.length > MOST_FILES) throw tooMuch(verb, `${edited.length} files`)
  const files: RenamedFile[] = []
  const places = new Set<string>()
  let chars = 0
  for (const { path: named, edits } of edited) {
    const path = approvedFile(verb, asked, named, context)
    const below = relative(context.session.root, path)
    const shown = below.startsWith('..') ? path : below
    if (!asked.hasSeen(path)) throw changed(verb, asked.name, shown)
    const before = readText(context.files, path, context.limits.maxFileBytes, shown)
    const positions = asked.positioned(path)
    const found = offsetEdits(positions, edits)
    if (typeof found === 'string') throw editRefused(asked.name, `${shown}: ${found}`)
    const { text } = positions
    for (const { start, end } of found) {
      const replaced = text.slice(start, end)
      // An insert belongs to a short form, such as { name }.
      if (start !== end && !replaced.includes(oldName)) {
        const { line } = placeOfOffset(text, start)
        throw editRefused(asked.name, `line ${line} of ${shown} does not have ${oldName} where it would be renamed`)
      }
      places.add(placeKey({ path, ...placeOfOffset(text, start + Math.max(replaced.indexOf(oldName), 0)) }))
    }
    const content = (before.startsWith(MARK) ? MARK : '') + withEdits(text, found)
    chars += before.length + content.length
    if (chars > MOST_CHARS) throw tooMuch(verb, `${MOST_CHARS} characters`)
    if (content === before) continue
    files.push({ path, shown, language: editableLanguageOf(path), before, content, replacements: found.length })
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), places }
}

/** @throws HermesError `CHANGED_ON_DISK` where a file is not as it was planned for */
export function requireUnchanged(
  verb: string, server: string, files: readonly RenamedFile[], { files: store, limits }: VerbContext,
): void {
  const other = files.find(({ path, shown, before }) => readText(store, path, limits.maxFileBytes, shown) !== before)
  if (other) throw changed(verb, server, other.shown)
}

/** @throws HermesError `SERVER_FAILED` for a file outside the root, `POLICY_DENIED` for one that may not be changed */
function approvedFile(verb: string, asked: AskedServer, path: string, context: VerbContext): ApprovedPath {
  try {
    const approved = approvePath(context.gate, verb, path, 'write')
    if (context.files.stat(approved)?.kind === 'file') return approved
  } catch (error) {
    if (!(error instanceof HermesError) || error.code !== 'POLICY_DENIED') throw error
    throw new HermesError('POLICY_DENIED', `${verb}: ${asked.name} would edit ${path}, which may not be changed`, {
      hint: `Nothing was changed. ${error.message}.`, cause: error,
    })
  }
  throw editRefused(asked.name, `${path} is no file`)
}

function changed(verb: string, name: string, shown: string): HermesError {
  return new HermesError('CHANGED_ON_DISK', `${verb}: ${shown} has changed while ${name} worked on it`, {
    hint: 'Nothing was changed. Call it again.',
  })
}

function tooMuch(verb: string, what: string): HermesError {
  return new HermesError('OUTPUT_LIMIT', `${verb}: more than ${what} would be changed`, {
    hint: 'Nothing was changed. Rename it with a command, or ask the user to do it in an editor.',
  })
}

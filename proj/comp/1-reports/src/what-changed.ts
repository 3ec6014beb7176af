import type { ActionResult, FileChange } from '../../0-contracts/src/index.js'
import { commandOutput } from './command-output.js'
import { byteSize, plural } from './quantities.js'
import { shortPath } from './report-style.js'
import { listWords, resultWords } from './result-words.js'
import { linesOf, oneLine } from './safe-text.js'

/** What a patch may do to a file, of a file that says nothing else. */
const DONE = new Map<unknown, string>([['create', 'created'], ['modify', 'changed'], ['delete', 'deleted']])
/** More files than these are only counted. */
const MOST_NAMED = 3

type Facts = Record<string, unknown>
type Changes = readonly FileChange[] | undefined

/** Fields with a destination path. */
const DESTINATIONS = ['new_path', 'destination', 'destinationPath']
/** Remarks to append if these fields are true. */
const NOTES: readonly (readonly [field: string, words: string])[] = [
  ['overwrote', 'replaced the file there'],
  ['brokeHardLink', 'its other names keep the old content'],
  ['broke_hard_link', 'its other names keep the old content'],
  ['truncated', 'more left out'],
]
const NOTE_FIELDS = new Set(NOTES.map(([field]) => field))

/**
 * Describes what a successful block did in a few words; `''` for nothing. Judged by the shape of its result, for any
 * verb.
 *
 * @param changes of files by the block, if known
 */
export function whatChanged(result: ActionResult, changes?: Changes, roots: readonly string[] = []): string {
  const { data } = result
  const { action, params } = result.ranAs?.[0] ?? result
  const several = result.ranAs && result.ranAs.length > 1
  const output = commandOutput(result)
  if (output) return `exit ${output.exitCode ?? '?'}`
  if (Array.isArray(data) && several) return plural(data.length, 'change')
  if (Array.isArray(data)) return plural(data.length, ...itemsOf(data, action))
  const facts: Facts = typeof data === 'object' && data !== null ? data as Facts : {}
  const words = patchedFiles(facts['files'], roots) ?? movedTo(facts, params, changes, roots)
    ?? fileWords(facts, action, changes) ?? gitWords(facts) ?? delegateWords(facts)
    ?? (changeWords(changes) || resultWords(withoutNotes(facts), params))
  const notes = NOTES.filter(([field]) => facts[field] === true).map(([, note]) => note)
  return [...(words === '' ? [] : [words]), ...notes].join(', ')
}

function movedTo(facts: Facts, params: Facts, changes: Changes, roots: readonly string[]): string | undefined {
  const to = DESTINATIONS.map(name => textOf(facts, name) ?? textOf(params, name)).find(path => path !== undefined)
  if (to === undefined) return undefined
  const replaced = changes?.at(-1)?.kind === 'modify' ? ', replaced the file there' : ''
  return `→ ${oneLine(shortPath(to, roots), 160)}${replaced}`
}

function fileWords(facts: Facts, action: string, changes: Changes): string | undefined {
  const { replacements_made: replacements, lines_replaced: lines, exitCode, content, total_lines: total } = facts
  const bytes = facts['bytesWritten'] ?? facts['bytes_written']
  if (typeof replacements === 'number') return plural(replacements, 'replacement')
  if (typeof lines === 'number') return `${plural(lines, 'line')} replaced`
  if (typeof bytes === 'number') return `${writeWord(action, changes)}, ${byteSize(bytes)}`
  if (typeof exitCode === 'number') return `exit ${exitCode}`
  if (typeof content === 'string') {
    const read = linesOf(content).length
    return typeof total === 'number' && read < total ? `${read} of ${plural(total, 'line')}` : plural(read, 'line')
  }
  if (Array.isArray(content)) return plural(content.length, 'file')
  const { removed } = facts
  return Array.isArray(removed) ? `${plural(removed.length, 'file')} removed` : undefined
}

/** For a delegate: `4 turns, 2 files changed`; why it ended, if it did not finish. */
function delegateWords({ ended, turns, changes }: Facts): string | undefined {
  if (typeof ended !== 'string' || typeof turns !== 'number') return undefined
  const files = Array.isArray(changes) ? [`${plural(changes.length, 'file')} changed`] : []
  return [plural(turns, 'turn'), ...files, ...(ended === 'answer' ? [] : [`ended by ${ended}`])].join(', ')
}

/** For a commit: `3f2a1bc, 2 files`; for a work tree: `on main, clean`, `on main, 1 staged, 2 untracked`. */
function gitWords(facts: Facts): string | undefined {
  const { hash, files, branch } = facts
  if (typeof hash === 'string') {
    return [oneLine(hash.slice(0, 7)), ...(Array.isArray(files) ? [listWords('files', files)] : [])].join(', ')
  }
  if (branch === undefined) return undefined
  const place = typeof branch === 'string' ? `on ${oneLine(branch, 80)}` : 'no branch'
  const lists = Object.entries(facts).filter(([, value]) => Array.isArray(value) && value.length > 0)
  const state = resultWords(Object.fromEntries(lists), {}) || 'clean'
  return `${place}, ${state}`
}

function withoutNotes(facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([field]) => !NOTE_FIELDS.has(field)))
}

function textOf(facts: Facts, name: string): string | undefined {
  const value = Object.hasOwn(facts, name) ? facts[name] : undefined
  return typeof value === 'string' ? value : undefined
}

function writeWord(action: string, changes: Changes): string {
  if (changes?.some(({ kind }) => kind === 'create')) return 'created'
  if (action.endsWith('append')) return 'appended'
  return changes === undefined ? 'written' : 'replaced'
}

function changeWords(changes: Changes): string {
  switch (changes?.at(-1)?.kind) {
    case 'create':
    case 'create-directory': return 'created'
    case 'modify': return 'changed'
    case 'move': return 'moved'
    case 'delete':
    case 'delete-directory': return 'deleted'
    case undefined: return ''
  }
}

function itemsOf(data: readonly unknown[], action: string): [one: string, many: string] {
  const [first] = data
  const isMatch = typeof first === 'object' && first !== null ? 'line_number' in first : action === 'grep'
  if (isMatch) return ['match', 'matches']
  return typeof first === 'string' || action === 'glob' ? ['path', 'paths'] : ['entry', 'entries']
}

/**
 * `src/a.js changed, docs/new.md created, 4 files more`, for results that tell of each file what was done to it.
 *
 * @returns `undefined` for any other result
 */
function patchedFiles(files: unknown, roots: readonly string[]): string | undefined {
  if (!Array.isArray(files) || files.length === 0) return undefined
  const show = (path: string): string => oneLine(shortPath(path, roots), 80)
  const told = files.slice(0, MOST_NAMED).map((file: unknown) => patchedFile(file, show))
  if (!told.every(text => text !== undefined)) return undefined
  const more = files.length - told.length
  return [...told, ...(more > 0 ? [`${plural(more, 'file')} more`] : [])].join(', ')
}

function patchedFile(file: unknown, show: (path: string) => string): string | undefined {
  if (typeof file !== 'object' || file === null) return undefined
  const { path, from, change, alreadyApplied } = file as Record<string, unknown>
  if (typeof path !== 'string') return undefined
  if (alreadyApplied === true) return `${show(path)} as it was`
  if (typeof from === 'string') {
    return change === 'copy' ? `${show(path)} copied from ${show(from)}` : `${show(from)} → ${show(path)}`
  }
  const done = DONE.get(change)
  return done === undefined ? undefined : `${show(path)} ${done}`
}

import type { ActionResult, FileChange } from '../../contracts/src/index.js'
import { commandOutput } from './command-output.js'
import { byteSize, plural } from './quantities.js'
import { shortPath } from './report-style.js'
import { linesOf, oneLine } from './safe-text.js'

type Facts = Record<string, unknown>
type Changes = readonly FileChange[] | undefined

/**
 * What a block that succeeded did, in some words; `''` for nothing.
 *
 * @param changes what it did to files, where that is known
 */
export function whatChanged(result: ActionResult, changes?: Changes, roots: readonly string[] = []): string {
  const { data, action } = result
  const output = commandOutput(result)
  if (output) return `exit ${output.exitCode ?? '?'}`
  if (Array.isArray(data)) return plural(data.length, ...itemsOf(data, action))
  const facts: Facts = typeof data === 'object' && data !== null ? data as Facts : {}
  const words = fileWords(facts, action, changes, roots) ?? changeWords(changes)
  const notes = [
    ...(facts['overwrote'] === true ? ['replaced the file there'] : []),
    ...(facts['brokeHardLink'] === true ? ['its other names keep the old content'] : []),
  ]
  return [...(words === '' ? [] : [words]), ...notes].join(', ')
}

function fileWords(facts: Facts, action: string, changes: Changes, roots: readonly string[]): string | undefined {
  const { replacements_made: replacements, lines_replaced: lines, bytesWritten: bytes, new_path: to, content } = facts
  if (typeof replacements === 'number') return plural(replacements, 'replacement')
  if (typeof lines === 'number') return `${plural(lines, 'line')} replaced`
  if (typeof bytes === 'number') return `${writeWord(action, changes)}, ${byteSize(bytes)}`
  if (typeof to === 'string') return `→ ${oneLine(shortPath(to, roots), 160)}`
  if (typeof content === 'string') return plural(linesOf(content).length, 'line')
  if (Array.isArray(content)) return plural(content.length, 'file')
  const { removed } = facts
  return Array.isArray(removed) ? `${plural(removed.length, 'file')} removed` : undefined
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

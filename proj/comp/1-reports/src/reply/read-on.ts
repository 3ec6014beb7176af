import { MOST_OFFSETS } from '../../../0-contracts/src/index.js'
import { printableJson } from '../../../0-text/src/index.js'

/** A call whose result is shown. */
export interface CallMade {
  /** Name of the verb that ran. */
  action: string
  params: Record<string, unknown>
  /** The model called a tool of another harness, and does not know the verb that ran instead. */
  isMapped: boolean
  /** File with the complete result. */
  wholeIn: string | undefined
}

export interface Rest extends CallMade {
  kind: 'file' | 'text' | 'stream' | 'list'
  path?: string | undefined
  /** Field with the list, if that is not the result itself. */
  field?: string | undefined
  /** Number of the first omitted line or item. */
  from?: number
  to?: number
}

/** How to get what was omitted: a call in the same vocabulary. Starts with a space. */
export function readOn(rest: Rest): string {
  const { kind, action, params, isMapped, wholeIn, path, from = 1, to } = rest
  if (kind === 'file' && path !== undefined && to !== undefined) {
    return isMapped ? ' To read on, ask for these lines.' : ` To read on: ${rangeCall(action, path, from, to)}`
  }
  if (kind === 'list' && !isMapped && rest.field !== undefined && PAGED[action]?.includes(rest.field)) {
    const next = nextPage(action, params, from)
    if (next !== undefined) return ` To read on: ${next}`
    return ` ${FEWER[action]?.(params, from) ?? 'To see them, ask for fewer at once.'}`
  }
  const kept = wholeIn === undefined ? '' : ` All of it: ${isMapped ? wholeIn : readCall(action, wholeIn)}`
  if (kind === 'stream' && kept === '') {
    return ' To see them, run it so that it prints less, or into a file, and read that.'
  }
  const fewer = (kind === 'list' || action === 'symbol_outline') && !isMapped ? FEWER[action] : undefined
  return fewer === undefined ? kept : `${kept} ${fewer(params, from)}`
}

/** Names of core tools; verbs with a dot are hermes', all others clada's. */
const CORE = new RegExp(`^(?:${[
  'read_file', 'write_file', 'list_directory', 'search_files', 'execute_', 'git_', 'find_', 'get_', 'semantic_',
  'symbol_outline$', 'ask_', 'confirm_',
].join('|')})`)

function vocabularyOf(action: string): 'clada' | 'hermes' | 'core' {
  if (action.includes('.')) return 'hermes'
  return CORE.test(action) ? 'core' : 'clada'
}

/** The call that reads these lines. */
export function rangeCall(action: string, path: string, from: number, to: number): string {
  switch (vocabularyOf(action)) {
    case 'hermes': return called('fs.readRange', { path, startLine: from, endLine: to })
    case 'core': return called('read_file', { path, start_line: from, end_line: to })
    case 'clada': return `file_read_numbered path = ${printableJson(path, 0)}, lines = "${from}-${to}"`
  }
}

function readCall(action: string, path: string): string {
  switch (vocabularyOf(action)) {
    case 'hermes': return called('fs.readFile', { path })
    case 'core': return called('read_file', { path })
    case 'clada': return `file_read path = ${printableJson(path, 0)}`
  }
}

/** Calls that support `offset`, with the list fields it counts. */
const PAGED: Readonly<Record<string, readonly string[]>> = {
  list_directory: ['entries'], search_files: ['matches', 'files'], find_symbol: ['symbols', 'references'],
  structural_search: ['matches'],
}

/**
 * @param from the first omitted item of those returned
 * @returns `undefined` where the verb would refuse such an offset
 */
function nextPage(action: string, params: Record<string, unknown>, from: number): string | undefined {
  // In SHAM the action is one of the parameters.
  const { action: _, offset, ...rest } = params
  const next = (Number(offset) || 0) + from - 1
  const most = Object.entries(MOST_OFFSETS).find(([name]) => name === action)?.[1] ?? Infinity
  return next > most ? undefined : called(action, { ...rest, offset: next })
}

function called(name: string, params: Record<string, unknown>): string {
  return `${name} ${printableJson(params, 0)}`
}

type Narrower = (params: Record<string, unknown>, from: number) => string

const narrow = (...names: string[]): Narrower => (
  () => `To see them, call it again with a narrower ${names.join(' or ')}.`
)

/** For calls that list: how to request less. */
const FEWER: Readonly<Record<string, Narrower>> = {
  ls: narrow('path'),
  grep: narrow('pattern', 'path', 'include'),
  glob: narrow('pattern', 'base_path'),
  'fs.listDir': narrow('path'),
  search_files: narrow('query', 'path', 'pattern'),
  semantic_search: narrow('query', 'path'),
  structural_search: narrow('pattern', 'path', 'include'),
  find_symbol: narrow('symbol_name', 'symbol_type', 'path'),
  get_definition: narrow('file_path'),
  symbol_outline: () => (
    'To see less of each file, call it again with depth 1; to see fewer files, with a narrower path.'
  ),
  git_status: narrow('path'),
  git_diff: narrow('path'),
  git_log: narrow('count', 'path'),
}

import { posix } from 'node:path'
import { printableJson } from '../../../0-text/src/index.js'
import { costOf } from './fit-outline.js'

/** The present call, for suggesting one that shows more. */
export interface MoreCalls {
  verb: string
  args: Readonly<Record<string, unknown>>
  tokens: number
  /** Largest number of tokens that can be asked for. */
  most: number
}

/** What an outline leaves out. */
export interface LeftOut {
  symbols: number
  ofSymbols: number
  /** For a directory: files of which nothing is shown. */
  files?: { of: number; below: string; paths: readonly string[] }
}

/** Share of the tokens reserved for the line about what is left out. */
const SHARE = 0.25
const MOST_TOKENS = 150
const MOST_FOLDERS = 3
const FACTOR = 4

/** Number of tokens to reserve for that line. */
export function reserveOf({ tokens }: Pick<MoreCalls, 'tokens'>): number {
  return Math.min(MOST_TOKENS, Math.floor(tokens * SHARE))
}

/** A line of at most `reserveOf` tokens that says what is left out and how to see it. */
export function leftOutLine(left: LeftOut, more: MoreCalls): string {
  const { symbols, ofSymbols, files } = left
  const ofFiles = files && files.paths.length > 0 ? `, ${files.paths.length} of ${files.of} files` : ''
  const told = `Left out: ${symbols} of ${ofSymbols} definitions${ofFiles}.`
  const larger = largerCall(more)
  const folders = files ? foldersOf(files) : ''
  const ways = [larger, folders === '' ? undefined : `a narrower path: ${folders}`].filter((way) => way !== undefined)
  const room = reserveOf(more)
  const short = larger === undefined ? [] : ['a larger max_tokens.']
  const forms = [ways.join(', or '), ...ways, ...short].filter((way) => way !== '')
    .map((way) => `${told} For more: ${way}`)
  return forms.find((form) => costOf(form) <= room) ?? told
}

function largerCall({ verb, args, tokens, most }: MoreCalls): string | undefined {
  if (tokens >= most) return undefined
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined))
  return `${verb} ${printableJson({ ...given, max_tokens: Math.min(most, tokens * FACTOR) }, 0)}`
}

/**
 * The folders directly below the outlined one that hold most of the files left out.
 *
 * @param files `below` is as the call has it (`./src/`), the paths are in short form (`src/a.ts`)
 */
function foldersOf({ below, paths }: NonNullable<LeftOut['files']>): string {
  const counts = new Map<string, number>()
  const start = posix.join(below, '/')
  const prefix = start === './' ? '' : start
  for (const path of paths) {
    const end = path.indexOf('/', prefix.length)
    if (end === -1) continue
    const name = path.slice(0, end)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  // Skip a single folder: in most trees it would not narrow the outline.
  const largest = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_FOLDERS)
  return largest.map(([name, count]) => `${printableJson(name, 0)} (${count} ${count === 1 ? 'file' : 'files'})`)
    .join(', ')
}

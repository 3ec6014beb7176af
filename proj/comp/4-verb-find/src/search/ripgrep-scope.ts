import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { VerbContext } from '../../../0-contracts/src/index.js'
import { rulesAbove } from '../../../2-files/src/index.js'
import type { SearchRequest } from './search-request.js'

/** Where ripgrep runs, and what it is told to search there. */
export interface RipgrepScope {
  cwd: string
  /** Its last arguments. */
  args: string[]
  /** What it writes before the path below the start. */
  prefix: string
  /** Removes what was made for the run. */
  dispose: () => void
}

/**
 * Ripgrep reads rules of directories above the one it searches all the way up, or not at all. Where rules of
 * directories above the start count, it runs from the outermost of them, and is kept from what is beside the way down.
 */
export function ripgrepScope({ start, isFile }: SearchRequest, context: VerbContext): RipgrepScope {
  const nothing = (): void => undefined
  if (isFile) {
    const name = `./${basename(start)}`
    return { cwd: dirname(start), args: ['--', name], prefix: name, dispose: nothing }
  }
  const base = rulesAbove(start, context)?.outermost
  if (base === undefined) return { cwd: start, args: ['--', './'], prefix: './', dispose: nothing }
  const way = relative(base, start).split(sep)
  const directory = mkdtempSync(join(tmpdir(), 'hermes-search-'))
  const file = join(directory, 'beside')
  writeFileSync(file, way.map((_, depth) => onlyRule(way.slice(0, depth), way[depth] ?? '')).join(''))
  return {
    cwd: base,
    args: ['--ignore-file', file, '--', './'],
    prefix: `./${way.join('/')}/`,
    dispose: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Of a directory only one entry. What slips through is left out of the result by its path. */
function onlyRule(above: readonly string[], name: string): string {
  const directory = ['', ...above.map(escapeName), ''].join('/')
  return `${directory}*\n!${directory}${escapeName(name)}\n`
}

/** Any character in place of what a rule would take for special. */
function escapeName(name: string): string {
  return name.replace(/[\\*?[\]{},!# \r\n\t]/g, '?')
}

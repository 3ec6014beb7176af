import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { VerbContext } from '../../../0-contracts/src/index.js'
import { rulesAbove } from '../../../2-files/src/index.js'
import type { SearchRequest } from './search-request.js'

/** Where to run ripgrep, and its arguments that select files. */
export interface RipgrepScope {
  cwd: string
  /** Its last arguments. */
  args: string[]
  /** Prefix that it writes before the relative path. */
  prefix: string
}

/**
 * Ripgrep applies ignore rules of directories above its start either all the way up, or not at all. If rules of
 * directories above the request's start apply, it runs from the outermost of these, limited to the path down to the
 * start.
 */
export async function withRipgrepScope<T>(
  { start, isFile }: SearchRequest, context: VerbContext, search: (scope: RipgrepScope) => Promise<T>,
): Promise<T> {
  if (isFile) {
    const name = `./${basename(start)}`
    return search({ cwd: dirname(start), args: ['--', name], prefix: name })
  }
  const base = rulesAbove(start, context)?.outermost
  if (base === undefined) return search({ cwd: start, args: ['--', './'], prefix: './' })
  const way = relative(base, start).split(sep)
  const directory = mkdtempSync(join(tmpdir(), 'hermes-search-'))
  const file = join(directory, 'beside')
  writeFileSync(file, way.map((_, depth) => onlyRule(way.slice(0, depth), way[depth] ?? '')).join(''))
  try {
    return await search({ cwd: base, args: ['--ignore-file', file, '--', './'], prefix: `./${way.join('/')}/` })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * An ignore rule that leaves only one entry of a directory. Other files that slip through are dropped by their path.
 */
function onlyRule(above: readonly string[], name: string): string {
  const directory = ['', ...above.map(escapeName), ''].join('/')
  return `${directory}*\n!${directory}${escapeName(name)}\n`
}

/** Replaces characters that are special in rules by `?`. */
function escapeName(name: string): string {
  return name.replace(/[\\*?[\]{},!# \r\n\t]/g, '?')
}

import picomatch from 'picomatch'
import { HermesError } from '../../contracts/src/index.js'

/**
 * Compiles a glob pattern (`*`, `**`, `?`, `[…]`, `{a,b}`, a leading `!`).
 *
 * @throws HermesError `INVALID_PARAMETER` for one that can match nothing
 */
export function compilePattern(
  verb: string, parameter: string, pattern: string, options: { dot: boolean },
): (path: string) => boolean {
  const problem = problemOf(pattern)
  if (problem) throw new HermesError('INVALID_PARAMETER', `${verb}: ${parameter} ${problem[0]}`, { hint: problem[1] })
  return picomatch(pattern, options)
}

function problemOf(pattern: string): [problem: string, hint: string] | undefined {
  if (pattern.trim() === '') return ['cannot be empty', 'Write a pattern such as **/*.ts.']
  if (pattern.length > 10_000) return ['is longer than 10,000 characters', 'Write a shorter pattern.']
  if (/^!?\//.test(pattern)) {
    return ['must be relative', 'Write the directory as the path, and the pattern below it, e.g. src/**/*.ts.']
  }
  if (/(^|\/)\.\.(\/|$)/.test(pattern)) return ['cannot hold ..', 'Write the directory it starts from as the path.']
  return undefined
}

/** Which directories can hold matches of `pattern`, as far as its literal beginning and its depth tell. */
export function directoriesFor(pattern: string): (relative: string) => boolean {
  const { base, glob, negated } = picomatch.scan(pattern)
  // Escapes are rare; then everything is walked.
  if (negated || pattern.includes('\\')) return () => true
  const namesDotFiles = /(^|[/{,(|])\.[^/]/.test(pattern.replace(/^\.\//, ''))
  const literal = glob === '' ? base.slice(0, Math.max(0, base.lastIndexOf('/'))) : base
  const depth = /\*\*|[{(]/.test(pattern) ? Infinity : pattern.replace(/^\.\//, '').split('/').length - 1
  return (relative) => {
    if (!namesDotFiles && /(^|\/)\./.test(relative)) return false
    if (relative.split('/').length > depth) return false
    const within = literal === '' || `${relative}/`.startsWith(`${literal}/`)
    return within || `${literal}/`.startsWith(`${relative}/`)
  }
}

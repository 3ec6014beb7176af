import { HermesError } from '../../../0-contracts/src/index.js'
import { expandBraces } from './expand-braces.js'
import { bracketFault, compileName } from './match-name.js'

const MOST_CHARS = 1000
/** Most characters of all alternatives together. */
const MOST_EXPANDED = 10_000

/** A compiled glob pattern; paths are relative, with `/`. */
export interface PathPattern {
  matches(path: string): boolean
  /** False where nothing below the directory can match. */
  mayMatchBelow(directory: string): boolean
}

/** `names` is `**`: any number of names. */
type Part = 'names' | ((name: string) => boolean)

/**
 * Compiles a glob pattern (`*`, `**`, `?`, `[…]`, `{a,b}`, a leading `!`). Matching takes at most the product of the
 * lengths of pattern and path.
 *
 * @param options `dot`: whether wildcards match a leading dot of a name
 * @throws HermesError `INVALID_PARAMETER` for a pattern that can match nothing, is too long, or uses other syntax
 */
export function compilePattern(
  verb: string, parameter: string, pattern: string, { dot }: { dot: boolean },
): PathPattern {
  const refuse = ([problem, hint]: Problem): never => {
    throw new HermesError('INVALID_PARAMETER', `${verb}: ${parameter} ${problem}`, { hint })
  }
  const problem = problemOf(pattern)
  if (problem) refuse(problem)
  const marks = /^!*/.exec(pattern)![0].length
  const negated = marks % 2 === 1
  const expanded = expandBraces(pattern.slice(marks), MOST_EXPANDED) ?? refuse(TOO_MANY)
  const fault = expanded.flatMap((alternative) => alternative.split('/')).map(bracketFault).find((kind) => kind)
  if (fault) refuse(fault === 'unclosed' ? UNCLOSED : reversedProblem(fault))
  const alternatives = expanded.map((alternative) => compileParts(alternative.replace(/^\.\//, ''), dot))
  return {
    matches: (path) => {
      const names = path.split('/')
      return alternatives.some((parts) => statesAfter(parts, names, dot).has(parts.length)) !== negated
    },
    mayMatchBelow: (directory) => {
      const names = directory.split('/')
      return negated || alternatives.some((parts) => [...statesAfter(parts, names, dot)].some((i) => i < parts.length))
    },
  }
}

type Problem = readonly [problem: string, hint: string]

const TOO_MANY: Problem = ['has too many alternatives in braces', 'Write fewer of them, or several calls.']

const UNCLOSED: Problem = [
  'holds a [ without a ]',
  'Close it behind the characters meant, e.g. [abc], or write \\[ for a bracket that is meant itself.',
]

function reversedProblem([from, to]: readonly [from: string, to: string]): Problem {
  return [
    `holds the range [${from}-${to}], which runs backwards`,
    `Write [${to}-${from}], or \\[ for a bracket that is meant itself.`,
  ]
}

function problemOf(pattern: string): Problem | undefined {
  if (pattern.trim() === '') return ['cannot be empty', 'Write a pattern such as **/*.ts.']
  if (pattern.length > MOST_CHARS) return ['is longer than 1,000 characters', 'Write a shorter pattern.']
  if (/^!*\//.test(pattern)) {
    return ['must be relative', 'Write the directory as the path, and the pattern below it, e.g. src/**/*.ts.']
  }
  if (/(^|\/)\.\.(\/|$)/.test(pattern)) return ['cannot hold ..', 'Write the directory it starts from as the path.']
  if (/(?<!\\)[@+!]\(/.test(pattern)) {
    return ['holds an extended pattern such as +(a)', 'Write the alternatives in braces: {a,b}.']
  }
  if (/\{[^{},/]*\.\.[^{},/]*\}/.test(pattern)) {
    return ['holds a range in braces', 'Write the alternatives one by one, {1,2,3}, or a range of characters, [1-3].']
  }
  return undefined
}

function compileParts(pattern: string, dot: boolean): Part[] {
  // A final ** stands for what is inside the directory, not for the directory itself.
  return pattern.replace(/(^|\/)\*{2,}$/, '$1**/*').split('/')
    .map((part) => (/^\*{2,}$/.test(part) ? 'names' : compileName(part, dot)))
}

/** Indices of the parts that may match next after these names; `parts.length` where the pattern is complete. */
function statesAfter(parts: readonly Part[], names: readonly string[], dot: boolean): Set<number> {
  let states = new Set<number>()
  addState(states, parts, 0)
  for (const name of names) {
    const next = new Set<number>()
    for (const state of states) {
      const part = parts[state]
      if (part === 'names') {
        if (dot || !name.startsWith('.')) addState(next, parts, state)
      } else if (part?.(name)) addState(next, parts, state + 1)
    }
    states = next
  }
  return states
}

/** `**` may also match no name. */
function addState(states: Set<number>, parts: readonly Part[], state: number): void {
  let here = state
  while (!states.has(here)) {
    states.add(here)
    if (parts[here] !== 'names') return
    here++
  }
}

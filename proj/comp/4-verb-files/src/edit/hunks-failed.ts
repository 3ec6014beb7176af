import { HermesError } from '../../../0-contracts/src/index.js'
import type { HunkOutcome } from '../../../1-edits/src/index.js'

/**
 * The error for a file to which not every hunk applies: describes the first that does not, and lists those that would.
 */
export function hunksFailed(verb: string, path: string, outcomes: readonly HunkOutcome[]): HermesError {
  const failures = outcomes.flatMap(({ failure }) => failure ?? [])
  const [first] = failures
  const more = failures.length > 1 ? ` (and ${failures.length - 1} more of ${outcomes.length} hunks)` : ''
  const fine = outcomes.filter(({ failure }) => failure === undefined).map(({ hunk }) => hunk)
  const others = fine.length === 0 ? [] : [
    `${fine.length === 1 ? 'Hunk' : 'Hunks'} ${ranges(fine)} would be applied; of this file nothing was written: `
    + `mend the ${failures.length === 1 ? 'other one' : 'others'} and send all again.`,
  ]
  const hints = failures.slice(0, MOST_HINTS)
    .map(({ message, hint }, index) => index === 0 ? hint : `${message}. ${hint}`)
  return new HermesError(first?.code ?? 'INTERNAL', `${verb}: ${path}: ${first?.message ?? 'no hunk failed'}${more}`, {
    hint: [...hints, ...others].join('\n'),
    data: { path, hunks: outcomes.map(asData) },
  })
}

const MOST_HINTS = 5

function asData({ hunk, line, match, alreadyApplied, failure }: HunkOutcome): object {
  return {
    hunk,
    applies: failure === undefined,
    ...(line !== undefined && { line }),
    ...(match !== undefined && { match }),
    ...(alreadyApplied && { alreadyApplied }),
    ...(failure !== undefined && { code: failure.code, error: failure.message, hint: failure.hint }),
  }
}

/** `1-3, 5` */
function ranges(numbers: readonly number[]): string {
  const parts: string[] = []
  for (let from = 0; from < numbers.length;) {
    let to = from
    while (numbers[to + 1] === (numbers[to] ?? 0) + 1) to++
    parts.push(from === to ? `${numbers[from]}` : `${numbers[from]}-${numbers[to]}`)
    from = to + 1
  }
  return parts.join(', ')
}

import type { Call } from '../commands/call.js'
import type { DangerName } from '../dangers.js'

/** Judges one command by its arguments. */
export type Rule = (call: Call) => DangerName | undefined

/** So much is compared with patterns; no command that a person reads is longer. */
const MOST_MATCHED = 3000

/** The same verdict whatever the arguments are, but for a question about the program itself. */
export function always(danger: DangerName): Rule {
  return ({ args }) => (args.some((arg) => /^(?:--help|--version)$/.test(arg)) ? undefined : danger)
}

/** A verdict where the arguments, joined by blanks, match. */
export function when(pattern: RegExp, danger: DangerName): Rule {
  return ({ args }) => (pattern.test(args.join(' ').slice(0, MOST_MATCHED)) ? danger : undefined)
}

/** The first of the rules that has a verdict. */
export function firstOf(...rules: readonly Rule[]): Rule {
  return (call) => {
    for (const rule of rules) {
      const danger = rule(call)
      if (danger) return danger
    }
    return undefined
  }
}

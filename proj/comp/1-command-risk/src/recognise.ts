import { codeDangers } from './code/code-dangers.js'
import type { Danger } from './dangers.js'
import { Scope, TooComplex } from './shell/scope.js'
import { ScriptRun } from './shell/script-run.js'
import { withoutTaints } from './shell/taint.js'

/** What will run: shell text, code in a language, or a program with arguments and input. */
export type CommandSource = (
  | { kind: 'shell'; text: string }
  | { kind: 'code'; lang: 'python' | 'javascript' | 'ruby' | 'powershell'; text: string }
  | { kind: 'program'; words: readonly string[]; stdin?: string }
) & {
  /** Environment variables that are set for it. */
  env?: Readonly<Record<string, string>> | undefined
}

/** Longest text to analyse, in UTF-16 units; people do not read longer commands. */
const LONGEST = 200_000

/**
 * The dangers of a command, one of each kind, in order of discovery. Shell text is parsed and followed as the shell
 * would: quotes, variables, substitutions, pipes, functions, and commands run by commands. What cannot be followed is
 * `unreadable command`. A safety net, no protection: a command can be hidden from it on purpose.
 */
export function findDangers(source: CommandSource): Danger[] {
  const scope = new Scope()
  const shell = new ScriptRun(scope)
  const words = source.kind === 'program' ? [...source.words, source.stdin ?? ''] : [source.text]
  try {
    if ([...words, ...Object.values(source.env ?? {})].join('').length > LONGEST) throw new TooComplex()
    for (const [name, value] of Object.entries(source.env ?? {})) shell.assign(name, withoutTaints(value))
    if (source.kind === 'shell') shell.here(withoutTaints(source.text), '')
    else if (source.kind === 'program') shell.call(source.words.map(withoutTaints), withoutTaints(source.stdin ?? ''))
    else {
      for (const name of codeDangers({ ...source, text: withoutTaints(source.text) }, shell))
        scope.report(name, [source.text])
    }
  } catch (error) {
    // Deep recursion ends in the engine's own RangeError.
    if (!(error instanceof TooComplex || error instanceof RangeError)) throw error
    scope.report('unreadable command', words)
  }
  return scope.dangers
}

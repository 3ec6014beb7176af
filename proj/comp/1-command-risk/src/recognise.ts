import type { CodeLanguage } from './code/code-languages.js'
import { codeDangers } from './code/code-dangers.js'
import { type Danger, DANGERS } from './dangers.js'
import { Scope, TooComplex } from './shell/scope.js'
import { ScriptRun } from './shell/script-run.js'
import { withoutTaints } from './shell/taint.js'

/** What is to be run: text for a shell, code in a language, or a program with its arguments and what it reads. */
export type CommandSource = (
  | { kind: 'shell'; text: string }
  | { kind: 'code'; lang: 'python' | 'javascript' | 'ruby' | 'powershell'; text: string }
  | { kind: 'program'; words: readonly string[]; stdin?: string }
) & {
  /** Variables that are set for it. */
  env?: Readonly<Record<string, string>> | undefined
}

/** Longest text that is followed, in UTF-16 units; no command that a person reads is so long. */
const LONGEST = 200_000

/**
 * The dangerous things that a command would do, each kind once, in the order found. The shell's text is parsed and
 * followed as the shell would: quotes, variables, substitutions, pipes, functions, and the commands that commands run.
 * What cannot be followed to its end is `unreadable command`. A seat belt: whoever wants to can hide a command from it.
 */
export function findDangers(source: CommandSource): Danger[] {
  const scope = new Scope()
  const machine = new ScriptRun(scope)
  const words = source.kind === 'program' ? [...source.words, source.stdin ?? ''] : [source.text]
  const variables = Object.values(source.env ?? {})
  try {
    if ([...words, ...variables].join('').length > LONGEST) throw new TooComplex()
    for (const [name, value] of Object.entries(source.env ?? {})) machine.assign(name, withoutTaints(value))
    if (source.kind === 'shell') machine.here(withoutTaints(source.text), '')
    else if (source.kind === 'program') machine.call(source.words.map(withoutTaints), withoutTaints(source.stdin ?? ''))
    else {
      const lang: CodeLanguage = source.lang
      for (const name of codeDangers({ lang, text: withoutTaints(source.text) }, machine))
        scope.report(name, [source.text])
    }
  } catch (error) {
    // Deep recursion ends in the engine's own RangeError.
    if (!(error instanceof TooComplex || error instanceof RangeError)) throw error
    scope.report('unreadable command', words)
  }
  return scope.dangers
}

/** Whether a name is one that `command_allowlist` may hold. */
export function isDangerName(name: string): name is keyof typeof DANGERS {
  return Object.hasOwn(DANGERS, name)
}

import type { FollowedShell } from '../shell/followed-shell.js'
import { each, type Call } from './call.js'

type Chosen = (args: readonly string[]) => readonly string[]

const all: Chosen = (args) => args
const after = (option: RegExp): Chosen => (args) => args.filter((_, at) => option.test(args[at - 1] ?? ''))
const NUMERIC = /^-(?:eq|ne|lt|le|gt|ge)$/
const tested: Chosen = (args) =>
  args.filter((_, at) => /^-[vR]$/.test(args[at - 1] ?? '') || [args[at - 1], args[at + 1]].some((one) => (
    NUMERIC.test(one ?? '')
  )))

/** The arguments that builtins take as arithmetic or as names of variables: a subscript in them may run commands. */
const EVALUATED: Readonly<Record<string, Chosen>> = {
  ...each('let declare typeset local readonly export unset read mapfile readarray getopts', all),
  wait: after(/^-p$/),
  printf: after(/^-v$/),
  ...each('test [', tested),
}

/** Follows what the shell itself evaluates among the arguments of a builtin. */
export function evaluateArguments({ name, args }: Call, shell: FollowedShell): void {
  if (!Object.hasOwn(EVALUATED, name)) return
  for (const text of EVALUATED[name]?.(args) ?? []) {
    if (text.includes('[') || !text.includes('$')) shell.evaluate(text)
  }
}

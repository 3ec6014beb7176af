import { codeDangers } from '../code/code-dangers.js'
import { dangerOf, RULE_NAMES } from '../rules/rules.js'
import type { FollowedShell } from '../shell/followed-shell.js'
import { globRegex, isGlob } from '../shell/globs.js'
import type { Scope } from '../shell/scope.js'
import { ANY, CONTENT, DECODED, isKnown, PRINTED, REMOTE, SECRET } from '../shell/taint.js'
import { runBuiltin } from './builtins.js'
import { keepCopies } from './copies.js'
import { evaluateArguments } from './evaluated.js'
import { codeOf } from './interpreter-code.js'
import { runNested } from './nested.js'
import { runOptions } from './running-options.js'
import { secretDanger } from './secrets.js'
import { runShell, SHELLS } from './shells.js'
import { printedBy } from './text-tools.js'
import { innerCommand, WRAPPER_NAMES } from './wrappers.js'

const KNOWN_NAMES = [
  ...RULE_NAMES, ...SHELLS, ...WRAPPER_NAMES, 'find', 'xargs', 'eval', 'node', 'base64', 'cat',
]

/** Longest part of an argument to analyse, as some patterns take more than linear time. */
const MOST_JUDGED = 10_000

/** Follows one command: reports what is dangerous, and gives what it prints. */
export function callCommand(words: readonly string[], stdin: string, shell: FollowedShell): string {
  const { scope } = shell
  scope.step(stdin.length + words.reduce((sum, word) => sum + word.length, 0))
  const [first = '', ...args] = words
  if (first === '') return args.length > 0 ? shell.call(args, stdin) : ''
  const unknown = unknownName(first, args)
  if (unknown) scope.report(unknown, words)
  const ofFunction = shell.callFunction(words, stdin)
  if (ofFunction !== undefined) return ofFunction
  const alias = scope.aliases.get(first)
  if (alias !== undefined) {
    scope.aliases.delete(first)
    return shell.here([alias, ...args.map(quoted)].join(' '), stdin)
  }
  const name = commandName(first, KNOWN_NAMES)
  const call = { name, args, stdin, words }
  evaluateArguments(call, shell)
  runOptions(call, shell)
  const builtin = runBuiltin(call, shell)
  if (builtin !== undefined) return builtin
  const inner = innerCommand(call, shell)
  if (inner) return inner.words.length === 0 ? PRINTED : shell.call(inner.words, inner.stdin ?? stdin)
  if (SHELLS.includes(name)) return runShell(call, shell)
  const nested = runNested(call, shell)
  const code = codeOf(call, shell)
  if (code) for (const danger of codeDangers(code, shell)) scope.report(danger, words)
  scope.report(dangerOf({ ...call, args: args.map((arg) => arg.slice(0, MOST_JUDGED)) }), words)
  scope.report(secretDanger(call), words)
  keepCopies(call, scope, (program) => KNOWN_NAMES.includes(program))
  const written = fileOf(first, scope)
  if (written === undefined) return nested ?? printedBy(call, scope)
  if (written.includes(REMOTE)) scope.report('remote code', words)
  return isKnown(written) ? shell.apart(written, stdin, args) : PRINTED
}

/** The program a command's first word names: without its directory and `.exe`; wildcards may find a known one. */
function commandName(word: string, known: readonly string[]): string {
  const name = (word.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat)$/i, '')
  if (name.length > 40 || !isGlob(name)) return name
  const regex = globRegex(name)
  return known.find((one) => regex.test(one)) ?? name
}

/**
 * What a file holds that this script wrote or downloaded, and that is run by its path, or by its name from a directory
 * that the script chose.
 */
function fileOf(name: string, { files, variables }: Scope): string | undefined {
  if (name.includes('/')) return files.get(name)
  const directories = variables.get('PATH')?.[0]?.split(':') ?? []
  return directories.map((directory) => files.get(`${directory}/${name}`)).find((text) => text !== undefined)
}

/** Handles a command whose name the text does not reveal. */
function unknownName(name: string, args: readonly string[]) {
  if (name.includes(REMOTE)) return 'remote code'
  if (name.includes(DECODED)) return 'hidden code'
  if (name.startsWith(CONTENT)) return 'piped code'
  const isOpen = name.includes(ANY) || name.startsWith(PRINTED) || name.startsWith(SECRET)
  return isOpen && args.some((arg) => arg.length < 20 && /^-[a-zA-Z]*(?:r[a-zA-Z]*f|f[a-zA-Z]*r|R[a-zA-Z]*f)/.test(arg))
    ? 'recursive delete'
    : undefined
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

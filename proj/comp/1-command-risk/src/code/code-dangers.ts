import { isHome, isSecretFile, isSystemPath } from '../commands/paths.js'
import type { DangerName } from '../dangers.js'
import { sqlDanger } from '../rules/sql.js'
import { targetDanger } from '../rules/targets.js'
import type { FollowedShell } from '../shell/followed-shell.js'
import { isKnown } from '../shell/taint.js'
import { DELETES, HARMFUL, QUERIES, READS, RUNS, WRITE_MODE, WRITES } from './apis.js'
import { occurs } from './occurs.js'
import type { CodeText } from './code-languages.js'
import { mask, STRING } from './mask.js'
import { plainCalls } from './plain-calls.js'
import { textOf, type Value, Values } from './values.js'

/** Longest code to analyse, as some patterns take more than linear time. */
const LONGEST = 100_000

/** Most calls of a kind to analyse. */
const MOST_CALLS = 200

/**
 * What code in another language than the shell's would do: calls of known names, and commands it hands to a shell,
 * as far as the code says them plainly. Reports what is in those commands to the shell.
 */
export function codeDangers({ lang, text }: CodeText, shell: FollowedShell): readonly DangerName[] {
  if (text.length > LONGEST) return ['unreadable command']
  const masked = mask(text, lang)
  masked.code = plainCalls(masked, lang)
  const values = new Values(masked)
  const found = HARMFUL[lang].filter(({ pattern }) => occurs(pattern, masked.code)).map(({ danger }) => danger)
  const add = (danger: DangerName | undefined): void => {
    if (danger) found.push(danger)
  }
  for (const { values: args } of calls(masked.code, RUNS[lang], values)) runProgram(args, shell)
  for (const [, index] of masked.code.matchAll(new RegExp(`\`${STRING}`, 'g'))) shell.apart(values.string(index), '')
  if (lang === 'javascript')
    for (const [, index] of masked.code.matchAll(new RegExp(`(?<![\\w)])(?:\\$|sh|execa)\\s*${STRING}`, 'g')))
      shell.apart(values.string(index), '')
  if (lang === 'awk')
    for (const [, index] of masked.code.matchAll(new RegExp(`(?:\\|\\s*${STRING})`, 'g')))
      shell.apart(values.string(index), 'x')
  if (lang === 'awk')
    for (const [, index] of masked.code.matchAll(new RegExp(`>\\s*${STRING}`, 'g')))
      add(targetDanger(values.string(index)))
  if (lang === 'awk')
    for (const [, index] of masked.code.matchAll(new RegExp(`${STRING}\\s*\\|\\s*getline`, 'g')))
      shell.apart(values.string(index), '')
  for (const { values: args, text: written } of calls(masked.code, WRITES, values)) {
    const [path, mode] = args
    const isWriting =
      !/^(?:open|fopen|File\.open|Path)$/.test(written) || (typeof mode === 'string' && WRITE_MODE.test(mode))
    if (isWriting && typeof path === 'string') add(targetDanger(path))
  }
  for (const { values: args } of calls(masked.code, DELETES, values)) {
    const path = args[0]
    if (typeof path === 'string' && (isSystemPath(path) || isHome(path))) add('delete in a system path')
  }
  for (const { values: args } of calls(masked.code, READS, values)) {
    if (typeof args[0] === 'string' && isSecretFile(args[0])) add('secrets read')
  }
  for (const { values: args } of calls(masked.code, QUERIES, values)) {
    for (const arg of args.slice(0, 1)) if (typeof arg === 'string') add(sqlDanger(arg))
  }
  if (lang === 'powershell' && found.length === 0) shell.apart(text, '')
  return found
}

interface FoundCall {
  /** Name of the called function, without blanks. */
  text: string
  values: Value[]
}

function calls(code: string, pattern: RegExp, values: Values): FoundCall[] {
  return [...code.matchAll(pattern)].slice(0, MOST_CALLS).map((match) => ({
    text: match[0].replace(/[\s(]/g, ''),
    values: values.argumentsAt(match.index + match[0].length).values,
  }))
}

/** A text for a shell, a list, or a program with its arguments. */
function runProgram(args: readonly Value[], shell: FollowedShell): void {
  const [first, ...rest] = args
  if (first === undefined) return
  if (typeof first !== 'string') {
    shell.call(first, '')
    return
  }
  const others = rest.flatMap((value) => (value === undefined ? [] : typeof value === 'string' ? [value] : value))
  // In Perl and PHP the mode comes first: `open(F, "cmd|")`.
  if (others.length > 0 && !/[\s|;&]/.test(first)) {
    shell.call([first, ...others], '')
    shell.call(others, '')
    return
  }
  shell.apart(isKnown(first) ? first.replace(/^\||\|$/g, '') : textOf(first), '')
}

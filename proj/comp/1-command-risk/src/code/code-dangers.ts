import { isHome, isSecretFile, isSystemPath } from '../commands/paths.js'
import type { DangerName } from '../dangers.js'
import { sqlDanger } from '../rules/sql.js'
import { targetDanger } from '../rules/targets.js'
import type { FollowedShell } from '../shell/followed-shell.js'
import { isKnown } from '../shell/taint.js'
import {
  DELETES, ENDLESS, EVALUATES, FORK, HARMFUL, LISTS, POWERSHELL, PROGRAM_ON_SOCKET, QUERIES, READS, RUNS, SOURCES,
  WRITE_MODE, WRITES,
} from './apis.js'
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
  const code = plainCalls(masked, lang)
  const values = new Values(code, masked.strings)
  const dangerNames: DangerName[] = []
  const add = (danger: DangerName | undefined | false): void => {
    if (danger) dangerNames.push(danger)
  }
  const calls = (pattern: RegExp) => [...code.matchAll(pattern)].slice(0, MOST_CALLS).map((match) => ({
    name: match[0].replace(/[\s(]/g, ''), at: match.index, ...values.argumentsAt(match.index + match[0].length),
  }))
  const evaluated = EVALUATES[lang].test(code) ? SOURCES : []
  for (const [pattern, danger] of [...evaluated, ...HARMFUL, ...(lang === 'powershell' ? POWERSHELL : [])])
    add(pattern.test(code) && danger)
  add(FORK.test(code.split(ENDLESS).slice(1).join('\n')) && 'fork bomb')
  add(/\bsocket\b/.test(code) && PROGRAM_ON_SOCKET.test(code) && 'reverse shell')
  for (const { args } of calls(RUNS[lang])) runProgram(args, shell)
  // A command in backticks, of tagged templates too.
  const commands = lang === 'javascript' ? `(?<![\\w)])(?:\\$|sh|execa)\\s*${STRING}` : `\`${STRING}`
  for (const [, index = ''] of code.matchAll(new RegExp(commands, 'g'))) shell.apart(masked.strings[+index] ?? '', '')
  for (const { name, args: [path, mode] } of calls(WRITES)) {
    const isWriting = !/^(?:open|File\.open|Path)$/.test(name) || (typeof mode === 'string' && WRITE_MODE.test(mode))
    if (isWriting && typeof path === 'string') add(targetDanger(path))
  }
  for (const { at, args: [path], text: all } of calls(DELETES)) {
    if (/\brecursive\s*:\s*(?:true|!0)/.test(all)) add('recursive delete')
    else if (typeof path === 'string') add((isSystemPath(path) || isHome(path)) && 'delete in a system path')
    else add(LISTS.test(code.slice(0, at)) && 'mass delete')
  }
  for (const { args: [path] } of calls(READS)) add(typeof path === 'string' && isSecretFile(path) && 'secrets read')
  for (const { args: [query] } of calls(QUERIES)) add(typeof query === 'string' && sqlDanger(query))
  if (lang === 'powershell' && dangerNames.length === 0) shell.apart(text, '')
  return dangerNames
}

/** A text for a shell, a list, or a program with its arguments. */
function runProgram([first, ...rest]: readonly Value[], shell: FollowedShell): void {
  if (first === undefined) return
  const others = rest.flatMap((value) => value ?? [])
  if (typeof first !== 'string') shell.call(first, '')
  else if (others.length > 0 && !/[\s|;&]/.test(first)) shell.call([first, ...others], '')
  else shell.apart(isKnown(first) ? first.replace(/^\||\|$/g, '') : textOf(first), '')
}

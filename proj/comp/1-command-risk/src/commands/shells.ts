import type { FollowedShell } from '../shell/followed-shell.js'
import { ANY, CONTENT, DECODED, isKnown, isWhollyUnknown, PRINTED, REMOTE, SECRET } from '../shell/taint.js'
import type { DangerName } from '../dangers.js'
import type { Call } from './call.js'

export const SHELLS: readonly string[] = [
  'sh', 'bash', 'dash', 'zsh', 'ksh', 'ksh93', 'mksh', 'ash', 'rbash', 'fish', 'csh', 'tcsh', 'yash', 'posh',
]
const VALUED = /^(?:-[oO]|--(?:rcfile|init-file))$/

/** Whether a path is a shell of the system. */
export function isStandardShell(path: string): boolean {
  const [, name = ''] = /^(?:(?:\/usr)?(?:\/local)?\/bin\/)?([\w-]+)$/.exec(path) ?? []
  return SHELLS.includes(name)
}

/** A shell with a text, a file, or what it reads. */
export function runShell({ args, stdin, words }: Call, shell: FollowedShell): string {
  let at = 0
  let isText = false
  let readsStdin = false
  for (; at < args.length && /^[-+]./.test(args[at] ?? ''); at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      at++
      break
    }
    if (/^-\w*c/.test(arg) || arg === '--command') isText = true
    if (/^-\w*s/.test(arg)) readsStdin = true
    if (VALUED.test(arg)) at++
  }
  const [operand, ...rest] = args.slice(at)
  if (isText) return operand === undefined ? '' : runText(operand, words, shell, stdin, rest.slice(1))
  if (operand === undefined || readsStdin || operand === '-' || operand === '/dev/stdin') {
    return stdin === '' ? '' : runText(stdin, words, shell, '', rest)
  }
  const text = shell.scope.files.get(operand)
  return text === undefined ? PRINTED : runText(text, words, shell, stdin, rest)
}

/** Follows a text that a command runs in a shell of its own, and gives what that prints. */
export function runText(
  text: string, words: readonly string[], shell: FollowedShell, stdin = '', parameters: readonly string[] = [],
): string {
  return checkText(text, words, shell) ? shell.apart(text, stdin, parameters) : PRINTED
}

/** Whether a text that is to be run can be followed; what it does not say where a command stands is reported. */
export function checkText(text: string, words: readonly string[], { scope }: FollowedShell): boolean {
  scope.report(textDanger(text), words)
  return !isWhollyUnknown(text)
}

function textDanger(text: string): DangerName | undefined {
  if (isKnown(text)) return undefined
  if (atCommand(REMOTE, text)) return 'remote code'
  if (text.includes(DECODED)) return 'hidden code'
  return atCommand(CONTENT, text) || atCommand(SECRET, text) || new RegExp(`^\\s*${ANY}`).test(text)
    ? 'piped code'
    : undefined
}

/** Whether an unknown part is in command position. */
function atCommand(taint: string, text: string): boolean {
  return new RegExp(`(?:^|[;&|(\\n\`{]|\\b(?:then|do|else|exec|eval|sudo)\\b)[ \\t]*${taint}`).test(text)
}

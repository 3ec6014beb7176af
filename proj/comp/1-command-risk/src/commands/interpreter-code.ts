import type { FollowedShell } from '../shell/followed-shell.js'
import { DECODED, isKnown, REMOTE } from '../shell/taint.js'
import type { CodeLanguage, CodeText } from '../code/code-languages.js'
import type { Call } from './call.js'

interface Interpreter {
  lang: CodeLanguage
  /** Options that take code. */
  code: RegExp
}

const INTERPRETERS: readonly (readonly [name: RegExp, Interpreter])[] = [
  [/^(?:python|pypy)[\d.]*$/, { lang: 'python', code: /^-\w*c$/ }],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, { lang: 'javascript', code: /^(?:-\w*[ep]|--eval|--print|eval)$/ }],
  [/^ruby[\d.]*$/, { lang: 'ruby', code: /^-\w*e$/ }],
  [/^(?:pwsh|powershell)$/i, { lang: 'powershell', code: /^-(?:c|command|e|enc|encodedcommand)$/i }],
  [/^(?:perl|php|lua|luajit|Rscript|osascript|groovy|elixir|julia)[\d.]*$/, { lang: 'other', code: /^-\w*[eEr]$/ }],
  // Its code is the first operand.
  [/^[gmn]?awk$/, { lang: 'other', code: /^(?!)/ }],
]

/** The code that an interpreter is given: as an argument, on standard input, or in a file that the script wrote. */
export function codeOf({ name, args, stdin, words }: Call, { scope }: FollowedShell): CodeText | undefined {
  const interpreter = INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1]
  if (!interpreter) return undefined
  const { lang, code } = interpreter
  if (lang === 'powershell' && args.some((arg) => /^-e(?:nc|ncodedcommand)?$/i.test(arg)))
    scope.report('hidden code', words)
  const at = args.findIndex((arg) => code.test(arg))
  if (lang === 'powershell' && at >= 0) return { lang, text: args.slice(at + 1).join(' ') }
  if (name.endsWith('awk'))
    return {
      lang,
      text: args.find((arg, index) => !arg.startsWith('-') && !/^-[Fvf]$/.test(args[index - 1] ?? '')) ?? '',
    }
  if (at < 0 && args.includes('-m')) return undefined
  const operand = args.find((arg) => !arg.startsWith('-'))
  const text = at >= 0 ? args[at + 1] ?? ''
    : operand === undefined || args.includes('-') ? stdin : scope.files.get(operand) ?? ''
  if (text.includes(REMOTE)) scope.report('remote code', words)
  else if (text.includes(DECODED)) scope.report('hidden code', words)
  return at >= 0 || (isKnown(text) && text !== '') ? { lang, text } : undefined
}

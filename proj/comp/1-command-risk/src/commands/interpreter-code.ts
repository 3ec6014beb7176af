import type { FollowedShell } from '../shell/followed-shell.js'
import { DECODED, isKnown, REMOTE } from '../shell/taint.js'
import type { CodeLanguage, CodeText } from '../code/code-languages.js'
import type { Call } from './call.js'
import { valueOf } from './read-options.js'

interface Interpreter {
  lang: CodeLanguage
  /** Options that take code. */
  code: RegExp
}

const INTERPRETERS: readonly (readonly [name: RegExp, Interpreter])[] = [
  [/^(?:python|pypy)[\d.]*$/, { lang: 'python', code: /^-\w*c$/ }],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, { lang: 'javascript', code: /^(?:-\w*[ep]|--eval|--print|eval)$/ }],
  [/^ruby[\d.]*$/, { lang: 'ruby', code: /^-\w*e$/ }],
  [/^perl[\d.]*$/, { lang: 'perl', code: /^-\w*[eE]$/ }],
  [/^php[\d.]*$/, { lang: 'php', code: /^-r$/ }],
  [/^(?:lua|luajit|Rscript|R|osascript|groovy|scala|elixir|julia)[\d.]*$/, { lang: 'other', code: /^-e$/ }],
  [/^(?:[gmn]?awk)$/, { lang: 'awk', code: /^(?!)$/ }],
  [/^(?:pwsh|powershell)$/i, { lang: 'powershell', code: /^-(?:c|command|e|enc|encodedcommand)$/i }],
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
  if (at >= 0) {
    const text = args[at + 1] ?? ''
    if (text.includes(REMOTE)) scope.report('remote code', words)
    else if (text.includes(DECODED)) scope.report('hidden code', words)
    return { lang, text }
  }
  if (lang === 'awk')
    return {
      lang,
      text: args.find((arg, index) => !arg.startsWith('-') && !/^-[Fvf]$/.test(args[index - 1] ?? '')) ?? '',
    }
  if (args.includes('-m')) return undefined
  const operand = args.find((arg) => !arg.startsWith('-'))
  const text = operand === undefined || args.includes('-') ? stdin : scope.files.get(operand)
  if (text === undefined || text === '') return undefined
  if (text.includes(REMOTE)) scope.report('remote code', words)
  else if (text.includes(DECODED)) scope.report('hidden code', words)
  return isKnown(text) || valueOf(args, '-c') !== undefined ? { lang, text } : undefined
}

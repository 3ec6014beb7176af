import { codeDangers } from '../code/code-dangers.js'
import type { CodeLanguage, CodeText } from '../code/code-languages.js'
import type { DangerName } from '../dangers.js'
import { dangerOf, RULE_NAMES } from '../rules/rules.js'
import type { FollowedShell } from '../shell/followed-shell.js'
import { globRegex, isGlob } from '../shell/globs.js'
import type { Scope } from '../shell/scope.js'
import { ANY, CONTENT, DECODED, isKnown, PRINTED, REMOTE, SECRET } from '../shell/taint.js'
import { runBuiltin } from './builtins.js'
import { each, type Call } from './call.js'
import { keepCopies } from './copies.js'
import { runNested } from './nested.js'
import { isEnvFile, isSecretFile } from './paths.js'
import { valuesOf } from './read-options.js'
import { runShell, runText, SHELLS } from './shells.js'
import { printedBy } from './text-tools.js'
import { innerCommand, WRAPPER_NAMES } from './wrappers.js'

/** By program: options whose value is a command line. */
const RUNNING: Readonly<Record<string, readonly string[]>> = {
  tar: [
    '-I', '-F', '--to-command', '--use-compress-program', '--rsh-command', '--info-script', '--new-volume-script',
    '--checkpoint-action',
  ],
  bsdtar: ['--use-compress-program'],
  git: [
    '-x', '-u', '-O', '--exec', '--extcmd', '--upload-pack', '--receive-pack', '--open-files-in-pager', '--tree-filter',
    '--index-filter', '--msg-filter', '--env-filter', '--commit-filter', '--parent-filter', '--tag-name-filter',
  ],
  ssh: ['-o'],
  ...each('sftp scp', ['-o', '-S']),
  rsync: ['-e', '--rsh', '--rsync-path'],
  man: ['-P', '--pager'],
  zip: ['-TT', '--unzip-command'],
  sort: ['--compress-program'],
  split: ['--filter'],
  rg: ['--pre'],
  nodemon: ['-x', '--exec'],
  entr: ['-s'],
  ...each('complete mapfile readarray', ['-C']),
  ansible: ['-a', '--args'],
  bind: ['-x'],
}

/** Prefix of the command within such a value; a value without it starts nothing. */
const BEFORE: Readonly<Record<string, RegExp>> = {
  '--checkpoint-action': /^exec=/,
  '-o': /^\s*(?:Proxy|Local|KnownHosts|Remote)Command(?:=|\s)/i,
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

const READERS = (
  'cat tac head tail less more nl strings bat base64 base32 xxd od hexdump cp mv tar zip 7z gzip grep egrep rg awk sed '
  + 'cut sort paste openssl dd rsync ln install view diff'
).split(' ')
const SENDERS = (
  'curl wget nc ncat netcat telnet socat http https ftp lftp scp sftp rsync mail mailx sendmail ssh nslookup dig host '
  + 'ping aws gsutil rclone gh'
).split(' ')

const all: Chosen = (args) => args
const after = (option: RegExp): Chosen => (args) => args.filter((_, at) => option.test(args[at - 1] ?? ''))
const NUMERIC = /^-(?:eq|ne|lt|le|gt|ge)$/
const tested: Chosen = (args) =>
  args.filter((_, at) => /^-[vR]$/.test(args[at - 1] ?? '') || [args[at - 1], args[at + 1]].some((word) => (
    NUMERIC.test(word ?? '')
  )))

/** The arguments that builtins take as arithmetic or as names of variables: a subscript in them may run commands. */
const EVALUATED: Readonly<Record<string, Chosen>> = {
  ...each('let declare typeset local readonly export unset read mapfile readarray getopts', all),
  wait: after(/^-p$/),
  printf: after(/^-v$/),
  ...each('test [', tested),
}

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
    const quoted = args.map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`)
    return shell.here([alias, ...quoted].join(' '), stdin)
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
  return known.find((path) => regex.test(path)) ?? name
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

type Chosen = (args: readonly string[]) => readonly string[]

/** Follows what the shell itself evaluates among the arguments of a builtin. */
function evaluateArguments({ name, args }: Call, shell: FollowedShell): void {
  if (!Object.hasOwn(EVALUATED, name)) return
  for (const text of EVALUATED[name]?.(args) ?? []) {
    if (text.includes('[') || !text.includes('$')) shell.evaluate(text)
  }
}

/** Keys and passwords that a command prints, copies or sends. */
function secretDanger({ name, args, stdin }: Call): DangerName | undefined {
  const isSending = SENDERS.includes(name)
  if (isSending && (stdin.includes(SECRET) || args.some((arg) => arg.includes(SECRET)))) return 'secrets sent'
  if (isSending && args.some((arg, at) => isSent(arg, args[at - 1] ?? '', name))) return 'secrets sent'
  const isReading = READERS.includes(name) && args.some((arg) => isSecretFile(arg.replace(/^if=/, '')))
  return isReading ? 'secrets read' : undefined
}

function isSent(arg: string, before: string, name: string): boolean {
  // The key that proves who asks is not sent.
  if (/^(?:-i|--key|-E|--cert|--cacert|-F|--private-key|--ssh-key)$/.test(before) && name !== 'curl') return false
  if (name === 'ssh' || /^(?:--key|--cert|-E)$/.test(before)) return false
  const path = arg
    .replace(/^[^@]*=?@/, '')
    .replace(/^(?:--(?:post-file|body-file|data-binary|data|upload-file)=)@?/, '')
  return isSecretFile(path) || isEnvFile(path) || (path !== arg && path.startsWith('/etc/'))
}

interface Interpreter {
  lang: CodeLanguage
  /** Options that take code. */
  code: RegExp
}

/** The code that an interpreter is given: as an argument, on standard input, or in a file that the script wrote. */
function codeOf({ name, args, stdin, words }: Call, { scope }: FollowedShell): CodeText | undefined {
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

/** Follows the command lines in the options of a command. */
function runOptions({ name, args, words }: Call, shell: FollowedShell): void {
  for (const option of Object.hasOwn(RUNNING, name) ? RUNNING[name] ?? [] : []) {
    const before = BEFORE[option]
    for (const value of valuesOf(args, option)) {
      if (before && !before.test(value)) continue
      const text = before ? value.replace(before, '') : name === 'bind' ? value.replace(/^"[^"]*"\s*:/, '') : value
      runText(text, words, shell)
    }
  }
}

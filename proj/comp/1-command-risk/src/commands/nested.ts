import type { FollowedShell } from '../shell/followed-shell.js'
import { ANY, isKnown, PRINTED } from '../shell/taint.js'
import { each, type Call } from './call.js'
import { gitPrograms } from './git-command-options.js'
import { readOptions, valueOf, valuesOf } from './read-options.js'
import { runText } from './shells.js'

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

type Nested = (call: Call, shell: FollowedShell) => string | undefined

/** Commands that run other commands, given as arguments or read from input. */
const NESTED: Readonly<Record<string, Nested>> = {
  ...each('xargs gxargs', xargs),
  parallel({ args, stdin }, shell) {
    const { firstOperand } = readOptions(args, [...'jSNLnaCI', 'jobs', 'colsep', 'arg-file'], true)
    const words = args.slice(firstOperand)
    const end = words.findIndex((word) => word.startsWith(':::'))
    const inner = end < 0 ? words : words.slice(0, end)
    const values = end < 0 ? linesOf(stdin) : words.slice(end + 1)
    for (const value of values.slice(0, 8)) {
      const isNamed = inner.some((word) => word.includes('{'))
      const text = (isNamed ? filled(inner, '{}', value) : [...inner, value]).join(' ')
      runText(text, ['parallel', ...args], shell)
    }
    return PRINTED
  },
  ...each('find fd fdfind', finds),
  ssh({ args, stdin, words }, shell) {
    const { operands } = readOptions(args, [...'BbcDEeFIiJLlmOopQRSWw'], true)
    const text = operands.length > 1 ? operands.slice(1).join(' ') : stdin
    return text === '' ? PRINTED : runText(text, words, shell, operands.length > 1 ? stdin : '')
  },
  ...each('su sg script', commandOption),
  runuser(call, shell) {
    const at = call.args.indexOf('--')
    return at >= 0 ? shell.call(call.args.slice(at + 1), call.stdin) : commandOption(call, shell)
  },
  flock(call, shell) {
    const { firstOperand } = readOptions(call.args, [...'wE'], true)
    const inner = call.args.slice(firstOperand + 1)
    return inner[0] === '-c' ? commandOption(call, shell) : shell.call(inner, call.stdin)
  },
  watch({ args, words }, shell) {
    const text = args.slice(readOptions(args, ['n', 'interval'], true).firstOperand).join(' ')
    return runText(text, words, shell)
  },
  ...each('at batch', scheduled),
  ...each('docker podman nerdctl', container),
  kubectl({ args, stdin }, shell) {
    const at = args.indexOf('--')
    return args[0] === 'exec' && at >= 0 ? shell.call(args.slice(at + 1), stdin) : undefined
  },
  git: gitPrograms,
  ...each('make gmake', runMake),
  ...each('vim vi nvim ex', editor),
  sed({ args }, shell) {
    const { operands } = readOptions(args, ['f', 'l'])
    const text = /^\s*(?:\d+|\$)?\s*e\s+(.+)$/ms.exec(operands[0] ?? '')?.[1]
    if (text !== undefined) shell.apart(text, '')
    return undefined
  },
}

export function runNested(call: Call, shell: FollowedShell): string | undefined {
  return Object.hasOwn(NESTED, call.name) ? NESTED[call.name]?.(call, shell) : undefined
}

function xargs({ args, stdin, words }: Call, shell: FollowedShell): string {
  const { firstOperand } = readOptions(
    args,
    [...'IinPLdasE', 'max-args', 'max-procs', 'delimiter', 'arg-file', 'max-lines'],
    true,
  )
  const inner = args.slice(firstOperand)
  const mark =
    valueOf(args.slice(0, firstOperand), '-I', '--replace')
    ?? (/(?:^|\s)-i\b/.test(args.slice(0, firstOperand).join(' ')) ? '{}' : undefined)
  const values = linesOf(stdin)
  if (mark !== undefined) return runForEach(inner, mark, values, words, shell)
  const all = values.flatMap((value) => value.split(/\s+/)).filter((value) => value !== '')
  return runForEach([...inner, ...all], '', [''], words, shell)
}

/** @param mark placeholder for the value; `''` for none */
function runForEach(
  inner: readonly string[],
  mark: string,
  values: readonly string[],
  words: readonly string[],
  shell: FollowedShell,
): string {
  const [name = ''] = inner
  if (/^(?:.*\/)?(?:rm|unlink|shred|rmdir)$/.test(name)) shell.scope.report('mass delete', words)
  return values
    .slice(0, 8)
    .map((value) => shell.call(mark === '' ? inner : filled(inner, mark, value), ''))
    .join('')
}

function filled(words: readonly string[], mark: string, value: string): string[] {
  return words.map((word) => word.replaceAll(mark, () => value))
}

function linesOf(stdin: string): readonly string[] {
  if (stdin === '') return [ANY]
  return stdin.replace(/\n$/, '').split('\n')
}

function finds({ args, words }: Call, shell: FollowedShell): string {
  if (args.includes('-delete')) shell.scope.report('mass delete', words)
  args.forEach((arg, at) => {
    if (!/^(?:-(?:exec|execdir|ok|okdir|x|X)|--exec|--exec-batch)$/.test(arg)) return
    const rest = args.slice(at + 1)
    const end = rest.findIndex((word, index) => word === ';' || (word === '+' && rest[index - 1] === '{}'))
    runForEach(end < 0 ? rest : rest.slice(0, end), '{}', [ANY], words, shell)
  })
  return PRINTED
}

function commandOption({ args, stdin, words }: Call, shell: FollowedShell): undefined {
  const text = valueOf(args, '-c', '--command')
  if (text !== undefined) runText(text, words, shell, stdin)
  else if (isKnown(stdin)) shell.apart(stdin, '')
  return undefined
}

function scheduled({ stdin, words, args }: Call, shell: FollowedShell): string {
  if (!args.some((arg) => /^-[lrdqc]/.test(arg))) runText(stdin, words, shell)
  return PRINTED
}

function container({ args, stdin, words }: Call, shell: FollowedShell): string | undefined {
  const [verb, ...rest] = args[0] === 'compose' ? args.slice(1) : args
  if (verb !== 'exec') return undefined
  const { firstOperand } = readOptions(rest, [...'uwe', 'user', 'workdir', 'env', 'index'], true)
  const inner = rest.slice(firstOperand + 1)
  return inner.length === 0 ? runText(stdin, words, shell) : shell.call(inner, stdin)
}

function editor({ args }: Call, shell: FollowedShell): undefined {
  for (const arg of args) {
    const text = /^(?:-c|\+|--cmd)?\s*:?!(.+)$/s.exec(arg)?.[1]
    if (text !== undefined) shell.apart(text, '')
  }
  return undefined
}

/** Variables, and the recipes of makefiles that the script itself says. */
function runMake({ args, stdin }: Call, shell: FollowedShell): string {
  const { files } = shell.scope
  for (const arg of args) {
    const [, name, value = ''] = /^(\w+):{0,3}=(.*)$/s.exec(arg) ?? []
    if (name !== undefined) shell.assign(name, value)
  }
  const named = valuesOf(args, '-f', '--file', '--makefile')
  const texts = [
    ...(named.length > 0 ? named : MAKEFILES).map((path) => (path === '-' ? stdin : files.get(path) ?? '')),
    ...valuesOf(args, '--eval', '-E'),
  ]
  for (const text of texts) {
    for (const line of text.split('\n').slice(0, 1000)) {
      const recipe = /^(?:\t|[^#;=]*:[^;=]*;)\s*[@+-]*(.*)$/.exec(line)?.[1]
      if (recipe !== undefined) shell.apart(recipe.replaceAll('$$', '$'), '')
      for (const [, called = ''] of line.matchAll(/\$[({]shell\s([^)}]*)/g)) shell.apart(called, '')
    }
  }
  return PRINTED
}

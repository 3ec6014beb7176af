import type { Machine } from '../shell/machine.js'
import { ANY, isKnown, PRINTED } from '../shell/taint.js'
import type { Call } from './call.js'
import { gitPrograms } from './git-command-options.js'
import { runMake } from './make.js'
import { readOptions, valueOf } from './read-options.js'
import { checkText } from './shells.js'

type Nested = (call: Call, machine: Machine) => string | undefined

/** Commands that run others which they are told among their arguments or read. */
const NESTED: Readonly<Record<string, Nested>> = {
  xargs: xargs,
  gxargs: xargs,
  parallel({ args, stdin }, machine) {
    const { firstOperand } = readOptions(args, [...'jSNLnaCI', 'jobs', 'colsep', 'arg-file'], true)
    const words = args.slice(firstOperand)
    const end = words.findIndex((word) => word.startsWith(':::'))
    const inner = end < 0 ? words : words.slice(0, end)
    const values = end < 0 ? linesOf(stdin) : words.slice(end + 1)
    for (const value of values.slice(0, 8)) {
      const text =
        inner.length === 0
          ? value
          : inner.some((word) => word.includes('{'))
            ? filled(inner, '{}', value).join(' ')
            : [...inner, value].join(' ')
      if (checkText(text, ['parallel', ...args], machine)) machine.apart(text, '')
    }
    return PRINTED
  },
  find({ args, words }, machine) {
    if (args.includes('-delete')) machine.scope.report('mass delete', words)
    args.forEach((arg, at) => {
      if (!/^-(?:exec|execdir|ok|okdir)$/.test(arg)) return
      const rest = args.slice(at + 1)
      const end = rest.findIndex((word, index) => word === ';' || (word === '+' && rest[index - 1] === '{}'))
      runForEach(end < 0 ? rest : rest.slice(0, end), '{}', [ANY], words, machine)
    })
    return PRINTED
  },
  fd: fdfind,
  fdfind,
  ssh({ args, stdin, words }, machine) {
    const { operands } = readOptions(args, [...'BbcDEeFIiJLlmOopQRSWw'], true)
    const text = operands.length > 1 ? operands.slice(1).join(' ') : stdin
    return text !== '' && checkText(text, words, machine)
      ? machine.apart(text, operands.length > 1 ? stdin : '')
      : PRINTED
  },
  su: (call, machine) => commandOption(call, machine, '-c', '--command'),
  runuser(call, machine) {
    const at = call.args.indexOf('--')
    return at >= 0 ? machine.call(call.args.slice(at + 1), call.stdin) : commandOption(call, machine, '-c', '--command')
  },
  sg: (call, machine) => commandOption(call, machine, '-c'),
  script: (call, machine) => commandOption(call, machine, '-c', '--command'),
  flock(call, machine) {
    const { firstOperand } = readOptions(call.args, [...'wE'], true)
    const inner = call.args.slice(firstOperand + 1)
    return inner[0] === '-c' ? commandOption(call, machine, '-c') : machine.call(inner, call.stdin)
  },
  watch({ args, words }, machine) {
    const text = args.slice(readOptions(args, ['n', 'interval'], true).firstOperand).join(' ')
    return checkText(text, words, machine) ? machine.apart(text, '') : PRINTED
  },
  ansible: (call, machine) => commandOption(call, machine, '-a', '--args'),
  at: scheduled,
  batch: scheduled,
  docker: container,
  podman: container,
  nerdctl: container,
  kubectl({ args, stdin }, machine) {
    const at = args.indexOf('--')
    return args[0] === 'exec' && at >= 0 ? machine.call(args.slice(at + 1), stdin) : undefined
  },
  git: gitPrograms,
  make: runMake,
  gmake: runMake,
  vim: editor,
  vi: editor,
  nvim: editor,
  ex: editor,
  sed({ args }, machine) {
    const { operands } = readOptions(args, ['f', 'l'])
    const text = /^\s*(?:\d+|\$)?\s*e\s+(.+)$/ms.exec(operands[0] ?? '')?.[1]
    if (text !== undefined) machine.apart(text, '')
    return undefined
  },
}

export function runNested(call: Call, machine: Machine): string | undefined {
  return Object.hasOwn(NESTED, call.name) ? NESTED[call.name]?.(call, machine) : undefined
}

function xargs({ args, stdin, words }: Call, machine: Machine): string {
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
  if (mark !== undefined) return runForEach(inner, mark, values, words, machine)
  const all = values.flatMap((value) => value.split(/\s+/)).filter((value) => value !== '')
  return runForEach([...inner, ...all], '', [''], words, machine)
}

/** @param mark stands for the value; `''` for none */
function runForEach(
  inner: readonly string[],
  mark: string,
  values: readonly string[],
  words: readonly string[],
  machine: Machine,
): string {
  const [name = ''] = inner
  if (/^(?:.*\/)?(?:rm|unlink|shred|rmdir)$/.test(name)) machine.scope.report('mass delete', words)
  return values
    .slice(0, 8)
    .map((value) => machine.call(mark === '' ? inner : filled(inner, mark, value), ''))
    .join('')
}

function filled(words: readonly string[], mark: string, value: string): string[] {
  return words.map((word) => word.replaceAll(mark, () => value))
}

function linesOf(stdin: string): readonly string[] {
  if (stdin === '') return [ANY]
  return stdin.replace(/\n$/, '').split('\n')
}

function fdfind({ args, words }: Call, machine: Machine): string {
  args.forEach((arg, at) => {
    if (/^(?:-x|-X|--exec|--exec-batch)$/.test(arg)) runForEach(args.slice(at + 1), '{}', [ANY], words, machine)
  })
  return PRINTED
}

function commandOption(
  { args, stdin, words }: Call,
  machine: Machine,
  ...names: readonly string[]
): string | undefined {
  const text = valueOf(args, ...names)
  if (text !== undefined && checkText(text, words, machine)) machine.apart(text, stdin)
  if (text === undefined && stdin !== '' && isKnown(stdin)) machine.apart(stdin, '')
  return undefined
}

function scheduled({ stdin, words, args }: Call, machine: Machine): string {
  const isList = args.some((arg) => /^-[lrdqc]/.test(arg))
  if (!isList && stdin !== '' && checkText(stdin, words, machine)) machine.apart(stdin, '')
  return PRINTED
}

function container({ args, stdin, words }: Call, machine: Machine): string | undefined {
  const [verb, ...rest] = args[0] === 'compose' ? args.slice(1) : args
  if (verb !== 'exec') return undefined
  const { firstOperand } = readOptions(rest, [...'uwe', 'user', 'workdir', 'env', 'index'], true)
  const inner = rest.slice(firstOperand + 1)
  return inner.length === 0 && checkText(stdin, words, machine) ? machine.apart(stdin, '') : machine.call(inner, stdin)
}

function editor({ args }: Call, machine: Machine): undefined {
  for (const arg of args) {
    const text = /^(?:-c|\+|--cmd)?\s*:?!(.+)$/s.exec(arg)?.[1]
    if (text !== undefined) machine.apart(text, '')
  }
  return undefined
}

import type { FollowedShell } from '../shell/followed-shell.js'
import { ANY, CONTENT, listed } from '../shell/taint.js'
import { each, type Call } from './call.js'
import { readOptions, valueOf } from './read-options.js'
import { checkText } from './shells.js'
import { format } from './text-tools.js'
import { judgeVariable } from './variables.js'

type Builtin = (call: Call, shell: FollowedShell) => string | undefined

/** Builtins that affect the shell itself. Where one returns `undefined`, it is also followed as a command. */
const BUILTINS: Readonly<Record<string, Builtin>> = {
  eval({ args, stdin, words }, shell) {
    const text = args.join(' ')
    return checkText(text, words, shell) ? shell.here(text, stdin) : ''
  },
  ...each('source .', sourceFile),
  set({ args }, { scope }) {
    const at = args.indexOf('--')
    if (at >= 0) scope.parameters = args.slice(at + 1)
    else if (args.length > 0 && !/^[-+]/.test(args[0] ?? '')) scope.parameters = args
    return args.length === 0 ? undefined : ''
  },
  shift(_, { scope }) {
    scope.parameters = scope.parameters?.slice(1)
    return ''
  },
  read({ args, stdin }, { scope }) {
    const names = readOptions(args, ['d', 'n', 'N', 'p', 't', 'u', 'i']).operands
    const [line = ''] = stdin.split('\n')
    const isList = args.some((arg) => /^-\w*a/.test(arg))
    const values = stdin === '' ? [] : line.trim().split(/\s+/)
    names.forEach((name, index) => {
      const own = index === names.length - 1 ? values.slice(index).join(' ') : values[index]
      scope.variables.set(name, isList ? values : [stdin === '' ? ANY : (own ?? '')])
    })
    return ''
  },
  ...each('mapfile readarray', readLines),
  printf({ args }, { scope }) {
    if (args[0] !== '-v') return undefined
    scope.variables.set(args[1] ?? '', [format(args.slice(2))])
    return ''
  },
  ...each('export declare typeset local readonly', declares),
  alias({ args }, { scope }) {
    for (const arg of args) {
      const [, name, text] = /^([^=]+)=(.*)$/s.exec(arg) ?? []
      if (name !== undefined && text !== undefined) scope.aliases.set(name, text)
    }
    return ''
  },
  trap({ args, stdin, words }, shell) {
    const [text = '', ...signals] = args.filter((arg) => arg !== '--')
    if (signals.length > 0 && text !== '-' && checkText(text, words, shell)) shell.here(text, stdin)
    return ''
  },
  ...each('test [ true : false cd', () => ''),
}

export function runBuiltin(call: Call, shell: FollowedShell): string | undefined {
  return Object.hasOwn(BUILTINS, call.name) ? BUILTINS[call.name]?.(call, shell) : undefined
}

/** What is not written as an assignment, but quoted, becomes one all the same. */
function declares({ args }: Call, shell: FollowedShell): undefined {
  for (const arg of args) {
    const [, name, value = ''] = /^(\w+)\+?=(.*)$/s.exec(arg) ?? []
    if (name === undefined) continue
    if (shell.scope.variables.get(name)?.join(' ') === value) judgeVariable(name, value, shell)
    else shell.assign(name, value)
  }
  return undefined
}

function sourceFile({ args, stdin, words }: Call, shell: FollowedShell): string {
  const [path = '', ...parameters] = args
  const text = path === '/dev/stdin' || path === '-' ? stdin : shell.scope.files.get(path)
  if (text === undefined) return ''
  return checkText(text, words, shell) ? shell.here(text, '', parameters.length > 0 ? parameters : undefined) : ''
}

function readLines({ args, stdin }: Call, { scope }: FollowedShell): string {
  scope.variables.set(
    readOptions(args, ['d', 'n', 'O', 's', 'u', 'C', 'c']).operands.at(-1) ?? 'MAPFILE',
    stdin === '' ? [valueOf(args, '-u') === undefined ? ANY : CONTENT] : listed(stdin.replace(/\n$/, '')).split('\n'),
  )
  return ''
}

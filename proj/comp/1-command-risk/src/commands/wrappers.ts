import type { FollowedShell } from '../shell/followed-shell.js'
import { readOptions, valueOf } from './read-options.js'
import { each, type Call } from './call.js'

/** Syntax of a command that runs another one. */
interface Wrapper {
  /** Short and long options that take a value. */
  valued?: readonly string[]
  /** Number of operands before the inner command. */
  operands?: number
  /** `NAME=value` may precede the inner command. */
  assignments?: boolean
  /** Required first operand, such as `run` in `poetry run`. */
  verb?: RegExp
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: [...'uUgGhpCDRTrta', 'user', 'group', 'host', 'prompt', 'chdir', 'role', 'type'], assignments: true },
  doas: { valued: [...'uC'], assignments: true },
  pkexec: { valued: ['user'] },
  env: { valued: [...'uCS', 'unset', 'chdir'], assignments: true },
  exec: { valued: ['a'] },
  time: { valued: [...'fo'] },
  nice: { valued: ['n', 'adjustment'] },
  ionice: { valued: [...'cnp'] },
  ...each('chrt taskset', { operands: 1 }),
  ...each('timeout gtimeout', { valued: [...'ks', 'signal', 'kill-after'], operands: 1 }),
  stdbuf: { valued: [...'ioe'] },
  ...each('strace ltrace', { valued: [...'oepsauEPI'] }),
  chroot: { valued: ['userspec', 'groups'], operands: 1 },
  ...each('unshare nsenter', { valued: [...'tSGRrw'] }),
  setpriv: { valued: ['reuid', 'regid', 'groups'] },
  'systemd-run': { valued: [...'pEHMu', 'unit', 'property'] },
  'xvfb-run': { valued: [...'nsefp'] },
  ...each('proxychains proxychains4', { valued: ['f'] }),
  watchexec: { valued: [...'ewidsfrnk', 'exts', 'watch', 'ignore', 'filter'] },
  npx: { valued: [...'pc', 'package'] },
  ...each('command builtin nohup setsid unbuffer chronic valgrind fakeroot firejail torsocks rlwrap busybox', {}),
  ...each('toybox coproc entr bunx pnpx uvx', {}),
  ...each('poetry pipenv bundle uv npm pnpm asdf pyenv rbenv mise', { verb: /^(?:run|exec|dlx)$/ }),
  direnv: { verb: /^exec$/, operands: 1 },
}
export const WRAPPER_NAMES = Object.keys(WRAPPERS)

/** The command that a wrapper such as `sudo` or `timeout` runs; `undefined` where it is no wrapper. */
export function innerCommand(
  { name, args, stdin, words }: Call,
  shell: FollowedShell,
): { words: readonly string[]; stdin?: string } | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  if (!wrapper) return undefined
  if (name === 'command' && /^-[vV]$/.test(args[0] ?? '')) return undefined
  if (wrapper.verb && !wrapper.verb.test(args[0] ?? '')) return undefined
  const own = wrapper.verb ? args.slice(1) : args
  const options = readOptions(own, wrapper.valued ?? [], true)
  let inner = own.slice(options.firstOperand + (wrapper.operands ?? 0))
  if (wrapper.assignments) {
    const assignments = inner.slice(0, inner.findIndex((word) => !/^\w+=/.test(word)) >>> 0)
    for (const word of assignments) shell.assign(word.replace(/=.*/s, ''), word.replace(/^\w+=/, ''))
    inner = inner.slice(assignments.length)
  }
  if (name === 'env') {
    const split = valueOf(own, '-S', '--split-string')
    if (split !== undefined) {
      const parts = split.split(/\s+/).filter((word) => word !== '')
      return { words: ['env', ...parts, ...(own.includes('-S') ? inner : [])] }
    }
    if (inner.length === 0) return undefined
  }
  if (name === 'npx' && options.short.has('c')) {
    shell.apart(valueOf(own, '-c') ?? '', stdin)
    return { words: [] }
  }
  if (/^(?:sudo|doas|pkexec)$/.test(name) && isRootShell(options.short, options.long, inner))
    shell.scope.report('root shell', words)
  if (/^(?:sudo|doas)$/.test(name) && inner.length === 0 && stdin !== '' && /[is]/.test([...options.short].join(''))) {
    return { words: ['sh'], stdin }
  }
  return { words: inner }
}

function isRootShell(
  short: ReadonlySet<string>,
  long: readonly string[],
  [inner, ...args]: readonly string[],
): boolean {
  if (inner === undefined) return short.has('i') || short.has('s') || long.includes('login') || long.includes('shell')
  return /^(?:.*\/)?(?:(?:ba|z|k|da)?sh|su)$/.test(inner) && args.every((arg) => /^-[il]*$/.test(arg))
}

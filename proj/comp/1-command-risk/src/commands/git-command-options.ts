import type { FollowedShell } from '../shell/followed-shell.js'
import type { Call } from './call.js'

const PROGRAM_SETTING = new RegExp(
  String.raw`^(?:alias\.|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass)|sequence\.editor|diff\.external`
  + String.raw`|gpg\.program|pager\.|.*\.(?:cmd|command|textconv|clean|smudge|process|helper|uploadpack|receivepack))`,
  'i',
)

/** Whether a setting of git names a program. */
export function namesGitProgram(key: string): boolean {
  return PROGRAM_SETTING.test(key)
}

/** Programs that git starts: by settings given for one call, by subcommands, and by addresses. */
export function gitPrograms({ args, stdin }: Call, shell: FollowedShell): undefined {
  args.forEach((arg, at) => {
    const before = args[at - 1] ?? ''
    const setting = /^(?:-c|config|--(?:global|local|system))$/.test(before) ? arg : /^-c(.+)$/s.exec(arg)?.[1] ?? ''
    const [, key = '', value = args[at + 1] ?? ''] = /^([\w.-]+)(?:=(.*))?$/s.exec(setting) ?? []
    if (namesGitProgram(key)) {
      shell.apart(value.replace(/^!/, key.startsWith('alias.') && !value.startsWith('!') ? 'git ' : ''), '')
    }
    if (arg === 'run' && before === 'bisect') shell.call(args.slice(at + 1), stdin)
    if (arg.startsWith('ext::')) shell.apart(arg.slice('ext::'.length), '')
  })
  const foreach = args.includes('submodule') ? args.indexOf('foreach') : -1
  if (foreach >= 0) shell.apart(args.slice(foreach + 1).filter((arg) => arg !== '--recursive').join(' '), stdin)
  return undefined
}

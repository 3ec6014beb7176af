import { lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { basename, join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { createMasker, shellWord, valueAt } from '../../../0-text/src/index.js'
import { findProgram, readProcess, trustedPath } from '../../../2-processes/src/index.js'
import { goneAtExit } from '../home.js'

/** What a helper program may say: the number of a process. */
const MOST_ASKED = 16

/**
 * Stands in PATH in the place of sudo: has it ask the helper program for the password, unless it is told to ask
 * elsewhere or not at all, which excludes that.
 */
const SHIM = (sudo: string, helper: string): string => `#!/bin/sh
s=${shellWord(sudo)} skip=
for word in "$@"; do
  if [ -n "$skip" ]; then skip=; continue; fi
  case $word in
    -[CDgGhpRrtTuU]|--user|--group|--host|--prompt|--chdir|--chroot|--role|--type|--other-user|--close-from) skip=1;;
    --stdin|--non-interactive|--askpass) exec "$s" "$@";;
    --*) ;;
    -[CDgGhpRrtTuU]*) ;;
    -*[SnA]*) exec "$s" "$@";;
    -*|*=*) ;;
    *) break;;
  esac
done
SUDO_ASKPASS=${shellWord(helper)} exec "$s" -A "$@"
`

/** The program that sudo asks: it tells which process asked it, and prints what hermes answers. */
const HELPER = (node: string, socket: string): string => `#!/bin/sh
exec env -i ${shellWord(node)} -e ${shellWord(`
const client = require('node:net').connect(process.argv[1])
client.on('error', () => process.exit(1))
client.end(process.argv[2] + '\\n')
client.pipe(process.stdout)
`)} ${shellWord(socket)} "$PPID"
`

/** One for all sessions of the process, by what it depends on. */
const open = new Map<string, Promise<SudoHelper | string>>()

/** Gives the user's password to sudo, and to nothing else that hermes starts. */
export class SudoHelper {
  /** @param directory to stand first in PATH */
  private constructor(readonly directory: string) {}

  /**
   * @param path value of PATH of the commands
   * @returns why sudo gets no password, as the end of a sentence, where it gets none
   */
  static for(password: string, path: string): Promise<SudoHelper | string> {
    return valueAt(open, `${path}\0${password}`, () => SudoHelper.#open(password, path))
  }

  static async #open(password: string, path: string): Promise<SudoHelper | string> {
    const why = whyNot(password)
    if (why !== undefined) return why
    const sudo = orNothing(() => findProgram('sudo', trustedPath(path)), undefined)
    if (sudo === undefined) return 'sudo is not installed'
    const base = goneAtExit('hermes-sudo-')
    const [directory, helper, socket] = [join(base, 'bin'), join(base, 'ask'), join(base, 'socket')]
    mkdirSync(directory)
    const programs = { [join(directory, 'sudo')]: SHIM(sudo, helper), [helper]: HELPER(process.execPath, socket) }
    for (const [file, text] of Object.entries(programs)) writeFileSync(file, text, { mode: 0o500 })
    const answered = new Set<string>()
    const server = createServer(client => answer(client, pid => {
      const asking = askingSudo(pid, sudo)
      if (asking === undefined || answered.has(asking)) return undefined
      answered.add(asking)
      return password
    }))
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve))
    server.unref()
    return new SudoHelper(directory)
  }
}

/** Why a password cannot be used, as the end of a sentence. */
function whyNot(password: string): string | undefined {
  if (process.platform !== 'linux') return 'hermes gives it to sudo on Linux alone'
  if (/[\0\n\r]/.test(password)) return 'it holds a line break'
  return createMasker({ SUDO_PASSWORD: password }).text(password) !== password ? undefined
    : 'it is too short or too plain to be masked in what commands print (eight characters, not a word or number alone)'
}

/**
 * Names the process where it is sudo, and was started by a command of this hermes. Its owner is that of the program,
 * which no process of the user's can be: it has to be sudo, or another program of the system that was given this name.
 */
function askingSudo(pid: number, sudo: string): string | undefined {
  const asker = readProcess(pid)
  const owner = orNothing(() => lstatSync(`/proc/${pid}`).uid, undefined)
  if (asker?.command !== basename(sudo) || owner !== statSync(sudo).uid || !isBelowThis(asker.parent)) return undefined
  return `${pid}@${asker.started}`
}

function isBelowThis(pid: number): boolean {
  for (let here = pid; here > 1; here = readProcess(here)?.parent ?? 0) if (here === process.pid) return true
  return false
}

/** One question, one answer; none where `passwordFor` has none. */
function answer(client: Socket, passwordFor: (pid: number) => string | undefined): void {
  let asked = ''
  client.on('error', () => undefined)
  client.setEncoding('latin1').on('data', (piece: string) => {
    asked += piece
    if (asked.length > MOST_ASKED) client.destroy()
    else if (asked.endsWith('\n')) {
      const password = /^\d+\n$/.test(asked) ? passwordFor(Number(asked)) : undefined
      client.end(password === undefined ? '' : `${password}\n`)
    }
  })
}

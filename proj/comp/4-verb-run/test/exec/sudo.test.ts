/** SUDO_PASSWORD reaches sudo and nothing else, and is shown nowhere. */
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { isRecord, type ActionResult, type HermesOptions } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../../5-executor/src/executor/index.js'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const STAND_IN = fileURLToPath(new URL('../../../../test/support/sudo-stand-in.py', import.meta.url))
const PASSWORD = 'correct-Horse 7 "battery" $x'

interface Place {
  root: string
  /** What sudo takes. */
  password: string
  /** Its program. */
  sudo: string
}

/** @param given what `.env` says; none where it is undefined */
function place(given: string | undefined): Place {
  const base = tempDir()
  onTestFinished(() => void vi.unstubAllEnvs())
  const [root, home, bin] = [join(base, 'project'), join(base, 'hermes'), join(base, 'bin')]
  for (const directory of [root, home, bin]) mkdirSync(directory)
  copyFileSync(STAND_IN, join(bin, 'sudo'))
  chmodSync(join(bin, 'sudo'), 0o755)
  writeFileSync(join(base, 'password'), PASSWORD)
  if (given !== undefined) writeFileSync(join(home, '.env'), `SUDO_PASSWORD='${given}'\n`, { mode: 0o600 })
  vi.stubEnv('HERMES_HOME', home)
  vi.stubEnv('SUDO_PASSWORD', '')
  vi.stubEnv('PATH', [bin, process.env['PATH']].join(delimiter))
  return { root, password: PASSWORD, sudo: join(bin, 'sudo') }
}

async function run(root: string, command: string, options: HermesOptions = {}, verb = 'execute_command'): Promise<ActionResult> {
  const hermes = new Hermes({ root, gitCommit: false, sandbox: 'none', approve: () => 'once', ...options })
  const { results: [result] } = await hermes.call([{ id: 'a', name: verb, arguments: { command } }])
  await hermes[Symbol.asyncDispose]()
  if (result === undefined) throw new Error('no result')
  return result
}

function outputOf({ data }: ActionResult): string {
  return isRecord(data) ? [data['stdout'], data['stderr'], data['output']].filter(Boolean).join('') : ''
}

/** All that is kept of runs. */
function keptTexts(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(name => join(directory, name))
    .filter(path => statSync(path).isFile()).map(path => readFileSync(path, 'latin1')).join('\n')
}

it('is given to sudo, wherever a command starts it by its name', async () => {
  const { root } = place(PASSWORD)
  writeFileSync(join(root, 'script'), 'sudo -u root -E echo from a script\n')
  const result = await run(root, 'sudo echo done && sh script && X=1 sudo -uroot sh -c "echo in it" | cat')
  expect(result).toMatchObject({ success: true, data: { stdout: 'done\nfrom a script\nin it\n', stderr: '' } })
})

needing('node-pty').it('is given to sudo in a terminal', async () => {
  const { root } = place(PASSWORD)
  expect(await run(root, 'sudo echo done', {}, 'terminal_run')).toMatchObject({ success: true, data: { output: 'done\n' } })
})

it('is in no argument and no environment, and is masked in what a command prints and hermes keeps', async () => {
  const { root, password } = place(PASSWORD)
  const environments = 'env; sudo sh -c "env; cat ../password"; for p in /proc/[0-9]*; do cat $p/cmdline 2>/dev/null; done | tr "\\0" " "'
  const printed = outputOf(await run(root, environments))
  expect(printed.match(/\[masked SUDO_PASSWORD\]/g)).toHaveLength(1)
  expect(printed).not.toContain(password)
  const verb = await run(root, 'cat ../password; exit 3')
  expect(JSON.stringify(verb)).not.toContain(password)
  expect(keptTexts(join(root, '.hermes'))).not.toContain(password)
})

it('is given once to a sudo, and to nobody who only says that he is one', async () => {
  const { root } = place('wrong-Horse 8 battery')
  const wrong = await run(root, 'sudo true')
  expect(wrong).toMatchObject({
    code: 'NONZERO_EXIT', data: { stderr: expect.stringContaining('sudo: no password was provided\nsudo: 1 incorrect password attempt') },
    hint: expect.stringContaining('sudo did not take SUDO_PASSWORD'),
  })
  const asked = 'd=${PATH%%:*}; a=${d%/bin}/ask; $a; bash -c "exec -a sudo $a"; cp $a sudo; ./sudo; python3 -c "import socket,os,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.send(b\'%d\\n\' % os.getppid()); print(s.recv(99))" ${d%/bin}/socket'
  expect(outputOf(await run(root, asked))).toBe(`b''\n`)
})

it.skipIf(process.getuid?.() !== 0)('is not given to a program of that name whose owner is another', async () => {
  const { root, sudo } = place(PASSWORD)
  // As that of the system is not the user's, nothing that the user starts can be it.
  chownSync(sudo, 65_534, 65_534)
  writeFileSync(join(root, 'sudo'), '#!/bin/sh\n"$1"\n', { mode: 0o755 })
  expect(outputOf(await run(root, 'd=${PATH%%:*}; ./sudo ${d%/bin}/ask; echo nothing'))).toBe('nothing\n')
  expect(await run(root, 'sudo true')).toMatchObject({ code: 'NONZERO_EXIT', hint: expect.stringContaining('sudo did not take') })
})

it.each([
  ['there is none', undefined, /sudo wants a password, and nobody can type it: the user can add SUDO_PASSWORD to .*\/hermes\/\.env\./],
  ['it is too short to be masked', 'abc', /SUDO_PASSWORD is not used: it is too short or too plain to be masked/],
  ['it is a plain word', 'abcdefghij', /too plain to be masked/],
])('is not used where %s', async (_, given, hint) => {
  const { root } = place(given)
  expect(await run(root, 'sudo true')).toMatchObject({ code: 'NONZERO_EXIT', hint: expect.stringMatching(hint) })
})

it('leaves alone a sudo that is to ask nobody, or its input', async () => {
  const { root, password } = place(PASSWORD)
  const { hint } = await run(root, 'sudo -n true')
  expect(hint).toContain('without -S and -n')
  expect(await run(root, `cat ../password | sudo -p "" -S echo fine`)).toMatchObject({ success: true, data: { stdout: 'fine\n' } })
  expect(hint).not.toContain(password)
})

needing('bubblewrap').it('is not used in a sandbox, and the reason is told', async () => {
  const { root } = place(PASSWORD)
  const result = await run(root, 'sudo true', { sandbox: 'auto' })
  expect(result).toMatchObject({
    code: 'NONZERO_EXIT', data: { sandbox: 'bwrap' },
    hint: expect.stringContaining('sudo cannot become root in it, and SUDO_PASSWORD is used only where commands run without one'),
  })
})

/** One container a task: what a call installs, starts and leaves in /tmp is there for the next one. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ActionResult, HermesOptions } from '../../../0-contracts/src/index.js'
import { isRecord } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../../5-executor/src/executor/index.js'
import { standInDocker } from '../../../../test/support/docker.js'
import { markedProcesses } from '../../../../test/support/marked-processes.js'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const CLI = fileURLToPath(new URL('../../../../../dist/cli.js', import.meta.url))
const LOST = 'what was installed in the last one, its /tmp and what ran in it are gone.'

interface Place {
  root: string
  /** Directory of the stand-in. */
  state: string
  /** Calls of the client of one kind, without its name. */
  calls(verb: string): string[][]
  containers(): string[]
}

function place(terminal: object = {}, network = 'off'): Place {
  const base = tempDir()
  const [root, home] = [join(base, 'project'), join(base, 'hermes')]
  for (const directory of [root, home]) mkdirSync(directory)
  const docker = standInDocker(base)
  onTestFinished(() => void vi.unstubAllEnvs())
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({
    terminal: { backend: 'docker', docker_image: 'debian:12', ...terminal }, verbs: { network },
  }))
  vi.stubEnv('HERMES_HOME', home)
  vi.stubEnv('DOCKER_CONFIG', docker.state)
  vi.stubEnv('PATH', [docker.bin, process.env['PATH']].join(delimiter))
  return {
    root, state: docker.state,
    calls: verb => docker.calls().filter(([one]) => one === verb).map(([, ...args]) => args),
    containers: () => execFileSync(join(docker.bin, 'docker'), ['ps', '--filter', 'label=hermes.process'], { encoding: 'utf8' })
      .split('\n').flatMap(line => line.split('\t').slice(0, 1)).filter(Boolean),
  }
}

function open(root: string, options: HermesOptions = {}): Hermes {
  const hermes = new Hermes({ root, gitCommit: false, ...options })
  onTestFinished(async () => hermes[Symbol.asyncDispose]())
  return hermes
}

async function run(hermes: Hermes, command: string, more: object = {}, taskId?: string): Promise<ActionResult> {
  const { results: [result] } = await hermes.call([{ id: 'a', name: 'execute_command', arguments: { command, ...more } }], {
    ...(taskId !== undefined && { taskId }),
  })
  if (result === undefined) throw new Error('no result')
  return result
}

/** Stops a command once it has made the file `started` in the root. */
async function stopped(hermes: Hermes, root: string, command: string): Promise<ActionResult | undefined> {
  const controller = new AbortController()
  const call = { id: 'a', name: 'execute_command', arguments: { command } }
  const running = hermes.call([call], { signal: controller.signal })
  await until(() => existsSync(join(root, 'started')))
  controller.abort()
  return (await running).results[0]
}

function outputOf({ data }: ActionResult): string {
  return isRecord(data) ? String(data['stdout']) : ''
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !condition(); tries++) await sleep(10)
  expect(condition()).toBe(true)
}

needing('bubblewrap').describe('a container of a task', () => {
  it('keeps what a call installed, and its /tmp', async () => {
    const { root, calls } = place()
    const hermes = open(root)
    const installed = await run(hermes, 'printf "#!/bin/sh\\necho tool" >/opt/tool && chmod +x /opt/tool && echo note >/tmp/note')
    expect(installed).toMatchObject({ success: true, data: { sandbox: 'docker' } })
    expect(installed.hint).toBeUndefined()
    expect(await run(hermes, '/opt/tool; cat /tmp/note; pwd')).toMatchObject({
      success: true, data: { stdout: `tool\nnote\n${root}\n` },
    })
    expect(calls('run')).toHaveLength(1)
    expect(calls('run')[0]).toEqual(expect.arrayContaining(['--detach', '--init', '--network', '--cap-drop', 'no-new-privileges', '--pids-limit', '--memory']))
  })

  it('keeps a server that answers the next call, and shows what file verbs write', async () => {
    const { root } = place()
    const hermes = open(root)
    const server = 'python3 -m http.server 8123 --bind 127.0.0.1 >/tmp/log 2>&1 &'
    expect(await run(hermes, server)).toMatchObject({ success: true })
    await hermes.call([{ id: 'w', name: 'write_file', arguments: { path: 'page.txt', content: 'from a verb\n' } }])
    const ask = 'for n in $(seq 100); do python3 -c "import urllib.request as u; print(u.urlopen(\'http://127.0.0.1:8123/page.txt\').read())" 2>/dev/null && exit; sleep 0.1; done; exit 1'
    expect(outputOf(await run(hermes, ask))).toBe(`b'from a verb\\n'\n`)
    await run(hermes, 'echo changed >page.txt')
    expect(readFileSync(join(root, 'page.txt'), 'utf8')).toBe('changed\n')
  })

  it('is another one for each task, and ends with it', async () => {
    const { root, containers, calls } = place()
    const hermes = open(root)
    await Promise.all([run(hermes, 'echo one >/tmp/mine', {}, 'one'), run(hermes, 'echo two >/tmp/mine', {}, 'two')])
    expect(containers()).toHaveLength(2)
    expect(outputOf(await run(hermes, 'cat /tmp/mine', {}, 'one'))).toBe('one\n')
    await hermes.endTask('one')
    expect(containers()).toHaveLength(1)
    expect(outputOf(await run(hermes, 'cat /tmp/mine', {}, 'two'))).toBe('two\n')
    await hermes[Symbol.asyncDispose]()
    expect(containers()).toEqual([])
    expect(calls('run')).toHaveLength(2)
  })

  it('is one where several commands begin at once', async () => {
    const { root, calls } = place()
    const hermes = open(root)
    const all = await Promise.all(['a', 'b', 'c'].map(name => run(hermes, `echo ${name}`)))
    expect(all.map(outputOf)).toEqual(['a\n', 'b\n', 'c\n'])
    expect(calls('run')).toHaveLength(1)
  })

  it('stays when a command is stopped, and nothing of that does', async () => {
    const { root, calls } = place()
    const hermes = open(root)
    const mark = `MARK_${Math.random()}`
    await run(hermes, `echo kept >/tmp/kept; KEPT=${mark} sleep 400 >/dev/null 2>&1 &`)
    const stubborn = `export M=${mark}; echo begun; (trap "" TERM HUP; sleep 401; sleep 401) & setsid sleep 402 & env -i sleep 403 & touch started; sleep 404`
    expect(await stopped(hermes, root, stubborn)).toMatchObject({ code: 'CANCELLED', data: { stdout: 'begun\n' } })
    expect(await run(hermes, 'sleep 405', { timeout_seconds: 1 })).toMatchObject({ code: 'TIMEOUT' })
    // The one that the first command left goes on.
    expect(markedProcesses(mark)).toHaveLength(1)
    expect(outputOf(await run(hermes, 'cat /tmp/kept; for p in /proc/[0-9]*; do tr "\\0" " " <$p/cmdline; echo; done | grep "^sleep"')))
      .toBe('kept\nsleep 400 \n')
    expect(calls('run')).toHaveLength(1)
  })

  it('ends what pretends to be of another call, too', async () => {
    const { root } = place()
    const hermes = open(root)
    const mark = `MARK_${Math.random()}`
    await stopped(hermes, root, `M=${mark} HERMES_CALL=other setsid sh -c 'touch started; exec sleep 405' & sleep 406`)
    expect(markedProcesses(mark)).toHaveLength(1)
    await hermes[Symbol.asyncDispose]()
    expect(markedProcesses(mark)).toEqual([])
  })

  it('is another one for commands that the policy opens the network to', async () => {
    const { root, calls } = place({}, 'ask')
    let answer: 'once' | 'deny' = 'deny'
    const hermes = open(root, { approve: () => answer })
    expect(await run(hermes, 'echo x >/tmp/x')).toMatchObject({ success: true })
    answer = 'once'
    expect(await run(hermes, 'cat /tmp/x')).toMatchObject({
      code: 'NONZERO_EXIT', hint: expect.stringContaining('Commands with the network and those without run in two containers'),
    })
    answer = 'deny'
    expect(await run(hermes, 'cat /tmp/x')).toMatchObject({ success: true, data: { stdout: 'x\n' } })
    expect(calls('run').map(args => args.includes('none'))).toEqual([true, false])
  })

  it('has root for its user where that is the user outside', async () => {
    const { root, state, calls } = place()
    await run(open(root), 'true')
    writeFileSync(join(state, 'info'), 'Security Options:\n  rootless\n')
    await run(open(root), 'true')
    expect(calls('run').map(args => args.includes('--user'))).toEqual([true, false])
  })

  it('gives a command no input, its variables and nothing of the environment', async () => {
    const { root } = place()
    vi.stubEnv('PLAIN_VALUE', 'of this machine')
    const { data } = await run(open(root), 'cat; echo "[$GREETING] [$PLAIN_VALUE] [$DOCKER_CONFIG]"', { env: { GREETING: 'hello' } })
    expect(data).toMatchObject({ stdout: '[hello] [] []\n' })
  })

  it('bounds what a command prints', async () => {
    const { root, calls } = place()
    const hermes = open(root, { limits: { maxOutputBytes: 1000 } })
    const { success, data } = await run(hermes, 'yes 0123456789 | head -c 30000000')
    expect(success).toBe(true)
    expect(String(isRecord(data) && data['stdout']).length).toBeLessThan(1200)
    expect(outputOf(await run(hermes, 'echo on'))).toBe('on\n')
    expect(calls('run')).toHaveLength(1)
  })

  it('reads code that is too long for an argument', async () => {
    const { root } = place()
    const code = `${'# a long line of a comment\n'.repeat(8000)}echo "code ran"`
    const { results: [result] } = await open(root).call([{ id: 's', name: 'exec', arguments: { code, lang: 'bash' } }])
    expect(result).toMatchObject({ success: true, data: { stdout: 'code ran\n' } })
  })

  it('runs what the image has, and says what it has not', async () => {
    const { root, calls } = place({ docker_image: 'alpine' }, 'on')
    const hermes = open(root)
    expect(await run(hermes, 'echo "${BASH_VERSION:-plain}"')).toMatchObject({ success: true, data: { stdout: 'plain\n' } })
    const { results: [result] } = await hermes.call([{ id: 's', name: 'exec', arguments: { code: 'echo', lang: 'bash' } }])
    expect(result).toMatchObject({ code: 'ENOENT', error: 'exec: bash not found in PATH (ENOENT)' })
    const versioned = { code: 'print(1)', lang: 'python', version: '3' }
    const { results: [python] } = await hermes.call([{ id: 'v', name: 'exec', arguments: versioned }])
    expect(python).toMatchObject({ success: true, data: { stdout: '1\n' } })
    expect(calls('run')).toHaveLength(1)
  })

  it('has the root where terminal.cwd says, where that is absolute', async () => {
    const { root } = place({ cwd: '/workspace' })
    mkdirSync(join(root, 'src'))
    expect(outputOf(await run(open(root), 'pwd; echo x >made', { working_directory: 'src' }))).toBe('/workspace/src\n')
    expect(existsSync(join(root, 'src', 'made'))).toBe(true)
    const { root: here } = place({ cwd: '.' })
    expect(outputOf(await run(open(here), 'pwd'))).toBe(`${here}\n`)
  })
})

needing('bubblewrap').describe('what is kept from commands in a container', () => {
  it('is read-only, whatever comes after it began', async () => {
    const { root, calls } = place()
    execFileSync('git', ['init', '-q', root])
    writeFileSync(join(root, 'hermes.yaml'), 'verbs: { network: off }\n')
    const hermes = open(root)
    const refused = await run(hermes, 'touch .git/hooks/x; echo x >hermes.yaml; mv .git away; rm -rf .hermes; mkdir ok')
    expect(refused).toMatchObject({ success: true, data: { stderr: expect.stringMatching(/(?:Read-only file system|busy)[^]*(?:Read-only|busy)[^]*busy/i) } })
    expect(readFileSync(join(root, 'hermes.yaml'), 'utf8')).toBe('verbs: { network: off }\n')
    await run(hermes, 'echo x >/opt/x')
    // As editors save: another file in the place of the one that is mounted.
    writeFileSync(join(root, 'new'), 'verbs: { network: off }\n# mine\n')
    renameSync(join(root, 'new'), join(root, 'hermes.yaml'))
    const after = await run(hermes, 'echo y >>hermes.yaml')
    expect(after).toMatchObject({ code: 'NONZERO_EXIT', data: { stderr: expect.stringContaining('Read-only file system') } })
    expect(after.hint).toContain(`What has to stay read-only in the root has changed, so this ran in a new container: ${LOST}`)
    expect(calls('run')).toHaveLength(2)
    // A repository of the user's comes into being below.
    mkdirSync(join(root, 'sub'))
    execFileSync('git', ['init', '-q', join(root, 'sub')])
    const below = await run(hermes, 'touch sub/.git/hooks/x; mv sub other; ls /opt')
    expect(below).toMatchObject({ success: true, hint: expect.stringContaining('in a new container'), data: { stdout: '' } })
    expect(existsSync(join(root, 'sub', '.git', 'hooks', 'x'))).toBe(false)
    expect(existsSync(join(root, 'sub', '.git'))).toBe(true)
    const settled = await run(hermes, 'true')
    expect(settled.hint).toBeUndefined()
    expect(calls('run')).toHaveLength(3)
  })

  it('cannot be made by a command, and nothing stands in its place afterwards', async () => {
    const { root } = place()
    const hermes = open(root)
    const { data } = await run(hermes, 'git init -q . 2>/dev/null; mkdir -p .git/hooks; echo "verbs: {}" >hermes.yaml; rm -rf .git; true')
    expect(data).toMatchObject({ stderr: expect.stringContaining('Read-only file system') })
    await hermes[Symbol.asyncDispose]()
    expect([existsSync(join(root, '.git')), existsSync(join(root, 'hermes.yaml'))]).toEqual([false, false])
  })

  it('is told apart from what a command made, also one that goes on', async () => {
    const { root } = place()
    const hermes = open(root)
    await run(hermes, '(sleep 0.3; git init -q sub; touch done) >/dev/null 2>&1 &')
    await until(() => existsSync(join(root, 'done')))
    await run(hermes, 'true')
    await hermes[Symbol.asyncDispose]()
    expect(() => new Hermes({ root: join(root, 'sub'), gitCommit: false })).toThrow(/A command of hermes made .*sub\/\.git/)
  })
})

needing('bubblewrap').describe('a container that is lost', () => {
  it('is made anew, and the model is told', async () => {
    const { root, containers, calls } = place()
    const hermes = open(root)
    await run(hermes, 'echo x >/tmp/x')
    execFileSync('docker', ['rm', '-f', ...containers()])
    const failed = await run(hermes, 'cat /tmp/x')
    expect(failed).toMatchObject({ code: 'NONZERO_EXIT', hint: expect.stringContaining(`The container had ended, so this ran in a new one: ${LOST}`) })
    expect(calls('run')).toHaveLength(2)
  })

  it('was made of no image', async () => {
    const { root, containers } = place({ docker_image: 'no-such-image' })
    const result = await run(open(root), 'true')
    expect(result).toMatchObject({
      code: 'NOT_INSTALLED',
      error: `execute_command: docker made no container of the image 'no-such-image': Unable to find image 'no-such-image:latest' locally`,
      hint: expect.stringMatching(/terminal\.docker_image in .*\/config\.yaml/),
    })
    expect(containers()).toEqual([])
    expect([existsSync(join(root, '.git')), existsSync(join(root, 'hermes.yaml'))]).toEqual([false, false])
  })

  it.each(['SIGKILL', 'SIGINT'] as const)('ends with a hermes that gets %s', async signal => {
    const { root, containers } = place()
    const answer = join(root, '..', 'answer.md')
    writeFileSync(answer, '```yaml hermes\nverb: execute_command\narguments: { command: "touch started; sleep 300" }\n```\n')
    const child = spawn(process.execPath, [CLI, 'apply', answer, '--root', root, '--no-git'], { stdio: 'ignore' })
    await until(() => existsSync(join(root, 'started')))
    expect(containers()).toHaveLength(1)
    child.kill(signal)
    await once(child, 'exit')
    await until(() => containers().length === 0)
    if (signal === 'SIGINT') expect([existsSync(join(root, '.git')), existsSync(join(root, 'hermes.yaml'))]).toEqual([false, false])
  })

  it('is removed by the next hermes, and nobody else\'s is', async () => {
    const { root, containers } = place()
    const hermes = open(root)
    await run(hermes, 'true')
    const [living = ''] = containers()
    const [, mark = ''] = /^hermes-([0-9a-f]+-\d+-\d+)-/.exec(living) ?? []
    // A process that has ended, one of another machine, and a container of the user's own.
    const ended = spawn('true')
    await once(ended, 'exit')
    const [place0 = '', , started = ''] = mark.split('-')
    const owners = { 'hermes-dead': `${place0}-${ended.pid}-${started}`, 'hermes-far': `0000000000000000-${ended.pid}-1`, mine: `${place0}-${ended.pid}-1` }
    const names = Object.entries(owners).map(([name, owner]) => (name === 'mine' ? 'mine' : `hermes-${owner}-abc`))
    for (const [index, owner] of Object.values(owners).entries()) {
      execFileSync('docker', ['run', '--detach', '--name', names[index]!, '--label', `hermes.process=${owner}`, '--entrypoint', '', 'debian', 'tail', '-f', '/dev/null'])
    }
    onTestFinished(() => void execFileSync('docker', ['rm', '-f', names[1]!, names[2]!]))
    const answer = join(root, '..', 'answer.md')
    writeFileSync(answer, '```yaml hermes\nverb: execute_command\narguments: { command: "true" }\n```\n')
    execFileSync(process.execPath, [CLI, 'apply', answer, '--root', root, '--no-git'])
    expect(containers().sort()).toEqual([living, names[1]!, names[2]!].sort())
  })
})

/** Stands in for singularity: instances are files, and commands run on this machine. */
const SINGULARITY = `#!/bin/sh
echo "$*" >>"$DOCKER_CONFIG/log"
for last; do :; done
case "$1 $2" in
  "--version "*) ;;
  "instance start") : >"$DOCKER_CONFIG/$last.instance";;
  "instance list") cd "$DOCKER_CONFIG" && echo '{"instances":['"$(ls *.instance 2>/dev/null | sed 's/\\(.*\\).instance/{"instance":"\\1"}/' | paste -sd, -)"']}';;
  "instance stop") rm "$DOCKER_CONFIG/$last.instance";;
  exec*) while :; do case $1 in instance://*) break;; --pwd) cd "$2"; shift;; --env) export "$2"; shift;; esac; shift; done
    [ -e "$DOCKER_CONFIG/\${1#instance://}.instance" ] || exit 255
    shift; exec "$@";;
esac
`

it('is an instance of singularity', async () => {
  const { root } = place({ backend: 'singularity', singularity_image: 'a.sif' })
  const base = join(root, '..')
  writeFileSync(join(base, 'bin', 'singularity'), SINGULARITY, { mode: 0o755 })
  const log = () => readFileSync(join(base, 'docker', 'log'), 'utf8').split('\n')
  const hermes = open(root)
  expect(await run(hermes, 'pwd; echo $N', { env: { N: '5' } })).toMatchObject({ success: true, data: { stdout: `${root}\n5\n`, sandbox: 'singularity' } })
  expect(await run(hermes, 'echo again')).toMatchObject({ success: true, data: { stdout: 'again\n' } })
  expect(log().filter(line => line.startsWith('instance start'))).toHaveLength(1)
  // Nothing tells which processes belong to a command there: the instance is ended.
  expect(await run(hermes, 'sleep 60', { timeout_seconds: 1 })).toMatchObject({ code: 'TIMEOUT' })
  expect((await run(hermes, 'true')).hint).toContain(`The container had ended, so this ran in a new one: ${LOST}`)
  await hermes[Symbol.asyncDispose]()
  expect(log().filter(line => line.startsWith('instance stop'))).toHaveLength(2)
})

it('is refused by name for modal, with what to do', async () => {
  const { root } = place({ backend: 'modal', modal_image: 'debian:12' })
  const hermes = open(root)
  expect(await run(hermes, 'true')).toMatchObject({
    code: 'NOT_INSTALLED', error: 'execute_command: the sandbox modal does not work here: hermes has no client for it',
    hint: expect.stringMatching(/terminal\.backend in .*\/config\.yaml to docker/),
  })
  rmSync(root, { recursive: true })
})

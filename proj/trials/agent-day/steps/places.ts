import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { standInDocker } from '../../../test/support/docker.js'
import { SSHD, startSshd } from '../../../test/support/sshd.js'
import type { Day } from '../day.js'
import { toldIn } from '../conversation.js'

export function lacksSshd(): string | undefined {
  const isThere = SSHD !== undefined && paths().some((directory) => existsSync(join(directory, 'ssh')))
  return isThere ? undefined : 'sshd or ssh is not installed'
}

/** The stand-in for docker makes its containers of these. */
export function lacksContainers(): string | undefined {
  const missing = ['bwrap', 'nsenter'].filter((name) => !existsSync(`/usr/bin/${name}`))
  return missing.length === 0 ? undefined : `${missing.join(' and ')} is not installed`
}

/** Another host: files are made, read, changed and run there, and nothing in the root. */
export async function onHost(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  const server = await startSshd()
  try {
    workBy(day, 'ssh', server.bin, {
      TERMINAL_SSH_HOST: '127.0.0.1', TERMINAL_SSH_PORT: String(server.port), TERMINAL_SSH_KEY: server.key,
      TERMINAL_SSH_USER: server.user, TERMINAL_SSH_CWD: server.directory,
    })
    const path = 'only-there.txt'
    const { code, stdout, requests } = await day.ask('Work there', [
      { text: 'I write.', calls: [{ do: 'write', path, content: 'one line\n' }] },
      { text: 'I change.', calls: [{ do: 'edit', path, old: 'one line', new: 'another line' }] },
      { text: 'I look.', calls: [{ do: 'run', command: `pwd; cat ${path}; echo by-command >> ${path}` }] },
      { text: 'I read.', calls: [{ do: 'read', path }] }, { text: 'Done there.' },
    ], ['--yes'])
    day.expect('exit code', code, 0)
    day.expect('standard output', stdout, 'Done there.\n')
    day.holds('the system prompt', requests[0]?.messages[0]?.content ?? '', server.directory)
    day.holds('what the command told', toldIn(requests[3]), server.directory, 'another line')
    day.holds('what was read', toldIn(requests[4]), 'by-command')
    day.expect('the file there', readFileSync(join(server.directory, path), 'utf8'), 'another line\nby-command\n')
    day.expect('the file here', day.files(path), [undefined])
  } finally {
    server.close()
  }
  day.settle({ log, status })
}

/** One container a task: what commands leave outside the root lasts to its end, and the container no longer. */
export async function inContainer(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  const docker = standInDocker(join(day.place, `docker-${day.checks}`), 'docker', day.dockerStandIn)
  workBy(day, 'docker', docker.bin, { DOCKER_CONFIG: docker.state })
  const { code, stdout, requests } = await day.ask('Work in the container', [
    { text: 'I leave.', calls: [{ do: 'run', command: 'echo kept > /tmp/left; echo made > in-container.txt' }] },
    { text: 'I look.', calls: [{ do: 'run', command: 'cat /tmp/left; echo key=$OPENAI_API_KEY.' }] },
    { text: 'I read.', calls: [{ do: 'read', path: 'in-container.txt' }] }, { text: 'Done in it.' },
  ], ['--yes'])
  day.expect('exit code', code, 0)
  day.expect('standard output', stdout, 'Done in it.\n')
  day.holds('what the second command told', toldIn(requests[2]), 'kept', 'key=.')
  day.holds('what was read', toldIn(requests[3]), 'made')
  day.expect('the file in the root', day.files('in-container.txt'), ['made\n'])
  day.expect('calls of docker', docker.calls().map(([verb]) => verb), ['run', 'exec', 'exec', 'rm'])
  day.expect('containers left', readdirSync(join(docker.state, 'containers')), [])
  day.settle({ log })
  day.expect('what is new', day.status().filter((line) => !status.includes(line)), ['?? in-container.txt'])
}

/** From here to the end of the step: a home with this backend, and its program before all others. */
function workBy(day: Day, backend: string, bin: string, environment: Record<string, string>): void {
  const home = join(day.place, `home-${backend}`)
  mkdirSync(home, { recursive: true })
  const settings = { style: day.style, max_retries: 1, terminal: { backend, docker_image: 'debian:12' } }
  writeFileSync(join(home, 'config.yaml'), JSON.stringify(settings), { mode: 0o600 })
  day.environment = { ...environment, HERMES_HOME: home, PATH: [bin, ...paths()].join(delimiter) }
}

function paths(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter)
}

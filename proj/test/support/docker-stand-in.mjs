/**
 * Stands in for the client of docker and its engine where there is none, as far as hermes asks them. As with the real
 * ones a container has processes and a file system of its own, which last from one `exec` to the next, is no child of
 * its client, and gets the given environment only; what an `exec` has started goes on when its client is killed; `rm`
 * ends all that is in it. It is made by bubblewrap, and holds no capabilities back. Its state is in the directory
 * `DOCKER_CONFIG`: a line of `log` for each call, and a directory for each container.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [, , verb, ...args] = process.argv
const state = process.env.DOCKER_CONFIG ?? fail(1, 'Cannot connect to the Docker daemon')
/** Of the container's own, beside what is mounted. */
const WRITABLE = ['tmp', 'opt', 'var', 'home', 'root', 'srv']
const VALUED = /^--(?:name|label|pull|network|cap-drop|security-opt|pids-limit|memory|memory-swap|ulimit|user|env|mount|workdir|entrypoint|filter|format)$/

appendFileSync(join(state, 'log'), `${JSON.stringify([verb, ...args])}\n`)
const { options, rest } = parsed(args)
const VERBS = { version: () => undefined, info, run, exec, terminal, container: inspect, top, rm: remove, ps }
await (VERBS[verb] ?? fail(1, `docker: '${verb}' is not a docker command.`))()

function fail(code, message) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

/** Options with their values, up to the first word that is none. */
function parsed(words) {
  const found = new Map()
  let at = 0
  for (; words[at]?.startsWith('-'); at++) {
    const name = words[at]
    if (VALUED.test(name)) found.set(name, [...found.get(name) ?? [], words[++at]])
    else found.set(name, [])
  }
  return { options: found, rest: words.slice(at) }
}

function pathOf(name, ...more) {
  return join(state, 'containers', name, ...more)
}

/** One that runs. */
function container(name) {
  const file = pathOf(name, 'container.json')
  const { pid, labels, env, image } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  if (pid === undefined || !existsSync(`/proc/${pid}/ns/mnt`)) fail(1, `Error response from daemon: No such container: ${name}`)
  return { pid, labels, env, image }
}

function assigned(words = []) {
  return Object.fromEntries(words.map((word) => word.split(/=(.*)/s).slice(0, 2)))
}

async function run() {
  const [image, ...command] = rest
  const [name] = options.get('--name')
  if (image === 'no-such-image') fail(125, `Unable to find image 'no-such-image:latest' locally`)
  if (existsSync(pathOf(name))) fail(125, `docker: Error response from daemon: Conflict. The container name "/${name}" is already in use`)
  for (const one of WRITABLE) mkdirSync(pathOf(name, one), { recursive: true })
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', ...assigned(options.get('--env')) }
  const mounts = (options.get('--mount') ?? []).map((text) => mountOf(text))
  const missing = mounts.find(({ source }) => !existsSync(source))
  if (missing) fail(125, `docker: Error response from daemon: invalid mount config for type "bind": bind source path does not exist: ${missing.source}`)
  const report = openSync(pathOf(name, 'info'), 'w')
  const started = spawn('/usr/bin/bwrap', [
    '--info-fd', '3', '--unshare-pid', '--unshare-ipc',
    ...(options.get('--network')?.includes('none') ? ['--unshare-net'] : []),
    ...['usr', 'etc'].flatMap((one) => ['--ro-bind', `/${one}`, `/${one}`]),
    ...['bin', 'sbin', 'lib', 'lib64'].flatMap((one) => ['--symlink', `usr/${one}`, `/${one}`]),
    '--proc', '/proc', '--dev', '/dev', '--chmod', '1777', '/dev/shm',
    ...WRITABLE.flatMap((one) => ['--bind', pathOf(name, one), `/${one}`]),
    ...mounts.flatMap(({ source, target, readonly }) => [readonly ? '--ro-bind' : source === '/dev/null' ? '--dev-bind' : '--bind', source, target]),
    '--', ...command,
  ], {
    detached: true, stdio: ['ignore', 'ignore', 'ignore', report], env, cwd: '/',
  })
  closeSync(report)
  const pid = await new Promise((resolve) => {
    started.once('exit', () => resolve(undefined))
    const look = setInterval(() => {
      const found = /"child-pid": (\d+)/.exec(readFileSync(pathOf(name, 'info'), 'utf8'))?.[1]
      // The mounts are there once it has become the command.
      if (found === undefined || !existsSync(`/proc/${found}/root/${WRITABLE[0]}`) || !isCommand(found, command)) return
      clearInterval(look)
      resolve(Number(found))
    }, 5)
  })
  if (pid === undefined) {
    rmSync(pathOf(name), { recursive: true, force: true })
    fail(125, 'docker: Error response from daemon: failed to create task for container')
  }
  writeFileSync(pathOf(name, 'container.json'), JSON.stringify({ pid, labels: assigned(options.get('--label')), env, image }))
  process.stdout.write(`${name}\n`)
  process.exit(0)
}

/** Bubblewrap stays as the first process; the command is its child. */
function isCommand(pid, [program]) {
  return spawnSync('/usr/bin/pgrep', ['-P', pid, '-x', program]).status === 0 || commandOf(pid).includes(program)
}

function commandOf(pid) {
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')[0]
}

function mountOf(text) {
  const fields = text.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g).map((field) => field.replace(/,$/, '').replace(/^"|"$/g, '').replaceAll('""', '"'))
  const { source, target } = assigned(fields.filter((field) => field.includes('=')))
  return { source, target, readonly: fields.includes('readonly') }
}

/** What runs a command in a container, and the environment it gets. */
function entered(name, command) {
  const { pid, env, image } = container(name)
  // Few images of that kind have it.
  if (image === 'alpine' && command[0] === 'bash') fail(127, notFound('bash'))
  const own = (kind) => readlinkSync(`/proc/self/ns/${kind}`) === readlinkSync(`/proc/${pid}/ns/${kind}`)
  const kinds = Object.entries({ user: 'user', mnt: 'mount', ipc: 'ipc', pid: 'pid', net: 'net' }).filter(([kind]) => !own(kind))
  const [cwd = '/'] = options.get('--workdir') ?? []
  const all = { ...env, ...assigned(options.get('--env')) }
  return ['/usr/bin/nsenter', [
    `--target=${pid}`, '--preserve-credentials', ...kinds.map(([, option]) => `--${option}`), '--', '/usr/bin/env', '-i',
    ...Object.entries(all).map(([variable, value]) => `${variable}=${value}`), '/bin/sh', '-c',
    'cd "$1" || exit 126; shift; command -v "$1" >/dev/null || { echo "$0" >&2; exit 127; }; exec "$@"',
    notFound(command[0]), cwd, ...command,
  ]]
}

function notFound(program) {
  return `OCI runtime exec failed: exec failed: unable to start container process: exec: "${program}": executable file not found in $PATH`
}

async function exec() {
  const [name, ...command] = rest
  const [program, words] = entered(name, command)
  if (options.has('--tty')) return onTerminal()
  const ended = join(state, `${process.pid}.ended`)
  const telling = '"$@"; echo $? >"$0.new"; mv "$0.new" "$0"'
  spawn(...orphaned('/bin/sh', ['-c', telling, ended, program, ...words]), { stdio: ['ignore', 'inherit', 'inherit'], env: {} })
  while (!existsSync(ended)) {
    // The engine is gone with its state.
    if (!existsSync(state)) process.exit(1)
    await new Promise((resolve) => void setTimeout(resolve, 5))
  }
  const code = Number(readFileSync(ended, 'utf8'))
  rmSync(ended)
  process.exit(code)
}

/** What starts a program that is no descendant of this process. */
function orphaned(program, words) {
  return ['/bin/sh', ['-c', '(/usr/bin/setsid "$@" &)', 'sh', program, ...words]]
}

/** The client: a terminal on this side, a socket on the other. */
async function onTerminal() {
  const socketPath = join(state, `${process.pid}.socket`)
  const started = spawn(...orphaned(process.execPath, [fileURLToPath(import.meta.url), 'terminal', ...args]), {
    stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, STAND_IN_SOCKET: socketPath },
  })
  await new Promise((resolve) => started.stdout.once('data', resolve))
  started.stdout.destroy()
  started.unref()
  const socket = connect(socketPath)
  process.stdin.setRawMode?.(true)
  process.stdin.pipe(socket)
  socket.pipe(process.stdout, { end: false })
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('close', resolve))
  const code = existsSync(`${socketPath}.exit`) ? Number(readFileSync(`${socketPath}.exit`, 'utf8')) : 137
  for (const path of [socketPath, `${socketPath}.exit`]) rmSync(path, { force: true })
  process.exit(code)
}

/** The engine's side of an `exec` with a terminal. */
async function terminal() {
  const { default: pty } = await import('@lydell/node-pty')
  const [name, ...command] = rest
  const [program, words] = entered(name, command)
  const socketPath = process.env.STAND_IN_SOCKET
  const server = createServer((client) => {
    server.close()
    const inside = pty.spawn(program, words, { cols: 120, rows: 40, cwd: '/', env: { TERM: 'xterm' }, encoding: null })
    inside.onData((data) => client.write(data))
    client.setEncoding('utf8').on('data', (data) => inside.write(data))
    client.on('error', () => undefined)
    inside.onExit(({ exitCode, signal }) => {
      writeFileSync(`${socketPath}.exit`, String(signal ? 128 + signal : exitCode))
      client.end(() => process.exit(0))
    })
  })
  server.listen(socketPath, () => process.stdout.write('up\n'))
}

/** What the file `info` of its state says. */
function info() {
  const file = join(state, 'info')
  process.stdout.write(existsSync(file) ? readFileSync(file, 'utf8') : 'Security Options: seccomp\n')
}

function inspect() {
  const inspected = parsed(args.slice(1))
  container(inspected.rest[0])
  process.stdout.write('true\n')
}

/** The processes in it, below a line of titles. */
function top() {
  const { pid } = container(rest[0])
  const space = readlinkSync(`/proc/${pid}/ns/pid`)
  process.stdout.write(`PID\n${inSpace(space).map((one) => `${one}\n`).join('')}`)
}

function inSpace(space) {
  return readdirSync('/proc').filter((one) => /^\d+$/.test(one)).filter((one) => {
    try {
      return readlinkSync(`/proc/${one}/ns/pid`) === space
    } catch (error) {
      if (!['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) throw error
      return false
    }
  })
}

function remove() {
  for (const name of rest) {
    const file = pathOf(name, 'container.json')
    if (!existsSync(file)) fail(1, `Error response from daemon: No such container: ${name}`)
    const { pid } = JSON.parse(readFileSync(file, 'utf8'))
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
    while (existsSync(`/proc/${pid}/ns/mnt`) && !/^\d+ \(.*\) Z/s.test(statOf(pid))) spawnSync('/usr/bin/sleep', ['0.01'])
    rmSync(pathOf(name), { recursive: true, force: true, maxRetries: 5 })
    process.stdout.write(`${name}\n`)
  }
}

/** Of a process that may end while it is looked at. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes(error.code)) throw error
    return '0 () Z'
  }
}

/** `--filter label=KEY` and the format that hermes asks for: the name and the value of the label. */
function ps() {
  const label = options.get('--filter').find((one) => one.startsWith('label=')).slice('label='.length)
  const names = existsSync(join(state, 'containers')) ? readdirSync(join(state, 'containers')) : []
  for (const name of names) {
    const file = pathOf(name, 'container.json')
    const { labels = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    if (labels[label] !== undefined) process.stdout.write(`${name}\t${labels[label]}\n`)
  }
}

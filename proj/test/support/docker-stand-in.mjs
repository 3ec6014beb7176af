/**
 * Stands in for the client of docker and its engine where there is none: `version`, `run` on a terminal, `kill`. As with
 * the real ones a container is no child of its client, outlives it, has a terminal of its own and the given environment
 * only, and `kill` ends all that is in it. It contains nothing. Its state is in the directory `DOCKER_CONFIG`.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [, , verb, ...args] = process.argv
const state = process.env.DOCKER_CONFIG
const file = (name, kind) => join(state, `${name}.${kind}`)

if (state === undefined) {
  process.stderr.write('Cannot connect to the Docker daemon\n')
  process.exit(1)
}
appendFileSync(join(state, 'log'), `${JSON.stringify([verb, ...args])}\n`)
if (verb === 'run') await run()
else if (verb === 'engine') await engine(args[0])
else if (verb === 'kill') kill(args[0])

/** The client: a terminal on this side, a socket on the other. */
async function run() {
  const after = (name) => args[args.indexOf(name) + 1]
  const name = after('--name')
  const rest = args.slice(args.indexOf('--entrypoint') + 2)
  if (rest[0] === 'no-such-image') {
    process.stderr.write(`Unable to find image 'no-such-image:latest' locally\n`)
    process.exit(125)
  }
  const env = args.flatMap((one, index) => args[index - 1] === '--env' ? [one.split(/=(.*)/s).slice(0, 2)] : [])
  const container = { cwd: after('--workdir'), command: rest.slice(1), env: Object.fromEntries(env) }
  writeFileSync(file(name, 'json'), JSON.stringify(container))
  const started = spawn(process.execPath, [fileURLToPath(import.meta.url), 'engine', name], {
    detached: true, stdio: ['ignore', 'pipe', 'ignore'],
  })
  await new Promise((resolve) => started.stdout.once('data', resolve))
  started.stdout.destroy()
  started.unref()
  const socket = connect(file(name, 'socket'))
  process.stdin.setRawMode?.(true)
  process.stdin.pipe(socket)
  socket.pipe(process.stdout, { end: false })
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('close', resolve))
  process.exit(existsSync(file(name, 'exit')) ? Number(readFileSync(file(name, 'exit'), 'utf8')) : 137)
}

/** A container. */
async function engine(name) {
  const { default: pty } = await import('@lydell/node-pty')
  const { cwd, command: [program, ...rest], env } = JSON.parse(readFileSync(file(name, 'json'), 'utf8'))
  const server = createServer((client) => {
    server.close()
    const own = { PATH: '/usr/local/bin:/usr/bin:/bin', TERM: 'xterm', ...env, STAND_IN: name }
    const inside = pty.spawn(program, rest, { cols: 120, rows: 40, cwd, env: own, encoding: null })
    inside.onData((data) => client.write(data))
    client.setEncoding('utf8').on('data', (data) => inside.write(data))
    client.on('error', () => undefined)
    inside.onExit(({ exitCode, signal }) => {
      writeFileSync(file(name, 'exit'), String(signal ? 128 + signal : exitCode))
      kill(name)
      client.end(() => process.exit(0))
    })
  })
  server.listen(file(name, 'socket'), () => process.stdout.write('up\n'))
}

function kill(name) {
  for (const pid of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`STAND_IN=${name}`)) process.kill(Number(pid), 'SIGKILL')
    } catch (error) {
      if (!['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) throw error
    }
  }
  for (const kind of ['json', 'socket']) rmSync(file(name, kind), { force: true })
}

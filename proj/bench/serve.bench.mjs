/** Round trips over standard input and output, against a bare `vscode-jsonrpc` that echoes. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createMessageConnection } from 'vscode-jsonrpc/node'
import { inRoot } from './support/in-root.mjs'
import { medians } from './support/rounds.mjs'

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const ECHO = fileURLToPath(new URL('support/echo-server.mjs', import.meta.url))
const ROUNDS = 15
const TRIPS = 200
const AT_ONCE = 1000
const NOTHING = { verb: 'context_list', arguments: {} }
const EXISTS = { verb: 'fs.exists', arguments: { path: 'README.md' } }

export default () => inRoot(async root => {
  const echo = serverOf(root, [ECHO])
  const hermes = serverOf(root, [CLI, 'serve'])
  await hermes.client.sendRequest('initialize', { workspaceRoot: root })
  const acts = {
    echo: trips(echo, 'echo', NOTHING), nothing: trips(hermes, 'verb/execute', NOTHING),
    exists: trips(hermes, 'verb/execute', EXISTS),
    echoes: burst(echo, 'echo', NOTHING), nothings: burst(hermes, 'verb/execute', NOTHING),
  }
  // What compiles only when it is hot is not what is measured.
  for (const act of Object.values(acts)) for (let round = 0; round < 5; round++) await act()
  const figures = await medians(acts, ROUNDS)
  await hermes.client.sendRequest('shutdown')
  for (const { child } of [echo, hermes]) child.kill()
  return [
    { name: 'a verb that does nothing', value: figures.nothing, unit: 'µs', against: figures.echo, target: '≤ 2×' },
    { name: 'a verb that looks at a file', value: figures.exists, unit: 'µs', against: figures.echo },
    { name: `each of ${AT_ONCE} at once`, value: figures.nothings, unit: 'µs', against: figures.echoes },
  ]
})

/** Resolves to the time of one round trip, in microseconds. */
function trips({ client }, method, params) {
  return async () => {
    const started = performance.now()
    for (let trip = 0; trip < TRIPS; trip++) await client.sendRequest(method, params)
    return (performance.now() - started) * 1000 / TRIPS
  }
}

function burst({ client }, method, params) {
  return async () => {
    const started = performance.now()
    await Promise.all(Array.from({ length: AT_ONCE }, () => client.sendRequest(method, params)))
    return (performance.now() - started) * 1000 / AT_ONCE
  }
}

function serverOf(cwd, args) {
  const child = spawn(process.execPath, args, {
    cwd, stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, HOME: cwd },
  })
  const client = createMessageConnection(child.stdout, child.stdin)
  client.listen()
  return { child, client }
}

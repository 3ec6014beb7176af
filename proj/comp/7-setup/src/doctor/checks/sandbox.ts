import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isRecord, orNothing, type ActionResult, type Policy } from '../../../../0-contracts/src/index.js'
import { Hermes, userPolicy } from '../../../../5-executor/src/index.js'
import type { Check, Examined, Finding } from '../finding.js'
import { inScratch } from '../in-scratch.js'

const id = 'sandbox'
const title = 'sandbox'
const INSTALL: Readonly<Record<string, string>> = {
  linux: 'Install bubblewrap (apt install bubblewrap), and let users make namespaces (hermes help sandbox).',
}
/** Known gaps of a sandbox that others do not have. */
const LACKS: Readonly<Record<string, string>> = {
  unshare: 'it has no filter of system calls: commands reach the keys that the kernel keeps for you, '
    + 'vsock and io_uring',
}
const PRIVATE = ['.ssh', '.hermes', '.bash_history', '.profile', '.bashrc', '.zshrc']
const NONE_HERE = 'Use a terminal.backend such as docker (hermes help sandbox), or consent to none with --sandbox none.'

/** Sandboxes that were never tested for lack of a machine with them. */
const UNTRIED: ReadonlySet<string> = new Set(['singularity'])

const SHARED = 'the commands of a task share processes, loopback and /tmp'
const OWN = 'each command has processes and a /tmp of its own (those of a task share them where there are bubblewrap '
  + '0.8 or newer and nsenter of util-linux)'

/** A script that tries what commands must and must not be able to do, and prints what succeeded. */
const TRIES = `
const fs = require('fs'), net = require('net')
const can = (task) => { try { task(); return true } catch { return false } }
const [outside, home, port] = process.env.HERMES_DOCTOR.split('\\n')
const done = (network) => console.log(JSON.stringify({
  writesInside: can(() => fs.writeFileSync('inside', 'x')),
  writesOutside: can(() => fs.writeFileSync(outside, 'x')),
  writesState: can(() => fs.writeFileSync('.git/hooks/pre-commit', 'x')),
  seesHome: can(() => fs.accessSync(home)),
  network,
}))
const socket = net.connect(Number(port), '127.0.0.1')
socket.on('connect', () => { socket.destroy(); done(true) }).on('error', () => done(false))
`

/** Runs a real command as blocks do, and checks what it could access. */
export const checkSandbox: Check = async (examined) => {
  const policy = await userPolicy(realpathSync(examined.root))
  const { terminal, sandbox, verbs } = policy
  const backend = terminal.backend ?? 'local'
  const off: Finding[] = verbs.exec.value !== 'off' ? [] : [{
    id: 'commands', status: 'note', title: 'commands', detail: `switched off: ${verbs.exec.by} says exec: off`,
    fix: 'Change that line, if models are to run commands.',
  }]
  if (backend !== 'local') return [...off, await otherBackend(backend, policy, examined)]
  if (sandbox.value === 'none') {
    return [...off, {
      id, status: 'warning', title, detail: `none: ${sandbox.by} says so; commands can do whatever you can`,
      fix: 'Remove that line, if commands of models are to be held.',
    }]
  }
  return [...off, ...await local(policy, examined)]
}

/** Checks a local sandbox, under the defaults where policy files cannot be read, which another check reports. */
async function local({ sandbox, verbs, hosts }: Policy, { signal }: Examined): Promise<Finding[]> {
  // Named hosts have their own check.
  const network = verbs.network.value === 'on' && hosts === undefined
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await inScratch((outside) => inScratch(async (root) => {
      const hermes = new Hermes({
        root, policy: false, sandbox: sandbox.value, network, gitCommit: false, signal,
        // The code is ours, but running it without a sandbox must not be approved.
        approve: ({ kind }) => (kind === 'dangerous' ? 'once' : 'deny'),
      })
      const result = await run({
        code: TRIES.replace('process.env.HERMES_DOCTOR', JSON.stringify([
          join(outside, 'outside'), homeFile() ?? join(outside, 'nothing'), (server.address() as AddressInfo).port,
        ].join('\n'))),
        lang: 'javascript',
      }, hermes)
      const isShared = await sharesProcesses(hermes)
      await hermes[Symbol.asyncDispose]()
      return sandboxFindings(result, {
        wroteOutside: existsSync(join(outside, 'outside')), hasHome: homeFile() !== undefined,
        network, isShared,
      })
    }))
  } finally {
    server.close()
  }
}

/** A private file in the home directory that commands must not see. */
function homeFile(): string | undefined {
  return PRIVATE.map((name) => join(homedir(), name)).find((path) => existsSync(path))
}

async function run(args: Record<string, unknown>, hermes: Hermes, verb = 'exec'): Promise<ActionResult | undefined> {
  const { results } = await hermes.execute(`\`\`\`json hermes\n${JSON.stringify({ verb, arguments: args })}\n\`\`\``)
  return results[0]
}

/** Whether a command sees processes that an earlier one left running. */
async function sharesProcesses(hermes: Hermes): Promise<boolean> {
  const started = await run({ command: 'sleep 60 >/dev/null 2>&1 & echo $!' }, hermes, 'execute_command')
  const pid = Number(isRecord(started?.data) ? started.data['stdout'] : undefined)
  if (!Number.isInteger(pid) || pid < 1) return false
  return (await run({ command: `kill ${pid}` }, hermes, 'execute_command'))?.success === true
}

interface Around {
  /** Whether the command changed a file outside the root. */
  wroteOutside: boolean
  /** Whether the home directory had something to see. */
  hasHome: boolean
  /** Whether it may access the network. */
  network: boolean
  /** Whether the commands of a task share their processes. */
  isShared: boolean
}

/** The findings about the sandbox from the command's result. */
export function sandboxFindings(
  result: Pick<ActionResult, 'success' | 'data' | 'error'> | undefined,
  { wroteOutside, hasHome, network, isShared }: Around,
): Finding[] {
  const data = isRecord(result?.data) ? result.data : {}
  const could: unknown = orNothing(() => JSON.parse(String(data['stdout'] ?? '').trim() || 'null'), null)
  if (result?.success !== true || !isRecord(could)) {
    return [{
      id, status: 'warning', title, detail: `does not work: ${result?.error ?? 'no command could be started'}`,
      fix: INSTALL[process.platform] ?? NONE_HERE,
    }]
  }
  const leaks = [
    ...(could['writesInside'] === true ? [] : ['it cannot write in the root']),
    ...(wroteOutside ? ['it wrote outside of the root'] : []),
    ...(could['writesState'] === true ? ['it wrote a hook of git'] : []),
    ...(could['seesHome'] === true ? ['it saw a file of your home'] : []),
    ...(could['network'] === true && !network ? ['it reached the network'] : []),
  ]
  const name = String(data['sandbox'])
  if (leaks.length > 0) {
    return [{
      id, status: 'problem', title, detail: `${name} was tried with a command: ${leaks.join(', ')}`,
      fix: `Run no commands of models here, and report it: it is a defect. ${NONE_HERE}`,
    }]
  }
  const reach = network ? 'the network as the policy says' : 'no network'
  const detail = `${name}, tried with a command: it wrote in the root only, `
    + `${hasHome ? 'saw nothing of the home, ' : ''}and had ${reach}; ${isShared ? SHARED : OWN}`
  const lacks = LACKS[name]
  return [lacks === undefined ? { id, status: 'ok', title, detail } : {
    id, status: 'note', title, detail: `${detail}; ${lacks}`,
    fix: 'Install bubblewrap, which has one (apt install bubblewrap).',
  }]
}

async function otherBackend(backend: string, { terminal }: Policy, { signal }: Examined): Promise<Finding> {
  return inScratch(async (root) => {
    writeFileSync(join(root, 'inside'), '')
    const hermes = new Hermes({ root, policy: { terminal }, gitCommit: false, signal })
    const result = await run({ command: 'ls', timeout_seconds: 60 }, hermes, 'execute_command')
    await hermes[Symbol.asyncDispose]()
    const detail =
      `${backend}: ${result?.success === true ? 'a command ran in it' : result?.error ?? 'no command could be started'}`
    if (result?.success === true && UNTRIED.has(backend)) {
      const untried = `${detail}; untried by us beyond that`
      return { id, status: 'note', title, detail: untried, fix: 'See hermes help sandbox.' }
    }
    return result?.success === true ? { id, status: 'ok', title, detail }
      : { id, status: 'problem', title, detail, fix: result?.hint ?? 'See hermes help sandbox.' }
  })
}

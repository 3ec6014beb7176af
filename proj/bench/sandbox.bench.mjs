/**
 * A command in each sandbox against the same program started by Node alone: what a sandbox costs a command.
 */
import { spawn } from 'node:child_process'
import { Hermes } from '../../dist/index.js'
import { inRoot } from './support/in-root.mjs'
import { medians } from './support/rounds.mjs'

const ROUNDS = 40
const COMMAND = ['bash', ['-c', ':']]

export default async function run() {
  return inRoot(async root => {
    const acts = { plain: () => plain(root) }
    for (const sandbox of ['none', 'bwrap', 'unshare']) {
      const hermes = new Hermes({ root, sandbox, gitCommit: false, approve: () => 'once' })
      if (await works(hermes, sandbox)) acts[sandbox] = () => command(hermes)
    }
    const { plain: against, ...all } = await medians(acts, ROUNDS)
    return Object.entries(all).map(([sandbox, value]) => ({
      name: `a command, sandbox ${sandbox}`, value, unit: 'ms', against,
    }))
  })
}

async function plain(cwd) {
  const started = performance.now()
  await new Promise((resolve, reject) => spawn(...COMMAND, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    .on('error', reject).on('close', resolve))
  return performance.now() - started
}

/** The time that the verb took: the run around it, with its records, is no part of the sandbox. */
async function command(hermes) {
  const [result] = (await hermes.call([{ id: 'c', name: 'execute_command', arguments: { command: ':' } }])).results
  if (result?.success !== true) throw new Error(JSON.stringify(result))
  return result.durationMs
}

async function works(hermes, sandbox) {
  try {
    await command(hermes)
    return true
  } catch (error) {
    console.error(`${sandbox} is left out: ${error.message}`)
    return false
  }
}

/**
 * Plants a canary in every place that runs of a project may write and where hermes, or a program it starts outside of a
 * sandbox, opens or looks for a file: in each way of installing it. Which places these are is traced by `strace` while
 * every verb and nearly every command is called. All are planted at once, and all calls are made and traced again. What
 * a program did not look at then in any call, since another canary was in its way, is planted for it again without that
 * one, until it was looked at. None may run outside of a sandbox, and hardly a call may die of it.
 *
 * Usage: node proj/trials/planting.mjs [--layouts LIST] [--one] [--by-hand] [--calls REGEXP] [--seconds N] [--seed N]
 *        [--jobs N] [--verbose] [--write] [--add]
 *   --one       of the layouts, by the seed
 *   --by-hand   laid out as npm would, not installed by it: needs no registry
 *   --seconds N for planting again, in each layout: what is left then is counted as not played
 *   --verbose   how far it is
 *   --jobs N    layouts at once, each in a process of its own
 *   --write     the figures, to results/planting.json
 *   --add       to what is there, in place of the same layouts
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installsOf, pack } from './planting/installs.mjs'
import { LayoutTrial } from './planting/layout-trial.mjs'
import { layOut } from './planting/layouts.mjs'
import { MOST_DIED } from './planting/outcomes.mjs'
import { configure, startServers } from './planting/servers.mjs'
import { Stage } from './planting/stage.mjs'
import { randomFrom } from './random.mjs'

const RESULTS = new URL('./results/planting.json', import.meta.url)
const DEVELOPMENT = new URL('../package.json', import.meta.url)
const LAYOUTS = ['project', 'workspace', 'pnpm', 'npx', 'tools', 'global']
const ALWAYS_BY_HAND = ['pnpm', 'tools']

const { values } = parseArgs({ options: {
  layouts: { type: 'string', default: LAYOUTS.join(',') },
  one: { type: 'boolean', default: false },
  'by-hand': { type: 'boolean', default: false },
  calls: { type: 'string', default: '.' },
  seconds: { type: 'string', default: '600' },
  seed: { type: 'string', default: '1' },
  jobs: { type: 'string', default: '2' },
  verbose: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  add: { type: 'boolean', default: false },
} })
const layouts = values.add && existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')).layouts : {}
const named = values.layouts.split(',')
const waiting = values.one ? [named[Math.floor(randomFrom(Number(values.seed))() * named.length)]] : named
const options = [
  '--calls', values.calls, '--seconds', values.seconds, ...values['by-hand'] ? ['--by-hand'] : [],
  ...values.verbose ? ['--verbose'] : [],
]
if (waiting.length === 1) {
  layouts[waiting[0]] = await tryLayout(waiting[0])
  keep()
} else {
  const work = async () => {
    for (let layout = waiting.shift(); layout !== undefined; layout = waiting.shift()) {
      const args = [fileURLToPath(import.meta.url), '--layouts', layout, ...options]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      layouts[layout] = JSON.parse(await text(child.stdout)).layouts[layout]
      keep()
    }
  }
  // What one of them fails with is told once the others have ended, so that no figures are lost.
  const ended = await Promise.allSettled(Array.from({ length: Number(values.jobs) }, work))
  for (const { reason } of ended) if (reason !== undefined) throw reason
}
console.log(JSON.stringify(figuresSoFar(), null, 2))
process.exitCode = Object.values(layouts).every(isProven) ? 0 : 1

async function tryLayout(layout) {
  const servers = await startServers()
  const isByHand = values['by-hand'] || ALWAYS_BY_HAND.includes(layout)
  const packed = isByHand ? undefined : pack()
  const stage = new Stage(packed ? installsOf(packed.tarball, typescript())[layout] : (at) => layOut(layout, at))
  try {
    configure(stage, servers.toolServer)
    const trial = new LayoutTrial(stage, { model: servers.model, only: new RegExp(values.calls) })
    const log = (line) => {
      if (values.verbose) console.error(`${Math.round(performance.now() / 1000)} s, ${layout}: ${line}`)
    }
    const seconds = Number(values.seconds)
    return { installedBy: isByHand ? 'hand' : 'npm', seconds, ...await trial.run(seconds, log) }
  } finally {
    stage.remove()
    await servers.close()
    if (packed) rmSync(packed.directory, { recursive: true, force: true })
  }
}

function keep() {
  if (!values.write) return
  mkdirSync(new URL('./results/', import.meta.url), { recursive: true })
  writeFileSync(RESULTS, `${JSON.stringify(figuresSoFar(), null, 2)}\n`)
}

function isProven({ controls, ownPackage, plays, fired }) {
  const all = Object.values(plays).reduce((sum, count) => sum + count, 0)
  return Object.values(controls).every(Boolean) && ownPackage.writableByRuns === 0 && fired.length === 0
    && plays.died <= MOST_DIED * all
}

function figuresSoFar() {
  const all = Object.values(layouts)
  return {
    fired: all.reduce((sum, { fired }) => sum + fired.length, 0),
    died: all.reduce((sum, { plays }) => sum + plays.died, 0),
    notPlayed: all.reduce((sum, { planted: { writable, closed } }) => sum + writable.notPlayed + closed.notPlayed, 0),
    notRun: LAYOUTS.filter((one) => !(one in layouts)),
    layouts: Object.fromEntries(LAYOUTS.filter((one) => one in layouts).map((one) => [one, layouts[one]])),
  }
}

/** A version that the build pinned: the one that the development of hermes uses. */
function typescript() {
  return JSON.parse(readFileSync(DEVELOPMENT, 'utf8')).devDependencies.typescript.replace('^', '')
}

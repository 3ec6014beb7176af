/**
 * Plants a canary in every place that runs of a project may write and where hermes, or a program it starts outside of a
 * sandbox, opens or looks for a file: in each way of installing it. Which places these are is traced by `strace` while
 * every verb and nearly every command is called. All are planted at once, and all calls are made again; then each is
 * planted in turn, with a few of the calls that looked there. None may run outside of a sandbox.
 *
 * Usage: node proj/trials/planting.mjs [--layouts LIST] [--by-hand] [--calls REGEXP] [--each N] [--paths N] [--group N]
 *        [--seconds N] [--seed N] [--jobs N] [--write]
 *   --by-hand   laid out as npm would, not installed by it: needs no registry
 *   --each N    calls that a canary is tried with in turn
 *   --paths N   canaries that are planted in turn, at most, in each layout
 *   --seconds N for these, in each layout
 *   --group N   of those that runs can write so many at once, and each alone only where one of them ran
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { installsOf, pack } from './planting/installs.mjs'
import { LayoutTrial } from './planting/layout-trial.mjs'
import { layOut } from './planting/layouts.mjs'
import { configure, startServers } from './planting/servers.mjs'
import { Stage } from './planting/stage.mjs'
import { randomFrom } from './random.mjs'

const RESULTS = new URL('./results/planting.json', import.meta.url)
const DEVELOPMENT = new URL('../package.json', import.meta.url)
const LAYOUTS = ['project', 'workspace', 'pnpm', 'npx', 'tools', 'global']
const ALWAYS_BY_HAND = ['pnpm', 'tools']

const { values } = parseArgs({ options: {
  layouts: { type: 'string', default: LAYOUTS.join(',') },
  'by-hand': { type: 'boolean', default: false },
  calls: { type: 'string', default: '.' },
  each: { type: 'string', default: '1' },
  paths: { type: 'string', default: 'Infinity' },
  group: { type: 'string', default: '10' },
  seconds: { type: 'string', default: '600' },
  seed: { type: 'string', default: '1' },
  jobs: { type: 'string', default: '2' },
  write: { type: 'boolean', default: false },
} })
const layouts = {}
const firedBy = []
const servers = await startServers()
const packed = values['by-hand'] ? undefined : pack()
try {
  const waiting = values.layouts.split(',')
  const work = async () => {
    for (let layout = waiting.shift(); layout !== undefined; layout = waiting.shift()) await tryLayout(layout)
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, work))
} finally {
  await servers.close()
  if (packed) rmSync(packed.directory, { recursive: true, force: true })
}
const figures = figuresSoFar()
console.log(JSON.stringify(figures, null, 2))
const isProven = Object.values(layouts).every(({ controls, ownPackage }) => (
  Object.values(controls).every(Boolean) && ownPackage.writableByRuns === 0
))
process.exitCode = firedBy.length === 0 && isProven ? 0 : 1

async function tryLayout(layout) {
  const isByHand = packed === undefined || ALWAYS_BY_HAND.includes(layout)
  const install = isByHand ? (directory) => layOut(layout, directory) : installsOf(packed.tarball, typescript())[layout]
  const stage = new Stage(install)
  try {
    configure(stage, servers.toolServer)
    const trial = new LayoutTrial(stage, {
      model: servers.model, only: new RegExp(values.calls), random: randomFrom(Number(values.seed)),
    })
    const counts = {
      each: Number(values.each), most: Number(values.paths), group: Number(values.group),
      seconds: Number(values.seconds),
    }
    const log = (text) => {
      if (values.write) console.error(`${layout}: ${text}`)
    }
    layouts[layout] = { installedBy: isByHand ? 'hand' : 'npm', ...await trial.run(counts, log) }
    firedBy.push(...trial.fired.map((one) => ({ layout, ...one })))
    if (values.write) {
      mkdirSync(new URL('./results/', import.meta.url), { recursive: true })
      writeFileSync(RESULTS, `${JSON.stringify(figuresSoFar(), null, 2)}\n`)
    }
  } finally {
    stage.remove()
  }
}

function figuresSoFar() {
  return {
    seed: Number(values.seed), each: Number(values.each),
    layouts: Object.fromEntries(LAYOUTS.filter((one) => one in layouts).map((one) => [one, layouts[one]])),
    fired: firedBy.length, firedBy,
  }
}

/** A version that the build pinned: the one that the development of hermes uses. */
function typescript() {
  return JSON.parse(readFileSync(DEVELOPMENT, 'utf8')).devDependencies.typescript.replace('^', '')
}

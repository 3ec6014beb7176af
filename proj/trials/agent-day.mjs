/**
 * A scripted day of work with the agent: `hermes chat` at a terminal and with `-q`, `hermes undo`, `cron`, `gateway`,
 * as processes in a real work tree, against a model on loopback that says what the script says. After each step files,
 * history, journal and what the model was sent have to be as expected. The day is played by calls of functions and by
 * blocks; of both the requests and bytes of a finished task are told.
 *
 * Usage: node proj/trials/agent-day.mjs [--steps N] [--seed N] [--only NAME,…] [--style native|blocks] [--show]
 *   [--write]
 *   --steps N   so many steps, chosen by the seed, in the order of the day; and one style
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { copySync, removeSync } from 'fs-extra/esm'
import { bundleEntry } from './bundle-entry.mjs'
import { randomFrom } from './random.mjs'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const RESULTS = new URL('./results/agent-day.json', import.meta.url)

const { values } = parseArgs({ options: {
  steps: { type: 'string' }, seed: { type: 'string', default: '1' }, only: { type: 'string' },
  style: { type: 'string' }, show: { type: 'boolean', default: false }, write: { type: 'boolean', default: false },
} })
const random = randomFrom(Number(values.seed))
const cache = join(PROJECT, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const built = mkdtempSync(join(cache, 'trial-'))
process.on('exit', () => removeSync(built))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
// A copy: a build in the meantime changes nothing of what is tried.
for (const name of ['dist', 'package.json']) copySync(join(PROJECT, name), join(built, name))

const { playDay, STEP_NAMES } = await import(await bundleEntry('agent-day/entry.ts', [/node-pty/]))
const chosen = values.only?.split(',') ?? chosenSteps()
const both = ['native', 'blocks']
const styles = values.style ? [values.style] : values.steps ? [both[random() < 0.5 ? 0 : 1]] : both
const days = {}
for (const style of styles) {
  days[style] = await playDay({
    cli: join(built, 'dist', 'cli.cjs'), style, dockerStandIn: join(PROJECT, 'proj/test/support/docker-stand-in.mjs'),
    takes: (name) => chosen.includes(name),
    tell: (line) => values.show && console.error(line),
  })
}
const wrong = Object.values(days).flatMap((day) => day.wrong)
for (const line of wrong) console.error(line)
const figures = {
  steps: chosen.length, checks: Object.values(days).reduce((sum, { checks }) => sum + checks, 0), wrong: wrong.length,
  days: Object.fromEntries(Object.entries(days).map(([style, day]) => [style, {
    ...perTask(day), steps: day.steps, ...(Object.keys(day.skipped).length > 0 && { skipped: day.skipped }),
  }])),
}
console.log(JSON.stringify(figures, null, 2))
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1

function chosenSteps() {
  const names = [...STEP_NAMES]
  const [first, ...rest] = names
  const most = values.steps === undefined ? rest.length : Number(values.steps) - 1
  const drawn = rest.map((name) => [random(), name]).sort(([one], [other]) => one - other).slice(0, most)
  return names.filter((name) => name === first || drawn.some(([, other]) => other === name))
}

function perTask({ tasks, requests, bytesSent, bytesReceived, tokensSent, tokensReceived }) {
  const each = (sum) => Math.round(sum / tasks)
  return {
    tasks, requestsPerTask: Number((requests / tasks).toFixed(2)), bytesSentPerTask: each(bytesSent),
    bytesReceivedPerTask: each(bytesReceived), tokensSentPerTask: each(tokensSent),
    tokensReceivedPerTask: each(tokensReceived),
  }
}

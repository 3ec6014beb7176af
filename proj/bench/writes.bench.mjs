/**
 * 1,000 `file_write` blocks, gate and journal on, against the bare loop that writes a temporary file and renames it.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Hermes } from '../../dist/index.js'
import { writeByHand } from './support/by-hand.mjs'
import { inRoot } from './support/in-root.mjs'
import { medians } from './support/rounds.mjs'
import { shamBlock } from './support/sham-block.mjs'

const WRITES = 1000
const CONTENT_BYTES = 4000

export default async function run() {
  return [
    ...await compare(`${WRITES} new files`, { rounds: 5, isNew: true, durable: false, target: '≤ 2×' }),
    ...await compare(`${WRITES} changed files`, { rounds: 5, isNew: false, durable: false, target: '≤ 2×' }),
    ...await compare(`${WRITES} new files, flushed`, { rounds: 2, isNew: true, durable: true, target: '≤ 2×' }),
  ]
}

async function compare(name, { rounds, isNew, durable, target }) {
  const inPlace = act => inRoot(root => {
    mkdirSync(join(root, 'src'))
    if (!isNew) byHand(root, contents('old'), false)
    return act(root)
  })
  const { hermes, hand } = await medians({
    hermes: () => inPlace(root => byHermes(root, durable)),
    hand: () => inPlace(root => byHand(root, contents('new'), durable)),
  }, rounds)
  return [{ name, value: hermes, unit: 'ms', against: hand, target }]
}

/** What the run of an answer takes, its reading included. */
async function byHermes(root, durable) {
  const answer = contents('new')
    .map((content, number) => shamBlock(number, 'file_write', { path: nameOf(number), content })).join('\n')
  const hermes = new Hermes({ root, relativePaths: true, gitCommit: false, durable })
  const started = performance.now()
  const result = await hermes.execute(answer)
  const time = performance.now() - started
  if (!result.success || result.executedActions !== WRITES) throw new Error(JSON.stringify(result).slice(0, 1000))
  return time
}

function byHand(root, all, flushes) {
  const started = performance.now()
  for (const [number, content] of all.entries()) writeByHand(join(root, nameOf(number)), content, flushes)
  return performance.now() - started
}

function contents(version) {
  return Array.from({ length: WRITES }, (_, number) =>
    `line of file ${number} in version ${version}\n`.repeat(CONTENT_BYTES / 40))
}

function nameOf(number) {
  return `src/file${number}.txt`
}

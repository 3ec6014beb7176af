/** A run of 200 writes as one unit against the same writes and one commit by hand; its journal against bare writes. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Hermes } from '../../dist/index.js'
import { writeByHand } from './support/by-hand.mjs'
import { inRoot } from './support/in-root.mjs'
import { writeWithJournal } from './support/journal-by-hand.mjs'
import { medians } from './support/rounds.mjs'
import { shamBlock } from './support/sham-block.mjs'

const WRITES = 200
const RUNS = 11
const CONTENT_BYTES = 4000

Object.assign(process.env, {
  GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org',
})

export default async function run() {
  return [
    await compare(`${WRITES} new files with commit`, { git: true, isNew: true, target: '≤ 1.5×' }),
    await compare(`${WRITES} changed files with commit`, { git: true, isNew: false, target: '≤ 1.5×' }),
    await compare(`${WRITES} new files, journal without git`, { git: false, isNew: true, target: '≤ 2×' }),
    await compare(`${WRITES} changed files, journal without git`, { git: false, isNew: false, target: '≤ 2×' }),
    ...await bothFlushed(),
    ...(process.platform === 'linux' ? [await floor()] : []),
  ]
}

async function bothFlushed() {
  const rows = []
  for (const git of [true, false]) {
    for (const isNew of [true, false]) {
      const what = `${isNew ? 'new' : 'changed'} files${git ? ' with commit' : ', journal without git'}`
      const target = git ? '≤ 1.5×' : '≤ 2×'
      rows.push(await compare(`${WRITES} ${what}, both flushed`, { git, isNew, flushes: true, target }))
    }
  }
  return rows
}

/** What no journal can do without, in a loop that reads, checks and reports nothing. */
async function floor() {
  const { least, hand } = await medians({
    hand: () => inTree(false, true, root => byHand(root, {})),
    least: () => inTree(false, true, root => {
      const files = contents().map((content, number) => [basename(nameOf(number)), content])
      const started = performance.now()
      writeWithJournal(join(root, 'src'), files, root)
      return performance.now() - started
    }),
  }, RUNS)
  return { name: `${WRITES} new files, a journal's system calls alone`, value: least, unit: 'ms', against: hand }
}

/** Both in turn, each round in fresh directories; the first warms up. */
async function compare(name, { git, isNew, flushes = false, target }) {
  const { hermes, hand } = await medians({
    hand: () => inTree(git, isNew, root => byHand(root, { git, flushes })),
    hermes: () => inTree(git, isNew, root => byHermes(root, { git, flushes })),
  }, RUNS)
  return { name, value: hermes, unit: 'ms', against: hand, target }
}

function inTree(git, isNew, act) {
  return inRoot(root => {
    mkdirSync(join(root, 'src'))
    writeFileSync(join(root, 'README.md'), 'start\n')
    const old = isNew ? 0 : WRITES
    for (let number = 0; number < old; number++) writeFileSync(join(root, nameOf(number)), contentOf(number, 'old'))
    const commands = git ? [['init', '-q'], ['add', '--all'], ['commit', '-qm', 'start']] : []
    for (const args of commands) execFileSync('git', args, { cwd: root })
    return act(root)
  })
}

/** What the run of an answer takes, its reading included. */
async function byHermes(root, { git, flushes }) {
  const answer = contents().map((content, number) => shamBlock(number, 'file_write', { path: nameOf(number), content }))
    .join('\n')
  const hermes = new Hermes({ root, relativePaths: true, durable: flushes, ...(!git && { gitCommit: false }) })
  const started = performance.now()
  const result = await hermes.execute(answer)
  const time = performance.now() - started
  if (!result.success || (git && result.gitCommit === undefined)) throw new Error(JSON.stringify(result).slice(0, 1000))
  return time
}

function byHand(root, { git = false, flushes = false }) {
  const all = contents()
  const started = performance.now()
  for (const [number, content] of all.entries()) writeByHand(join(root, nameOf(number)), content, flushes)
  if (git) {
    execFileSync('git', ['add', '--all'], { cwd: root })
    execFileSync('git', ['commit', '-qm', 'by hand'], { cwd: root })
  }
  return performance.now() - started
}

function contents() {
  return Array.from({ length: WRITES }, (_, number) => contentOf(number, 'new'))
}

function nameOf(number) {
  return `src/file${number}.txt`
}

function contentOf(number, version) {
  return `line of file ${number} in version ${version}\n`.repeat(CONTENT_BYTES / 40)
}

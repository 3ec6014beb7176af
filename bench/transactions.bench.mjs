/** A run of 200 writes as one unit against the same writes and one commit by hand; its journal against bare writes. */
import { execFileSync } from 'node:child_process'
import {
  closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, renameSync, rmSync, writeFileSync, writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hermes } from '../dist/index.js'

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
  ]
}

/** Both in turn, each round in fresh directories; the first warms up. */
async function compare(name, { git, isNew, target }) {
  const [ours, theirs] = [[], []]
  for (let round = 0; round <= RUNS; round++) {
    theirs.push(await inRoot(git, isNew, root => byHand(root, git, round)))
    ours.push(await inRoot(git, isNew, root => byHermes(root, git, round)))
  }
  return { name, value: median(ours.slice(1)), unit: 'ms', against: median(theirs.slice(1)), target }
}

async function inRoot(git, isNew, act) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-bench-')))
  try {
    mkdirSync(join(root, 'src'))
    writeFileSync(join(root, 'README.md'), 'start\n')
    const old = isNew ? 0 : WRITES
    for (let number = 0; number < old; number++) writeFileSync(join(root, nameOf(number)), contentOf(number, 'old'))
    const commands = git ? [['init', '-q'], ['add', '--all'], ['commit', '-qm', 'start']] : []
    for (const args of commands) execFileSync('git', args, { cwd: root })
    return await act(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** What the run of an answer takes, its reading included. */
async function byHermes(root, git, round) {
  const answer = Array.from({ length: WRITES }, (_, number) => block(number, contentOf(number, round))).join('\n')
  const hermes = new Hermes({ root, relativePaths: true, ...(!git && { gitCommit: false }) })
  const started = performance.now()
  const result = await hermes.execute(answer)
  const time = performance.now() - started
  if (!result.success || (git && result.gitCommit === undefined)) throw new Error(JSON.stringify(result).slice(0, 1000))
  return time
}

function byHand(root, git, round) {
  const contents = Array.from({ length: WRITES }, (_, number) => contentOf(number, round))
  const started = performance.now()
  for (const [number, content] of contents.entries()) {
    const path = join(root, nameOf(number))
    const temp = `${path}.tmp`
    const fd = openSync(temp, 'wx')
    writeSync(fd, content)
    closeSync(fd)
    renameSync(temp, path)
  }
  if (git) {
    execFileSync('git', ['add', '--all'], { cwd: root })
    execFileSync('git', ['commit', '-qm', 'by hand'], { cwd: root })
  }
  return performance.now() - started
}

function nameOf(number) {
  return `src/file${number}.txt`
}

function contentOf(number, version) {
  return `line of file ${number} in version ${version}\n`.repeat(CONTENT_BYTES / 40)
}

function block(number, content) {
  const id = number.toString(36).padStart(3, '0')
  return [
    `#!SHAM [@three-char-SHA-256: ${id}]`, 'action = "file_write"', `path = "${nameOf(number)}"`,
    `content = <<'EOT_SHAM_${id}'`, content, `EOT_SHAM_${id}`, `#!END_SHAM_${id}`, '',
  ].join('\n')
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

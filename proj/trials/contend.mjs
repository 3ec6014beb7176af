/**
 * Two processes apply to one root at once. Both must complete, or one must say that the other is at work and have done
 * nothing; what they write is never interleaved and no update is lost.
 *
 * Usage: node proj/trials/contend.mjs [--runs N] [--seed N] [--seconds N] [--write]
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { GIT_ENVIRONMENT } from './git-environment.mjs'
import { randomFrom } from './random.mjs'

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const RESULTS = new URL('./results/contend.json', import.meta.url)
/** Files that both write whole; each run also adds a line to one more. */
const SHARED = Array.from({ length: 40 }, (_, number) => `shared/${number}.txt`)

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '3600' },
    write: { type: 'boolean', default: false },
  },
})
const random = randomFrom(Number(values.seed))
const deadline = performance.now() + Number(values.seconds) * 1000
const figures = {
  seed: Number(values.seed),
  blocks: SHARED.length + 1,
  waiting: { trials: 0, bothCompleted: 0 },
  notWaiting: { trials: 0, bothCompleted: 0, oneSaidWhy: 0 },
  interleaved: 0,
  lostUpdates: 0,
  unexplained: 0,
  fsckFailed: 0,
  leftLocks: 0,
}

for (let run = 0; run < Number(values.runs) && performance.now() < deadline; run++) {
  await trial(run, figures.waiting, ['--wait', '10'])
  await trial(run, figures.notWaiting, [])
}
console.log(JSON.stringify(figures, null, 2))
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
const failures =
  figures.interleaved + figures.lostUpdates + figures.unexplained + figures.fsckFailed + figures.leftLocks
process.exitCode =
  failures === 0 && figures.waiting.bothCompleted === figures.waiting.trials && figures.waiting.trials > 0 ? 0 : 1

async function trial(run, counts, flags) {
  counts.trials++
  const hasGit = run % 2 === 0
  const root = mkdtempSync(join(tmpdir(), 'hermes-contend-'))
  try {
    writeFileSync(join(root, 'lines.txt'), 'start\n')
    if (hasGit)
      for (const args of [
        ['init', '-q'],
        ['add', '--all'],
        ['commit', '-qm', 'start'],
      ])
        execFileSync('git', args, { cwd: root, env: GIT_ENVIRONMENT })
    const lag = random() * 60
    const outcomes = await Promise.all([apply(root, 'A', flags), sleep(lag).then(() => apply(root, 'B', flags))])
    judge(run, root, outcomes, counts)
    if (hasGit) judgeHistory(run, root, outcomes)
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function apply(root, name, flags) {
  const child = spawn(process.execPath, [CLI, 'apply', '-', '--relative-paths', '--json', ...flags], {
    cwd: root,
    env: GIT_ENVIRONMENT,
  })
  child.stdin.end(answerOf(name))
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((done) => child.once('close', done)),
  ])
  return { name, status, stderr, result: JSON.parse(stdout) }
}

function judge(run, root, outcomes, counts) {
  const completed = outcomes.filter(({ status }) => status === 0)
  const refused = outcomes.filter(
    ({ status, result }) =>
      status === 2
      && result.fatalError.startsWith('Another run works in this root')
      && result.results.every(({ success }) => !success),
  )
  if (completed.length === 2) counts.bothCompleted++
  else if (completed.length === 1 && refused.length === 1 && 'oneSaidWhy' in counts) counts.oneSaidWhy++
  else
    fail(
      'unexplained',
      run,
      outcomes.map(({ status, stderr, result }) => `${status} ${stderr} ${result.fatalError}`).join(' | '),
    )
  const marks = new Set(SHARED.map((path) => readFileSync(join(root, path), 'utf8')))
  if (marks.size !== 1) fail('interleaved', run, [...marks].join(' and '))
  const lines = readFileSync(join(root, 'lines.txt'), 'utf8').trim().split('\n').sort().join(' ')
  const expected = [...completed.map(({ name }) => name), 'start'].sort().join(' ')
  if (lines !== expected) fail('lostUpdates', run, `${lines} instead of ${expected}`)
  if (existsSync(join(root, '.hermes/lock'))) fail('leftLocks', run, readdirSync(join(root, '.hermes')).join(' '))
}

/** Each commit holds one run whole. */
function judgeHistory(run, root, outcomes) {
  const git = (...args) =>
    execFileSync('git', args, {
      cwd: root, env: GIT_ENVIRONMENT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
    })
  try {
    git('fsck', '--strict')
  } catch {
    fail('fsckFailed', run, 'git fsck')
  }
  const commits = git('rev-list', 'HEAD').trim().split('\n').slice(0, -1)
  if (commits.length !== outcomes.filter(({ status }) => status === 0).length)
    fail('lostUpdates', run, `${commits.length} commits`)
  for (const commit of commits) {
    const objects = new Set(
      git('ls-tree', '-r', commit, 'shared/')
        .trim()
        .split('\n')
        .map((line) => line.split(/\s/)[2]),
    )
    if (objects.size !== 1) fail('interleaved', run, `commit ${commit}`)
  }
  if (git('status', '--porcelain').trim() !== '') fail('lostUpdates', run, 'not all is committed')
}

function fail(what, run, reason) {
  figures[what]++
  console.error(`trial ${run}: ${what}: ${reason}`)
}

function answerOf(name) {
  const blocks = SHARED.map((path) => ({ action: 'file_write', path, content: name.repeat(2000) }))
  blocks.splice(SHARED.length >> 1, 0, { action: 'file_append', path: 'lines.txt', content: `${name}\n` })
  return blocks
    .map((fields, number) => {
      const id = `${name.toLowerCase()}${number}`
      const lines = Object.entries(fields).map(([key, value]) =>
        value.includes('\n') ? `${key} = <<'EOT_SHAM_${id}'\n${value}\nEOT_SHAM_${id}` : `${key} = "${value}"`,
      )
      return `#!SHAM [@three-char-SHA-256: ${id}]\n${lines.join('\n')}\n#!END_SHAM_${id}\n`
    })
    .join('\n')
}

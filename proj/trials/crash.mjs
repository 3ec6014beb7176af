/**
 * Kills runs with SIGKILL at random moments and recovers them: while they write, while a command of theirs runs, while
 * git commits. After each kill every file must be wholly old or wholly new, and `hermes recover` must end what still
 * runs and either put back the tree bit for bit or complete the run, so that undo puts it back. `git fsck` must be
 * clean, nothing may be left in the way, and the next run must work.
 *
 * Usage: node proj/trials/crash.mjs [--runs N] [--jobs N] [--seed N] [--seconds N] [--write]; runs that end before they
 * are killed are repeated.
 */
import { execFileSync, spawn } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { outputFileSync } from 'fs-extra/esm'
import { GIT_ENVIRONMENT } from './git-environment.mjs'
import { randomFrom } from './random.mjs'

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const RESULTS = new URL('./results/crash.json', import.meta.url)
const BLOCKS = 200
/** What is committed, dirty or run, each time another mixture. */
const KINDS = [
  { name: 'git', hasGit: true },
  { name: 'dirty', hasGit: true, isDirty: true },
  { name: 'command', hasGit: true, hasCommand: true },
  { name: 'no git', hasGit: false },
  { name: 'durable', hasGit: false, isDurable: true },
]
/** Where the kill is aimed at; the moment within is random. */
const AIMS = {
  git: ['writing', 'git', 'git', 'any'],
  dirty: ['writing', 'git', 'git', 'any'],
  command: ['command', 'command', 'git', 'writing'],
  'no git': ['writing', 'writing', 'any'],
  durable: ['writing', 'writing', 'any'],
}

/** Also changes what a verb has changed before it, and would go on for long when nobody ended it. */
const COMMAND = [
  'echo changed >> cmd/old.txt; rm cmd/gone.txt; mkdir cmd/made; echo new > cmd/made/new.txt',
  '(for i in $(seq 2000); do echo $i >> cmd/growing.txt; sleep 0.01; done) &',
  'for i in 1 2 3 4 5 6 7 8; do echo $i >> cmd/made/more.txt; sleep 0.02; done',
].join('\n')

/** Steps of a commit as they show in git's directory. */
const GIT_STEPS = [
  () => true,
  (names) => names.some((name) => name.startsWith('hermes-index-')),
  (names) => names.some((name) => name === 'index.lock'),
  (names) => names.some((name) => /^hermes-index-.*\.lock$/.test(name)),
  (names, root, head) =>
    contentOf(join(root, '.git', 'COMMIT_EDITMSG'))?.includes('Hermes-Run') === true || headOf(root) !== head,
  (names, root, head) => headOf(root) !== head,
  (names, root, head) => headOf(root) !== head && !names.includes('index.lock'),
]

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    jobs: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '3600' },
    write: { type: 'boolean', default: false },
  },
})
const deadline = performance.now() + Number(values.seconds) * 1000
const figures = {
  seed: Number(values.seed),
  blocks: BLOCKS,
  runs: 0,
  kills: 0,
  killedIn: {},
  kinds: {},
  restored: 0,
  completed: 0,
  processesEnded: 0,
  finishedBefore: 0,
  torn: 0,
  fsckFailed: 0,
  blocked: 0,
  unrecovered: 0,
}

const lengths = {}
for (const kind of KINDS) lengths[kind.name] = await measure(kind)
let runs = 0
await Promise.all(
  Array.from({ length: Number(values.jobs) }, async () => {
    while (figures.kills < Number(values.runs) && performance.now() < deadline) await trial(runs++)
  }),
)
console.log(JSON.stringify(figures, null, 2))
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
const failures = figures.torn + figures.fsckFailed + figures.blocked + figures.unrecovered
process.exitCode = failures === 0 && figures.kills > 0 ? 0 : 1

/** How long an undisturbed run takes, in milliseconds, and how much its journal holds when git is asked to commit. */
async function measure(kind) {
  const { root } = prepare(0, kind, randomFrom(0))
  const started = performance.now()
  await new Promise((resolve) => start(root, 'measure', kind).once('exit', resolve))
  const length = performance.now() - started
  const log = contentOf(join(root, '.hermes', 'journal', journalOf(root), 'log.jsonl'))
  const end = log.search(kind.hasCommand ? /^\{"op":"command"/m : /^\{"op":"(?:commit|end)"/m)
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  return { length, logSize: end }
}

async function trial(run) {
  const kind = KINDS[run % KINDS.length]
  const random = randomFrom(Number(values.seed) * 100_003 + run)
  figures.runs++
  const { root, versions } = prepare(run, kind, random)
  try {
    const before = treeOf(root)
    const dirty = kind.hasGit ? await dirtyIn(root) : []
    if (!(await killAtRandom(root, run, kind, random))) {
      figures.finishedBefore++
      return
    }
    figures.kills++
    figures.kinds[kind.name] = (figures.kinds[kind.name] ?? 0) + 1
    const phase = phaseOf(root)
    figures.killedIn[phase] = (figures.killedIn[phase] ?? 0) + 1
    for (const path of Object.keys(versions)) {
      const content = contentOf(join(root, path))
      if (content === undefined || versions[path].includes(content)) continue
      figures.torn++
      console.error(`run ${run}: ${path} is neither old nor new`)
    }
    await recoverAndCheck({ root, run, kind, phase, restore: random() < 0.5 }, before, dirty)
  } finally {
    for (const pid of processesOf(run)) kill(pid)
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function recoverAndCheck({ root, run, kind, phase, restore }, before, dirty) {
  const fail = (reason) => {
    figures.unrecovered++
    console.error(`run ${run} (${kind.name}, ${phase}): ${reason}`)
  }
  const wasOpen = phase !== 'before' && phase !== 'ended'
  // Nobody else works here: what a command wrote after hermes died is the run's, too.
  const recovery = await hermes(root, ['recover', ...(restore ? ['--restore', '--force'] : []), '--json'])
  if (recovery.status !== 0) return fail(`recover: ${recovery.stderr}${recovery.stdout}`)
  const { ended = [], warnings = [] } = JSON.parse(recovery.stdout)
  figures.processesEnded += ended.length
  // What the command wrote after hermes died, or after its commit, may be anybody's: it is named, and stays.
  const isLater = (warning) => /^Changed after the (?:run died|commit of the run),/.test(warning)
  const later = warnings.filter(isLater).join(' ')
  if (warnings.some((warning) => warning.includes('.lock'))) return fail(warnings.join(' | '))
  const left = processesOf(run)
  if (left.length > 0) return fail(`processes ${left.join(' ')} still run`)
  const tree = treeOf(root)
  if (phase === 'before' || (restore && wasOpen)) {
    if (phase !== 'before') figures.restored++
    const differing = difference(before, tree)
    if (differing.length > 0) return fail(`the tree is not as before: ${differing.slice(0, 5).join(', ')}`)
  } else if (wasOpen) figures.completed++
  const litter = [...Object.keys(tree), ...namesBelow(join(root, '.git')), ...namesBelow(join(root, '.hermes'))].filter(
    (name) => /\.hermes-tmp-|hermes-(?:index|next|snapshot)-|\.lock$|^lock/.test(name),
  )
  if (litter.length > 0) return fail(`left behind: ${litter.join(', ')}`)
  if (kind.hasGit) {
    const fsck = await outcomeOf('git', ['fsck', '--strict', '--no-dangling'], root)
    if (fsck.status !== 0) {
      figures.fsckFailed++
      console.error(`run ${run}: git fsck: ${fsck.stderr}`)
    }
    // What was dirty before and the run did not come to is still so.
    const open = (await dirtyIn(root)).filter(
      (path) => !later.includes(path) && (!dirty.includes(path) || tree[path] !== before[path]),
    )
    if (!restore && wasOpen && open.length > 0) return fail(`not all was committed: ${open.slice(0, 5).join(', ')}`)
  }
  if (!restore && wasOpen && difference(before, tree).length > 0) {
    const undo = await undoFor(root, later)
    const differing = difference(before, treeOf(root)).filter((path) => !later.includes(path))
    if (undo.status !== 0 || differing.length > 0)
      return fail(`undo of the completed run: ${undo.stdout}${undo.stderr} ${differing.slice(0, 5).join(', ')}`)
  }
  const next = await hermes(
    root,
    ['apply', '-', '--relative-paths', '--json'],
    block(999, 'file_write', { path: 'next.txt', content: 'next\n' }),
  )
  if (next.status === 0) return undefined
  figures.blocked++
  console.error(`run ${run}: the next run does not work: ${next.stdout.slice(0, 500)}${next.stderr}`)
  return undefined
}

/**
 * @param later what recovery named as changed after the run died: undo may stop at these alone, and keeps them if
 *   forced
 */
async function undoFor(root, later) {
  const undo = await hermes(root, ['undo', '--json'])
  const { code, data } = JSON.parse(undo.stdout)
  if (code !== 'CHANGED_ON_DISK' || !data.paths.every((path) => later.includes(path))) return undo
  const forced = await hermes(root, ['undo', '--force', '--json'])
  const { kept = [], merged = [], left = [{}] } = JSON.parse(forced.stdout)
  const isDone = left.length === 0 && [...kept, ...merged].every(({ path }) => later.includes(path))
  return { ...forced, status: isDone ? 0 : forced.status }
}

/** Paths that differ from what is committed, or are not tracked. */
async function dirtyIn(root) {
  const { stdout } = await outcomeOf(
    'git',
    ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'],
    root,
  )
  return stdout
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))
}

function hermes(root, args, input = '') {
  return outcomeOf(process.execPath, [CLI, ...args], root, input)
}

async function outcomeOf(file, args, cwd, input = '') {
  const child = spawn(file, args, { cwd, env: GIT_ENVIRONMENT })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((done) => child.once('close', done)),
  ])
  return { stdout, stderr, status }
}

function start(root, run, { isDurable = false }) {
  const env = { ...GIT_ENVIRONMENT, HERMES_TRIAL: `${process.pid}-${run}` }
  const flags = ['--relative-paths', '--yes', ...(isDurable ? ['--durable'] : [])]
  return spawn(process.execPath, [CLI, 'apply', 'answer.md', ...flags], {
    cwd: root,
    env,
    stdio: 'ignore',
    detached: true,
  })
}

/** @returns false when the run ended before */
async function killAtRandom(root, run, kind, random) {
  const aims = AIMS[kind.name]
  const isReached = moment(aims[Math.floor(random() * aims.length)], root, kind, random)
  const pause = random() < 0.5 ? 0 : random() * 12
  const isAlone = random() < 0.5
  const child = start(root, run, kind)
  let signal
  const ended = new Promise((resolve) => child.once('exit', (_, by) => resolve((signal = by ?? 'none'))))
  while (!journalOf(root) && signal === undefined && !isReached()) await sleep(1)
  while (signal === undefined && !isReached()) await nextTurn()
  if (pause > 0) await Promise.race([sleep(pause), ended])
  if (signal !== undefined) return false
  // Alone, so that its git and its commands go on; or with all that belong to it.
  kill(child.pid)
  if (!isAlone) for (const pid of processesOf(run)) kill(pid)
  await ended
  await sleep(random() * 50)
  return signal === 'SIGKILL'
}

/** @returns whether a random moment of that part of the run has come */
function moment(aim, root, kind, random) {
  const { length, logSize } = lengths[kind.name]
  const fraction = random()
  const begun = performance.now()
  if (aim === 'any') return () => performance.now() - begun > fraction * length
  if (aim === 'writing')
    return () => sizeOf(join(root, '.hermes', 'journal', journalOf(root) ?? '', 'log.jsonl')) > fraction * logSize
  if (aim === 'command') {
    let since
    return () => {
      if (contentOf(join(root, 'cmd', 'made', 'new.txt')) === undefined) return false
      since ??= performance.now()
      return performance.now() - since > fraction * 160
    }
  }
  const head = headOf(root)
  const step = GIT_STEPS[Math.floor(fraction * GIT_STEPS.length)]
  return () => phaseOf(root) === 'git' && step(readdirSync(join(root, '.git')), root, head)
}

function headOf(root) {
  return ['main', 'master'].map((name) => contentOf(join(root, '.git', 'refs', 'heads', name))).join('')
}

function sizeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function journalOf(root) {
  return ifThere(() =>
    readdirSync(join(root, '.hermes', 'journal'))
      .sort()
      .at(-1),
  )
}

/** Linux only; elsewhere commands and git live on. */
function processesOf(run) {
  const mark = `HERMES_TRIAL=${process.pid}-${run}\0`
  const names = ifThere(() => readdirSync('/proc')) ?? []
  return names.filter((name) => /^\d+$/.test(name) && contentOf(`/proc/${name}/environ`)?.includes(mark)).map(Number)
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** How far the run has come, as its journal tells. */
function phaseOf(root) {
  const id = journalOf(root)
  const log = id && contentOf(join(root, '.hermes', 'journal', id, 'log.jsonl'))
  if (!log?.includes('\n')) return 'before'
  for (const [op, phase] of [
    ['end', 'ended'],
    ['commit', 'git'],
    ['command', 'command'],
  ])
    if (log.includes(`\n{"op":"${op}"`)) return phase
  return 'writing'
}

function contentOf(path) {
  return ifThere(() => readFileSync(path, 'utf8'))
}

function ifThere(read) {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ESRCH'].includes(error.code)) return undefined
    throw error
  }
}

/** A root with an answer of blocks of every kind, and what each file may hold that no command changes. */
function prepare(run, { hasGit, isDirty = false, hasCommand = false, isDurable = false }, random) {
  const root = mkdtempSync(join(tmpdir(), 'hermes-crash-'))
  const versions = {}
  const put = (path, content) => {
    outputFileSync(join(root, path), content)
    versions[path] = [content]
  }
  const blocks = []
  const words = (name, version) => `${name} ${version} ${run}\n`.repeat(20 + Math.floor(random() * 200))
  const dirty = []
  for (let number = 0; number < BLOCKS; number++) {
    const path = `dir${number % 7}/file${number}.txt`
    const [old, next] = [words(path, 'old'), words(path, 'new')]
    // Of a durable run, writes in a row are made together.
    const kind = isDurable ? Math.floor(number / 40) : number % 5
    if (kind !== 0) put(path, old)
    if (isDirty && number % 11 === 3) dirty.push([path, kind === 0 ? old : `mine\n${old}`])
    if (hasCommand && number === BLOCKS / 2) {
      blocks.push(block(number, 'exec', { lang: 'bash', code: COMMAND }))
    } else if (hasCommand && (number === 10 || number === BLOCKS - 10)) {
      blocks.push(block(number, 'file_write', { path: 'cmd/old.txt', content: `verb ${number}\n` }))
    } else if (kind <= 1) {
      versions[path] = [...(versions[path] ?? []), next]
      blocks.push(block(number, 'file_write', { path, content: next }))
    } else if (kind === 2) {
      versions[path] = [old, `${old}added\n`, `mine\n${old}added\n`]
      blocks.push(block(number, 'file_append', { path, content: 'added\n' }))
    } else if (kind === 3) {
      blocks.push(block(number, 'file_delete', { path }))
    } else {
      versions[`moved/${number}.txt`] = [old, `mine\n${old}`]
      blocks.push(block(number, 'file_move', { old_path: path, new_path: `moved/${number}.txt` }))
    }
  }
  for (const name of hasCommand ? ['growing', 'old', 'gone'] : []) {
    mkdirSync(join(root, 'cmd'), { recursive: true })
    writeFileSync(join(root, 'cmd', `${name}.txt`), `${name}\n`)
  }
  writeFileSync(join(root, 'answer.md'), blocks.join('\n'))
  if (hasGit) {
    for (const args of [
      ['init', '--quiet'],
      ['add', '--all'],
      ['commit', '--quiet', '-m', 'start'],
    ])
      execFileSync('git', args, { cwd: root, env: GIT_ENVIRONMENT })
  }
  for (const [path, content] of dirty) {
    writeFileSync(join(root, path), content)
    versions[path] = [content, ...(versions[path] ?? [])]
  }
  return { root, versions }
}

function block(number, action, params) {
  const id = number.toString(36).padStart(3, '0')
  const lines = Object.entries(params).map(([name, value]) =>
    value.includes('\n') ? `${name} = <<'EOT_SHAM_${id}'\n${value}\nEOT_SHAM_${id}` : `${name} = "${value}"`,
  )
  return [`#!SHAM [@three-char-SHA-256: ${id}]`, `action = "${action}"`, ...lines, `#!END_SHAM_${id}`, ''].join('\n')
}

/** Modes and contents by path, but git's and hermes' own. */
function treeOf(root) {
  const found = {}
  const visit = (below) => {
    for (const name of readdirSync(join(root, below)).sort()) {
      if (below === '' && (name === '.git' || name === '.hermes')) continue
      const path = below === '' ? name : `${below}/${name}`
      const { mode } = statSync(join(root, path))
      if (lstatSync(join(root, path)).isDirectory()) {
        found[path] = `directory ${mode.toString(8)}`
        visit(path)
      } else found[path] = `${mode.toString(8)} ${readFileSync(join(root, path), 'utf8')}`
    }
  }
  visit('')
  return found
}

function difference(left, right) {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].filter((path) => left[path] !== right[path])
}

function namesBelow(directory) {
  return ifThere(() => readdirSync(directory, { recursive: true, encoding: 'utf8' })) ?? []
}

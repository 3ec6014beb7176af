/**
 * `hermes watch` of a folder while answers are saved in every way there is (in pieces, by rename, as a download,
 * deleted and made again, saved again unchanged, copied), and while it is killed and started again. Each answer must
 * run exactly once, but for those whose run was killed half-way and then kept by `hermes recover`: these must not run
 * again.
 *
 * Usage: node proj/trials/watch.mjs [--answers N] [--seed N] [--seconds N] [--write]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync,
  renameSync, rmSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { removeSync } from 'fs-extra/esm'
import { randomFrom } from './random.mjs'

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const RESULTS = new URL('./results/watch.json', import.meta.url)
const SAVES = ['whole', 'pieces', 'rename', 'download', 'again', 'copy', 'unchanged']

const { values } = parseArgs({
  options: {
    answers: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '3600' },
    write: { type: 'boolean', default: false },
  },
})
const random = randomFrom(Number(values.seed))
const deadline = performance.now() + Number(values.seconds) * 1000
const figures = {
  seed: Number(values.seed), answers: 0, saves: Object.fromEntries(SAVES.map((name) => [name, 0])),
  kills: 0, killedInRun: 0, restored: 0, keptHalf: 0, ranTwice: 0, neverRan: 0, summariesRun: 0,
}

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-watch-')))
process.on('exit', () => removeSync(directory))
const [root, inbox] = [join(directory, 'root'), join(directory, 'inbox')]
mkdirSync(root)
mkdirSync(inbox)
/** Numbers of answers whose run was kept half-way, as the watch said. */
const kept = new Set()
/** Why a watch has ended that nobody killed. */
let failure
let watch = start()
try {
  for (let number = 0; number < Number(values.answers) && performance.now() < deadline; number++) {
    if (failure) throw failure
    figures.answers++
    await save(number)
    if (random() < 0.25) await killAndRestart(number)
    else if (random() < 0.5) await sleep(random() * 120)
  }
  await settled()
} finally {
  watch.child.kill('SIGKILL')
  await watch.ended.catch(() => undefined)
}
if (failure) throw failure
for (let number = 0; number < figures.answers; number++) {
  const count = runsOf(number)
  if (count > 1) figures.ranTwice++
  if (count === 0 && !kept.has(number)) figures.neverRan++
}
figures.keptHalf = kept.size
// What a summary would do if it were read: there is none of these.
figures.summariesRun = readdirSync(inbox).filter((name) => name.endsWith('.hermes.md.hermes.md')).length
console.log(JSON.stringify(figures, null, 2))
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
process.exitCode = figures.ranTwice + figures.neverRan + figures.summariesRun === 0 ? 0 : 1

function start() {
  const flags = ['--root', root, '--root-alias', '/w', '--existing', '--no-git', '--sandbox', 'none', '--quiet', '0.05']
  const child = spawn(process.execPath, [CLI, 'watch', inbox, ...flags], {
    cwd: directory, env: { PATH: process.env.PATH, HOME: directory },
  })
  const note = (said) => {
    for (const [, number] of said.matchAll(/(\d+)\.md: its run \S+ was cut short/g)) kept.add(Number(number))
  }
  child.stdout.resume()
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    said = `${said}${piece}`.slice(-2000)
    note(piece)
  })
  const ended = new Promise((resolve, reject) => {
    // Without it nothing would come any more, and that would be waited for.
    child.once('close', (code, signal) => (signal === 'SIGKILL' ? resolve() : reject(
      new Error(`The watch ended by itself (${code ?? signal}): ${said}`),
    )))
  })
  ended.catch((error) => {
    failure ??= error
  })
  return { child, ended }
}

async function save(number) {
  const file = join(inbox, `${number}.md`)
  const content = answer(number)
  const how = SAVES[Math.floor(random() * SAVES.length)]
  figures.saves[how]++
  if (how === 'pieces') {
    // Each piece ends inside of a block, so that it can be seen that the text goes on, however slow the writer is.
    const ends = [content.indexOf('begin ') + 3, content.indexOf('\nend ') + 3, content.length]
    for (const [at, end] of ends.entries()) {
      appendFileSync(file, content.slice(ends[at - 1] ?? 0, end))
      await sleep(random() * 150)
    }
  } else if (how === 'rename') {
    writeFileSync(`${file}.tmp`, content)
    renameSync(`${file}.tmp`, file)
  } else if (how === 'download') {
    writeFileSync(file, '')
    writeFileSync(`${file}.part`, content.slice(0, content.length / 2))
    await sleep(random() * 90)
    appendFileSync(`${file}.part`, content.slice(content.length / 2))
    renameSync(`${file}.part`, file)
  } else writeFileSync(file, content)
  if (how === 'again') {
    await sleep(random() * 90)
    rmSync(file)
    writeFileSync(file, content)
  }
  if (how === 'copy') copyFileSync(file, join(inbox, `copy of ${number}.md`))
  if (how === 'unchanged') {
    const other = join(inbox, `${Math.floor(random() * (number + 1))}.md`)
    copyFileSync(other, `${other}.tmp`)
    renameSync(`${other}.tmp`, other)
  }
}

/** Two blocks that add a line each, and one that takes some time between them: long enough to be killed in. */
function answer(number) {
  const add = (id, line) => `#!SHAM [@three-char-SHA-256: ${id}]\naction = "file_append"\npath = "/w/log.txt"\ncontent `
    + `= <<'EOT_SHAM_${id}'\n${line}\n\nEOT_SHAM_${id}\n#!END_SHAM_${id}\n`
  const many = Array.from({ length: 1 + Math.floor(random() * 30) }, (_, at) => '#!SHAM [@three-char-SHA-256: '
    + `f${at}]\naction = "file_write"\npath = "/w/files/${at}.txt"\ncontent = "${number}"\n#!END_SHAM_f${at}\n`)
  return `Answer ${number}.\n\n${add('one', `begin ${number}`)}\n${many.join('\n')}\n${add('two', `end ${number}`)}`
}

/** Half of the time in the middle of a run, which is found by what it has written. */
async function killAndRestart(number) {
  if (random() < 0.5) await sleep(random() * 250)
  else {
    // So that the watch keeps up, too, on a machine that has much to do.
    const latest = performance.now() + 20_000
    while (performance.now() < latest && !failure && !logLines().includes(`begin ${number}`)) await sleep(1)
  }
  figures.kills++
  watch.child.kill('SIGKILL')
  await watch.ended
  const log = await hermes('log', '--json')
  if (JSON.parse(log.stdout).some(({ state }) => state === 'open')) {
    figures.killedInRun++
    const restores = random() < 0.5
    if (restores) figures.restored++
    await hermes('recover', ...(restores ? ['--restore'] : []))
  }
  watch = start()
}

async function hermes(command, ...args) {
  const child = spawn(process.execPath, [CLI, command, ...args, '--root', root], {
    cwd: directory, env: { PATH: process.env.PATH, HOME: directory },
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(`hermes ${command} failed (${code}): ${stderr}`)
  return { stdout }
}

function logLines() {
  const file = join(root, 'log.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
}

function runsOf(number) {
  const lines = logLines()
  return Math.max(...['begin', 'end'].map((word) => lines.filter((line) => line === `${word} ${number}`).length))
}

/** Until nothing is left to do, or for 30 s without any progress. */
async function settled() {
  for (let [left, quiet] = [Infinity, 0]; quiet < 600;) {
    const lines = new Set(logLines())
    const now = Array.from({ length: figures.answers }, (_, number) => number)
      .filter((number) => !lines.has(`end ${number}`) && !kept.has(number)).length
    quiet = now === left ? quiet + 1 : 0
    left = now
    if (left === 0) break
    if (failure) throw failure
    await sleep(50)
  }
  // What might run twice gets the time to.
  await sleep(600)
}

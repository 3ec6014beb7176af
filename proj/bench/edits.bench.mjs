/** 1,000 edits of one file of 5 MB against the same by hand; as a diff against git apply and patch, too. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hermes } from '../../dist/index.js'

const EDITS = 1000
const BYTES = 5_000_000
const RUNS = 3
const FORMATS = ['search-replace', 'v4a', 'unified']

const LINES = linesOf(BYTES)
const OLD = `${LINES.join('\n')}\n`
/** Every edit changes one line, with one more before and after it. */
const PLACES = Array.from({ length: EDITS }, (_, number) => 1 + Math.floor((number * (LINES.length - 2)) / EDITS))
const NEW = changed()

export default async function run() {
  const target = '≤ 3×'
  return [
    await compare('1,000 SEARCH/REPLACE blocks', searchReplace(PLACES), byHand, { target }),
    await compare('1,000 SEARCH/REPLACE blocks, in any order', searchReplace(shuffled(PLACES)), byHand, { target }),
    await compare('1,000 file_replace_text blocks', PLACES.map(sham).join('\n'), byHand, { target }),
    await compare('1,000 hunks of a V4A patch', v4a(), byHand, { target }),
    await compare('1,000 hunks of a diff: git apply', `\`\`\`diff\n${unified()}\`\`\`\n`, byGit, {}),
    await compare('1,000 hunks of a diff: patch', `\`\`\`diff\n${unified()}\`\`\`\n`, byPatch, {}),
  ]
}

/** Both in turn, each round with a fresh file; the first warms up. */
async function compare(name, answer, other, { target }) {
  const [ours, theirs] = [[], []]
  for (let round = 0; round <= RUNS; round++) {
    theirs.push(await inRoot(root => timed(() => other(root))))
    ours.push(await inRoot(root => byHermes(root, answer)))
  }
  const figure = { name, value: median(ours.slice(1)), unit: 'ms', against: median(theirs.slice(1)) }
  return target === undefined ? figure : { ...figure, target }
}

async function inRoot(act) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-bench-')))
  try {
    writeFileSync(join(root, 'big.txt'), OLD)
    const time = await act(root)
    if (readFileSync(join(root, 'big.txt'), 'utf8') !== NEW) throw new Error('not what the edits make of the file')
    return time
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** What the run of an answer takes, its reading and its journal included. */
async function byHermes(root, answer) {
  const limits = { maxBlocks: 2 * EDITS }
  const hermes = new Hermes({ root, relativePaths: true, gitCommit: false, editFormats: FORMATS, limits })
  const time = await timed(async () => {
    const { success, results } = await hermes.execute(answer)
    if (!success) throw new Error(JSON.stringify(results.find(result => !result.success)))
  })
  await hermes[Symbol.asyncDispose]()
  return time
}

/** Reading, one splice for each edit in memory, and writing once. */
function byHand(root) {
  const path = join(root, 'big.txt')
  let text = readFileSync(path, 'utf8')
  for (const place of PLACES) {
    const old = passage(place).join('\n')
    const at = text.indexOf(old)
    text = text.slice(0, at) + passage(place, true).join('\n') + text.slice(at + old.length)
  }
  writeFileSync(path, text)
}

function byGit(root) {
  execFileSync('git', ['apply', '-'], { cwd: root, input: unified() })
}

function byPatch(root) {
  execFileSync('patch', ['-s', '-p1'], { cwd: root, input: unified() })
}

function linesOf(bytes) {
  const lines = []
  for (let size = 0, number = 1; size < bytes; number++) {
    const line = `  const value${number} = compute(${number % 7}, "text") // as before`
    lines.push(line)
    size += line.length + 1
  }
  return lines
}

function newLine(place) {
  return LINES[place].replace('compute', 'computeOnce')
}

/** The line of an edit and those around it. */
function passage(place, isNew = false) {
  return [LINES[place - 1], isNew ? newLine(place) : LINES[place], LINES[place + 1]]
}

function changed() {
  const lines = [...LINES]
  for (const place of PLACES) lines[place] = newLine(place)
  return `${lines.join('\n')}\n`
}

function searchReplace(places) {
  return places.map(place => [
    'big.txt', '<<<<<<< SEARCH', ...passage(place), '=======', ...passage(place, true), '>>>>>>> REPLACE', '',
  ].join('\n')).join('\n')
}

function sham(place, number) {
  const id = number.toString(36).padStart(3, '0')
  return [
    `#!SHAM [@three-char-SHA-256: ${id}]`, 'action = "file_replace_text"', 'path = "big.txt"',
    `old_text = <<'EOT_SHAM_${id}'`, ...passage(place), `EOT_SHAM_${id}`,
    `new_text = <<'EOT_SHAM_${id}'`, ...passage(place, true), `EOT_SHAM_${id}`, `#!END_SHAM_${id}`, '',
  ].join('\n')
}

function hunk(place) {
  const [before, old, after] = passage(place)
  return [` ${before}`, `-${old}`, `+${newLine(place)}`, ` ${after}`]
}

function v4a() {
  const hunks = PLACES.flatMap(place => ['@@', ...hunk(place)])
  return ['*** Begin Patch', '*** Update File: big.txt', ...hunks, '*** End Patch', ''].join('\n')
}

function unified() {
  const hunks = PLACES.flatMap(place => [`@@ -${place},3 +${place},3 @@`, ...hunk(place)])
  return ['--- a/big.txt', '+++ b/big.txt', ...hunks, ''].join('\n')
}

/** By a rule, so that every run has the same order. */
function shuffled(places) {
  const ranked = places.map((place, number) => [(number * 7919) % EDITS, place])
  return ranked.toSorted(([a], [b]) => a - b).map(([, place]) => place)
}

async function timed(act) {
  const started = performance.now()
  await act()
  return performance.now() - started
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

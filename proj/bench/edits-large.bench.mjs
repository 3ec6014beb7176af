/** 10,000 `file_replace_text` edits, in one file of 5 MB and over as many files, against the same by hand. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hermes } from '../../dist/index.js'
import { writeByHand } from './support/by-hand.mjs'
import { inRoot } from './support/in-root.mjs'
import { shamBlock } from './support/sham-block.mjs'

const EDITS = 10_000
const FEW = EDITS / 10
const LARGE_BYTES = 5_000_000
const SMALL_BYTES = 4_000

export default async function run() {
  return [...await inOneFile(), ...await inManyFiles()]
}

/** By hand the file is read once, changed in memory and written once; a tenth of the edits tells of all. */
async function inOneFile() {
  const large = linesOf(LARGE_BYTES)
  const edits = spread(EDITS, large.length)
  const few = edits.filter((_, index) => index % 10 === 0)
  const file = 'large.ts'
  const inPlace = act => inRoot(root => {
    writeFileSync(join(root, file), large.join('\n'))
    return act(root)
  })
  // The first warms up.
  await inPlace(root => byHermes(root, few.slice(0, 100).map(edit => ({ file, ...edit }))))
  const hand = await inPlace(root => timed(() => replaceByHand(join(root, file), few)))
  const part = await inPlace(root => byHermes(root, few.map(edit => ({ file, ...edit }))))
  const whole = await inPlace(root => byHermes(root, edits.map(edit => ({ file, ...edit }))))
  return [
    { name: `${FEW} edits in a file of 5 MB`, value: part, unit: 'ms', against: hand, target: '≤ 2×' },
    { name: `${EDITS} edits in it, against ${FEW}`, value: whole, unit: 'ms', against: part, target: '≤ 11×' },
  ]
}

async function inManyFiles() {
  const text = linesOf(SMALL_BYTES)
  const all = spread(EDITS, text.length).map((edit, index) => ({ file: `src/file${index}.ts`, ...edit }))
  const inPlace = (edits, act) => inRoot(root => {
    mkdirSync(join(root, 'src'))
    for (const { file } of edits) writeFileSync(join(root, file), text.join('\n'))
    return act(root)
  })
  const few = all.slice(0, FEW)
  await inPlace(few, root => byHermes(root, few))
  const part = await inPlace(few, root => byHermes(root, few))
  const hand = await inPlace(all, root => timed(() => {
    for (const { file, ...edit } of all) replaceByHand(join(root, file), [edit])
  }))
  const whole = await inPlace(all, root => byHermes(root, all))
  return [
    { name: `${EDITS} edits in as many files`, value: whole, unit: 'ms', against: hand, target: '≤ 2×' },
    { name: `${EDITS} files against ${FEW}`, value: whole, unit: 'ms', against: part, target: '≤ 11×' },
  ]
}

/** What the run of an answer takes, its reading and its journal included. */
async function byHermes(root, edits) {
  const answer = edits.map(({ file: path, old_text, new_text }, number) => (
    shamBlock(number, 'file_replace_text', { path, old_text, new_text })
  )).join('\n')
  const hermes = new Hermes({ root, relativePaths: true, gitCommit: false })
  return timed(async () => {
    const result = await hermes.execute(answer)
    if (!result.success || result.executedActions !== edits.length) {
      throw new Error(JSON.stringify(result).slice(0, 1000))
    }
  })
}

function replaceByHand(path, edits) {
  let text = readFileSync(path, 'utf8')
  for (const { old_text, new_text } of edits) text = text.replace(old_text, () => new_text)
  writeByHand(path, text)
}

/** Each line changed once at most, in no order. */
function spread(count, lines) {
  return Array.from({ length: count }, (_, index) => {
    const number = lines < count ? index % lines : (index * 7919) % count * Math.floor(lines / count)
    return { old_text: `const value${number} = compute(`, new_text: `const value${number} = calculate(` }
  })
}

function linesOf(bytes) {
  const lines = []
  for (let length = 0; length < bytes; length += lines.at(-1).length + 1) {
    lines.push(`const value${lines.length} = compute(${lines.length}, 'value ${lines.length}') // one line of code`)
  }
  return lines
}

async function timed(act) {
  const started = performance.now()
  await act()
  return performance.now() - started
}

/**
 * Reading answers (scan and parse) against peers that read Markdown or SHAM, and against a bare search for line ends.
 */
import { fileURLToPath } from 'node:url'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { Lexer } from 'marked'
import { micromark } from 'micromark'
import { parseNesl } from 'nesl-js'
import { rolldown } from 'rolldown'
import { parse, parseChunks } from '../../dist/core-node.js'
import { adversarial } from './support/adversarial.mjs'
import { fenceLoop, fences, flat, prose, sham } from './support/answers.mjs'
import { best } from './support/best.mjs'

const MB = 1e6

export default async function run() {
  return [
    ...fewBlocks(), ...manyFences(), ...await radarAlone(), ...manyBlocks(), growth(), inPieces(), ...hostile(),
  ]
}

/**
 * What the radar takes of the whole: the search for all that could begin an action. The signs that it looks for are
 * searched for the scanner's landmarks too; a row of its own says what that takes.
 */
async function radarAlone() {
  const input = fileURLToPath(new URL('../comp/1-reading/src/scanner/radar/index.ts', import.meta.url))
  const built = await rolldown({
    input, platform: 'node', resolve: { extensionAlias: { '.js': ['.ts'] } }, logLevel: 'silent',
  })
  const { output: [{ code }] } = await built.generate({ format: 'esm' })
  await built.close()
  const { Marks, OPENERS, Radar } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return [['few blocks', prose], ['a fence every five lines', fences], ['SHAM', sham]].flatMap(([name, make]) => {
    const text = make(10 * MB)
    const radar = new Radar(OPENERS, new Marks().of(text))
    const whole = { unit: 'ms', against: best(() => parse(text), 9) }
    const value = best(() => radar.sightings(text, 0, text.length), 9)
    const signs = best(() => new Marks().of(text), 9)
    return [
      { name: `10 MB, ${name}: the radar, of the whole`, value, ...whole, target: '≤ 0.1×' },
      { name: `10 MB, ${name}: the signs for radar and landmarks`, value: signs, ...whole },
    ]
  })
}

function fewBlocks() {
  const text = prose(10 * MB)
  const own = rate(text, () => parse(text))
  const small = prose(MB)
  return [
    against('10 MB, few blocks: marked.lexer', own, rate(text, () => Lexer.lex(text), 2), '≥ 50×'),
    against('10 MB, few blocks: micromark (of 1 MB)', own, rate(small, () => micromark(small), 1)),
    against('10 MB, few blocks: mdast-util-from-markdown (of 1 MB)', own, rate(small, () => fromMarkdown(small), 1)),
    against('10 MB, few blocks: every character looked at', own, rate(text, () => countByCode(text))),
    against('10 MB, few blocks: native search for line ends', own, rate(text, () => countBySearch(text)), '≥ 0.4×'),
  ]
}

/** Fences pair lines, so that nothing is passed over unread as easily as prose. A round of each in turn. */
function manyFences() {
  const text = fences(10 * MB)
  const loop = fenceLoop(10 * MB)
  return [
    inTurn('10 MB, a fence every five lines: marked.lexer', text, (part) => Lexer.lex(part), '≥ 50×', 3),
    inTurn('10 MB, a fence every five lines: native search for line ends', text, countBySearch, '≥ 0.3×'),
    inTurn('10 MB, nothing but fences: native search for line ends', loop, countBySearch),
  ]
}

/** MB a second of processor time, medians of rounds that alternate. */
function inTurn(name, text, peer, target, rounds = 11) {
  const [own, others] = [[], []]
  for (let round = 0; round < rounds; round++) {
    own.push(best(() => parse(text), 1))
    others.push(best(() => peer(text), 1))
  }
  const speed = (times) => text.length / MB / median(times) * 1000
  return { name, value: speed(own), unit: 'MB/s', against: speed(others), ...(target !== undefined && { target }) }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}

function manyBlocks() {
  const text = sham(10 * MB)
  const fenced = sham(10 * MB, true)
  const nesl = flat(text.replaceAll('#!SHAM', '#!nesl').replaceAll('#!END_SHAM_', '#!end_')
    .replaceAll('EOT_SHAM_', 'EOT_'))
  const ownFenced = rate(fenced, () => parse(fenced))
  return [
    against('10 MB of SHAM: nesl-js', rate(nesl, () => parse(nesl)), rate(nesl, () => parseNesl(nesl), 2), '≥ 6×'),
    against('10 MB of SHAM: marked.lexer', rate(text, () => parse(text)), rate(text, () => Lexer.lex(text), 2), '≥ 2×'),
    against('10 MB of SHAM in fences: marked.lexer', ownFenced, rate(fenced, () => Lexer.lex(fenced), 3), '≥ 2×'),
  ]
}

function growth() {
  const [small, large] = [prose(10 * MB), prose(100 * MB)]
  const value = best(() => parse(large), 3)
  return { name: '100 MB against 10 MB', value, unit: 'ms', against: best(() => parse(small), 9), target: '≤ 11×' }
}

/** As a model writes: some characters at a time. */
function inPieces() {
  const text = prose(MB)
  const chunks = text.match(/[^]{1,16}/g)
  return {
    name: '1 MB in pieces of 16 characters against the whole', value: best(() => parseChunks(chunks), 9), unit: 'ms',
    against: best(() => parse(text), 9),
  }
}

function hostile() {
  const plain = prose(MB)
  const floor = best(() => parse(plain), 9)
  const found = adversarial(MB)
    .map(([name, text]) => ({ name: `1 MB: ${name}`, value: best(() => parse(text), 3), unit: 'ms', against: floor }))
  const ratios = found.map((figure) => figure.value / floor)
  return [
    ...found.map((figure) => ({ ...figure, target: '≤ 5× prose' })),
    { name: 'hostile texts within 5× prose', value: ratios.filter((ratio) => ratio <= 5).length, unit: 'texts', target: '≥ 30' },
    { name: 'hostile texts, the slowest', value: Math.max(...ratios), unit: '× prose', target: '≤ 30×' },
  ]
}

/** MB a second of processor time. */
function rate(text, act, rounds = 9) {
  return text.length / MB / best(act, rounds) * 1000
}

function against(name, value, peer, target) {
  return { name, value, unit: 'MB/s', against: peer, ...(target !== undefined && { target }) }
}

function countBySearch(text) {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

function countByCode(text) {
  let count = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 0x0a) count++
  return count
}

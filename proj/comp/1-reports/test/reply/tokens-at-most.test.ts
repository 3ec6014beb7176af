import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { getEncoding } from 'js-tiktoken'
import { expect, it } from 'vitest'
import { tokensAtMost } from '../../src/index.js'

const o200k = getEncoding('o200k_base')

function counted(text: string): { ours: number; real: number } {
  return { ours: tokensAtMost(text), real: o200k.encode(text, [], []).length }
}

const PROSE: Readonly<Record<string, string>> = {
  English: 'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience.',
  German: 'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Die Größe äußerer Übergänge wächst.',
  Polish: 'Zażółć gęślą jaźń. Wszyscy ludzie rodzą się wolni i równi pod względem swej godności.',
  Vietnamese: 'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.',
  Russian: 'Все люди рождаются свободными и равными в своём достоинстве и правах.',
  Greek: 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.',
  Hebrew: 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.',
  Arabic: 'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.',
  Hindi: 'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।',
  Thai: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ',
  Amharic: 'የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።',
  Tibetan: 'འགྲོ་བ་མིའི་རིགས་རྒྱུད་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་ཆེ་མཐོངས་དང་།',
  Chinese: '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。',
  Japanese: 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。',
  Korean: '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.',
  emoji: '😀👨‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽🤷‍♀️🧬🪐🫠🦾 ✅ ❌ → … — “ok”',
  mathematics: '∀x∈ℝ: ∃y ≥ x² ⇒ ∑ᵢ₌₁ⁿ ∫₀^∞ 𝒜𝔅ℂ𝟙 ⟨ψ|φ⟩ ⊕⊗',
  table: '┌──┬──┐\n│ a│ b│\n├──┼──┤\n└──┴──┘ █▓▒░',
}

it.each(Object.entries(PROSE))('%s takes no more tokens', (_, text) => {
  const { ours, real } = counted(text)
  expect(ours).toBeGreaterThanOrEqual(real)
})

/** In lines of 40: the tokenizer takes long for longer runs without a blank. */
function some(unit: fc.Arbitrary<string>, length: number): fc.Arbitrary<string> {
  return fc.array(unit, { minLength: length, maxLength: length })
    .map((units) => units.map((each, index) => (index % 40 === 39 ? `${each}\n` : each)).join(''))
}

function from(first: number, last: number): fc.Arbitrary<string> {
  return fc.integer({ min: first, max: last }).map((code) => String.fromCodePoint(code))
}

function of(letters: string): fc.Arbitrary<string> {
  return fc.constantFrom(...letters)
}

const word = fc.array(of('abcdefghijklmnopqrstuvwxyz'), { minLength: 1, maxLength: 12 }).map((letters) => `${letters.join('')} `)

/** What no words are made of: each letter is as likely as any other. */
const RANDOM: Readonly<Record<string, fc.Arbitrary<string>>> = {
  base64: some(of('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'), 600),
  hex: some(of('0123456789abcdef'), 600),
  UUID: some(fc.uuid().map((id) => `${id}\n`), 20),
  digits: some(of('0123456789'), 600),
  numbers: some(fc.double().map((number) => `${number}, `), 60),
  words: some(word, 100),
  signs: some(of('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'), 600),
  ASCII: some(from(0x20, 0x7e), 600),
  'control characters': some(from(0, 0x1f), 600),
  blanks: some(of(' \t\n'), 600),
  'ends of lines': some(fc.constantFrom('\r\n', '\n', '\r', '\n\n\n'), 300),
  Latin: some(from(0xa0, 0x24f), 400),
  Cyrillic: some(from(0x400, 0x45f), 400),
  Arabic: some(from(0x621, 0x64a), 400),
  Devanagari: some(from(0x900, 0x97f), 400),
  Kana: some(from(0x3041, 0x30fa), 400),
  Han: some(from(0x4e00, 0x9fff), 600),
  'Han of the last rows': some(from(0x9fc0, 0x9fff), 400),
  Hangul: some(from(0xac00, 0xd7a3), 600),
  'all of Unicode': some(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), 400),
}

it.each(Object.entries(RANDOM))('%s at random take no more tokens', (_, text) => {
  fc.assert(fc.property(text, (given) => {
    const { ours, real } = counted(given)
    expect(ours).toBeGreaterThanOrEqual(real)
  }), { numRuns: 10, endOnFailure: true })
})

const FILES = [
  'package.json', 'unified-design.yaml', 'docs/library.md', 'proj/comp/1-reports/src/reply/contents.ts',
  'proj/scripts/build.mjs', 'proj/package-lock.json', 'proj/comp/1-reading/test-data/parsers/envelopes.cases.md',
]

it.each(FILES)('%s takes no more tokens, and not less than half as many', (path) => {
  const text = readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8').slice(0, 30_000)
  const { ours, real } = counted(text)
  expect(ours).toBeGreaterThanOrEqual(real)
  expect(ours).toBeLessThanOrEqual(2 * real)
})

/** The trial of the law of reading, as one module: answers, one slip each, and what their reading must keep. */
import { isDeepStrictEqual } from 'node:util'
import { EDIT_FORMATS, type ParseOutcome } from '../../comp/0-contracts/src/index.js'
import { parse, parseChunks, type ScanOptions } from '../../comp/1-reading/src/index.js'
import { type Answer, makeAnswer, type Random, type Segment } from './answers.js'
import { randomFrom } from '../edits/edits-cases.js'
import { checkText, type Fault, runQuotes } from './oracle.js'
import { CUT, OWN, reachOf } from './reach.js'
import { applySlip, makeSlip, type Slip, touchedLines } from './slips.js'

/** An answer written by hand: nothing is known of it but that it parses without an error. */
export interface GivenText {
  name: string
  text: string
  editFormats: boolean
}

export interface ReadingFigures {
  seed: number
  mutants: number
  givenTexts: number
  answers: number
  /** Valid answers that break a rule as they stand; none is changed further. */
  failedAnswers: number
  bySlip: Record<string, { mutants: number, failed: number }>
  byRule: Record<string, number>
  /** Of all pairs of a mutant and an untouched block, those that the slip may cost, by reason. */
  untouched: { checked: number, excluded: number, reasons: Record<string, number> }
  /** The same of pairs of a mutant and a quoted example. */
  quoted: { checked: number, excluded: number, reasons: Record<string, number> }
  failed: number
}

export interface Failure {
  cause: string
  count: number
  slips: Record<string, number>
  text: string
  from: string
}

const MUTANTS_OF_ONE = 20

interface Group { count: number, text: string, from: string, lines: number, slips: Record<string, number> }
interface Case { answer: Answer, slip: Slip }

export function runTrial(
  seed: number, mutants: number, given: readonly GivenText[],
): { figures: ReadingFigures, failures: Failure[] } {
  const random = randomFrom(seed)
  const figures: ReadingFigures = {
    seed, mutants: 0, givenTexts: 0, answers: 0, failedAnswers: 0, bySlip: {}, byRule: {},
    untouched: { checked: 0, excluded: 0, reasons: {} }, quoted: { checked: 0, excluded: 0, reasons: {} }, failed: 0,
  }
  const groups = new Map<string, Group>()
  const usable = given.filter((one) => {
    const outcome = parse(one.text, optionsOf(one))
    return outcome.errors.length === 0 && checkText(one.text, outcome, one.editFormats).length === 0
  })
  figures.givenTexts = usable.length
  while (figures.mutants < mutants) {
    const fromGiven = usable.length > 0 && random() < 0.25
    const answer = fromGiven ? given2answer(usable[Math.floor(random() * usable.length)]!) : makeAnswer(random)
    const lines = linesOf(answer)
    const own = parse(textOf(lines), optionsOf(answer))
    const before = new Map(own.blocks.map((block) => [String(block.params['path']), block]))
    figures.answers++
    const flaws = fromGiven ? [] : checkOriginal(answer, own)
    if (flaws.length > 0) {
      figures.failedAnswers++
      for (const fault of flaws) note(groups, { answer, slip: NO_SLIP }, fault, 'the answer itself')
      if (figures.failedAnswers > mutants) break
      continue
    }
    const markers = lines.flatMap((line, index) => (isMarker(line) ? [index] : []))
    for (let index = 0; index < MUTANTS_OF_ONE && figures.mutants < mutants; index++) {
      const slip = makeSlip(random, lines, markers)
      const faults = checkSlip({ answer, slip }, before, random, figures)
      figures.mutants++
      const kind = (figures.bySlip[slip.kind] ??= { mutants: 0, failed: 0 })
      kind.mutants++
      if (faults.length === 0) continue
      kind.failed++
      figures.failed++
      for (const fault of faults) {
        figures.byRule[fault.rule] = (figures.byRule[fault.rule] ?? 0) + 1
        note(groups, { answer, slip }, fault, placeOf(answer, slip))
      }
    }
  }
  const failures = [...groups].sort(([, a], [, b]) => b.count - a.count).map(([cause, group]) => ({
    cause, count: group.count, text: group.text, from: group.from, slips: group.slips,
  }))
  return { figures, failures }
}

const NO_SLIP: Slip = { kind: 'line end', line: 0, column: 0, put: '\n' }

/** Of so many of a group the smallest is kept. */
const SHRUNK = 4

function note(groups: Map<string, Group>, one: Case, fault: Fault, place: string): void {
  const cause = `${fault.rule}: ${fault.what} (${place})`
  const group = groups.get(cause) ?? { count: 0, text: '', from: '', lines: Infinity, slips: {} }
  groups.set(cause, group)
  group.count++
  group.slips[one.slip.kind] = (group.slips[one.slip.kind] ?? 0) + 1
  if (group.count > SHRUNK) return
  const { text, from } = smallest(one, fault)
  const lines = text.split('\n').length
  if (lines < group.lines) Object.assign(group, { text, from, lines })
}

/** Leaves out segments that the fault does not need; then lines, where the fault is of the text alone. */
function smallest(one: Case, fault: Fault): { text: string, from: string } {
  const shows = (tried: Case): boolean => faultsOf(tried)
    .some(({ rule, what }) => rule === fault.rule && what === fault.what)
  let best = one
  for (let index = one.answer.segments.length - 1; index >= 0; index--) {
    const tried = without(best, index)
    if (tried && shows(tried)) best = tried
  }
  const original = textOf(linesOf(best.answer))
  let text = applySlip(linesOf(best.answer), best.slip)
  if (fault.rule === 'quoted' || fault.rule === 'untouched') return { text, from: original }
  const still = (tried: string): boolean => {
    const outcome = parse(tried, optionsOf(best.answer))
    return checkText(tried, outcome, best.answer.editFormats)
      .some(({ rule, what }) => rule === fault.rule && what === fault.what)
  }
  if (!still(text)) return { text, from: original }
  for (let smaller = true; smaller;) {
    smaller = false
    const lines = text.split('\n')
    for (let index = lines.length - 1; index >= 0; index--) {
      const tried = lines.toSpliced(index, 1).join('\n')
      if (!still(tried)) continue
      lines.splice(index, 1)
      text = tried
      smaller = true
    }
  }
  return { text, from: original }
}

function without({ answer, slip }: Case, index: number): Case | undefined {
  const first = answer.segments.slice(0, index).reduce((sum, { lines }) => sum + lines.length, 0)
  const count = answer.segments[index]!.lines.length
  if (touchedLines(slip, Infinity).some((line) => line >= first && line < first + count)) return undefined
  const moved = slip.line >= first + count ? { ...slip, line: slip.line - count } : slip
  return { answer: { ...answer, segments: answer.segments.toSpliced(index, 1) }, slip: moved }
}

function faultsOf(one: Case): Fault[] {
  const own = parse(textOf(linesOf(one.answer)), optionsOf(one.answer))
  if (one.slip === NO_SLIP) return checkOriginal(one.answer, own)
  return checkSlip(one, new Map(own.blocks.map((block) => [String(block.params['path']), block])), randomFrom(1))
}

function checkOriginal(answer: Answer, own: ParseOutcome): Fault[] {
  const faults: Fault[] = [...checkText(textOf(linesOf(answer)), own, answer.editFormats)]
  const ran = own.blocks.map(({ params }) => String(params['path']))
  for (const { live, quoted, kind } of answer.segments) {
    for (const path of live) if (!ran.includes(path)) faults.push({ rule: 'untouched', what: `does not run: ${kind}` })
    for (const path of quoted) if (ran.includes(path)) faults.push({ rule: 'quoted', what: `runs from ${kind}` })
  }
  if (own.errors.length > 0) faults.push({ rule: 'figures',
    what: `an error in a valid answer: ${own.errors[0]!.error.code}` })
  return faults
}

type Blocks = ReadonlyMap<string, ParseOutcome['blocks'][number]>

function checkSlip({ answer, slip }: Case, before: Blocks, random: Random, figures?: ReadingFigures): Fault[] {
  const text = applySlip(linesOf(answer), slip)
  const options = optionsOf(answer)
  let outcome: ParseOutcome
  try {
    outcome = parse(text, options)
  } catch (error) {
    return [{ rule: 'throws', what: String(error) }]
  }
  const faults = checkText(text, outcome, answer.editFormats)
  const places = [random(), random(), random()].map((share) => Math.floor(share * text.length)).sort((a, b) => a - b)
  const pieces = [0, ...places].map((place, index) => text.slice(place, places[index]))
  if (!isDeepStrictEqual(parseChunks(pieces, options), outcome)) faults.push({ rule: 'chunks',
    what: 'parse is not parseChunks' })
  const reach = reachOf(answer, slip)
  const after = new Map(outcome.blocks.map((block) => [String(block.params['path']), block]))
  answer.segments.forEach((segment, index) => faults.push(
    ...lostOf(segment, before, after, reach.lost(index), figures?.untouched),
    ...quotesOf(segment, outcome, reach.bare(index), figures?.quoted),
  ))
  return faults
}

type Pairs = ReadingFigures['untouched'] | undefined

function lostOf(segment: Segment, before: Blocks, after: Blocks, reason: string | undefined, pairs: Pairs): Fault[] {
  return segment.live.flatMap((path) => {
    const was = before.get(path)
    if (!was || isExcluded(reason, pairs)) return []
    const now = after.get(path)
    const same = now !== undefined && now.action === was.action && isDeepStrictEqual(now.params, was.params)
    return same ? [] : [{ rule: 'untouched' as const, what: `${now ? 'changed' : 'lost'}: ${segment.kind}` }]
  })
}

function quotesOf(segment: Segment, outcome: ParseOutcome, reason: string | undefined, pairs: Pairs): Fault[] {
  return segment.quoted.flatMap((path) => {
    if (isExcluded(reason, pairs)) return []
    return runQuotes(outcome, new Set([path]))
      .map(() => ({ rule: 'quoted' as const, what: `runs from ${segment.kind}` }))
  })
}

function isExcluded(reason: string | undefined, pairs: Pairs): boolean {
  if (!pairs || reason === OWN || reason === CUT) return reason !== undefined
  if (reason === undefined) pairs.checked++
  else {
    pairs.excluded++
    pairs.reasons[reason] = (pairs.reasons[reason] ?? 0) + 1
  }
  return reason !== undefined
}

function isMarker(line: string): boolean {
  return /#!|<<|EOT_|`{3}|~{3}|<\/?[\w:|]+>|^\[|◁|^<!--|^-->|^---/.test(line)
}

function placeOf({ segments }: Answer, { line }: Slip): string {
  let at = line
  for (const { kind, lines } of segments) {
    if (at < lines.length) return `${lines[at]!.role} of ${kind}`
    at -= lines.length
  }
  return 'nothing'
}

function linesOf({ segments }: Answer): string[] {
  return segments.flatMap(({ lines }) => lines.map(({ text }) => text))
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function given2answer({ text, editFormats }: GivenText): Answer {
  const lines = text.replace(/\n$/, '').split('\n').map((line) => ({ text: line, role: 'prose' as const }))
  return { editFormats, segments: [{ kind: 'given text', lines, live: [], quoted: [] }] }
}

function optionsOf({ editFormats }: { editFormats: boolean }): ScanOptions {
  return editFormats ? { editFormats: EDIT_FORMATS } : {}
}

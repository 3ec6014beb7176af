/** The trial of the edit verbs, as one module: cases by rule, judged apart from the engine. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { DEFAULT_LIMITS, DEFAULT_POLICY } from '../../comp/2-config/src/config/index.js'
import { type AnyVerb, HermesError, type VerbContext } from '../../comp/0-contracts/src/index.js'
import { Hermes } from '../../comp/5-executor/src/executor/index.js'
import { OverlayFiles } from '../../comp/2-files/src/store/index.js'
import { createPathGate } from '../../comp/2-files/src/policy/index.js'
import { createSandbox } from '../../comp/2-sandbox/src/index.js'
import { VERBS } from '../../comp/5-executor/src/verbs/index.js'
import { DRIFTS, type DriftCase, driftCase, randomFrom } from './edits-cases.js'
import {
  answerOf, argsOf, endingIn, FORMATS, replacedLines, type TextFormat, VERB_NAMES, type VerbName,
} from './edits-formats.js'
import { fits, judge, type Tier, TIERS, type Verdict } from './edits-reference.js'
import { judgeText } from './edits-text-reference.js'

type Mode = 'exact' | 'tolerant'

/** What became of an edit: the file afterwards, and why it was refused where it was. */
interface Outcome {
  text: string
  code?: string
  match?: string
}

interface TierFigures {
  cases: number
  applied: number
}

/** Of one verb or format. */
type Figures = Record<Tier, TierFigures> & Record<'refused' | 'ambiguous', { cases: number; refused: number }>

export interface TrialFigures {
  seed: number
  cases: number
  realFiles: number
  wrongPlace: number
  wrongBytes: number
  /** Refused or changed where the reference says otherwise. */
  wrongDecision: number
  /** Another tier named than the one that was needed. */
  wrongTier: number
  byVerb: Record<string, Figures>
  byFormat: Record<string, Figures>
}

export type Report = (what: string, detail: object) => void

/** @param share of so many cases about one is run as a block of an answer on real files, too */
export async function runTrial(seed: number, cases: number, share: number, report: Report): Promise<TrialFigures> {
  const figures: TrialFigures = {
    seed, cases, realFiles: 0, wrongPlace: 0, wrongBytes: 0, wrongDecision: 0, wrongTier: 0, byVerb: {}, byFormat: {},
  }
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-edits-')))
  try {
    const verbs = await loadVerbs()
    let answer: RealCase[] = []
    for (let number = 0; number < cases; number++) {
      const random = randomFrom(seed * 1_000_003 + number)
      const one = driftCase(random, DRIFTS[number % DRIFTS.length] ?? 'none')
      const name = VERB_NAMES[Math.floor(random() * VERB_NAMES.length)] ?? 'edit_replace'
      // An exact diff needs what git apply needs: verb-edit/test/git-apply.property.test.ts.
      const mode: Mode = name !== 'patch_unified' && random() < 0.1 ? 'exact' : 'tolerant'
      const outcome = await byVerb(verbs, root, name, one, mode)
      record(figures, figures.byVerb, { name, mode, one, outcome }, report)
      if (random() * share < 1) answer.push({ one, format: FORMATS[Math.floor(random() * FORMATS.length)] ?? 'v4a' })
      if (answer.length < PER_ANSWER && number < cases - 1) continue
      for (const run of await byAnswer(answer)) {
        figures.realFiles++
        record(figures, figures.byFormat, { mode: 'tolerant', ...run }, report)
      }
      answer = []
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  return figures
}

/** How many edits stand in one answer, each of a file of its own. */
const PER_ANSWER = 20
const FILE = 'file.txt'

async function loadVerbs(): Promise<Map<string, AnyVerb>> {
  const entries = VERBS.filter(({ name }) => (VERB_NAMES as readonly string[]).includes(name))
  return new Map(await Promise.all(entries.map(async (entry) => [entry.name, await entry.load()] as const)))
}

/** The verb on a file that is only in memory. */
async function byVerb(
  verbs: Map<string, AnyVerb>, root: string, name: VerbName, one: DriftCase, match: Mode,
): Promise<Outcome> {
  const verb = verbs.get(name)
  if (!verb) throw new Error(`no verb ${name}`)
  const files = new OverlayFiles()
  const gate = createPathGate({ root, probe: files.probe })
  const context: VerbContext = {
    gate, files, match, session: { root: gate.root, context: new Map() }, limits: DEFAULT_LIMITS,
    policy: DEFAULT_POLICY, runId: 'trial', sandbox: createSandbox({ root: gate.root }), dryRun: true, ui: undefined,
    approve: async () => 'unavailable', signal: new AbortController().signal,
  }
  const target = gate.approve(FILE, 'write')
  files.write(target, one.file)
  const outcome = await called(verb, argsOf(name, one, FILE), context)
  return { ...outcome, text: Buffer.from(files.readBytes(target, 1e7)).toString('utf8') }
}

async function called(verb: AnyVerb, args: object, context: VerbContext): Promise<Omit<Outcome, 'text'>> {
  try {
    return outcomeOf(v.parse(verb.result, await verb.handler(v.parse(verb.args, args) as never, context)))
  } catch (error) {
    if (error instanceof HermesError) return { code: error.code }
    throw error
  }
}

function outcomeOf(data: unknown): Omit<Outcome, 'text'> {
  const { match, alreadyApplied } = (data ?? {}) as { match?: string; alreadyApplied?: boolean }
  return { ...(match !== undefined && { match }), ...(alreadyApplied === true && { code: 'alreadyApplied' }) }
}

interface RealCase {
  one: DriftCase
  format: TextFormat
}

/** All of them in one answer, on real files. */
async function byAnswer(cases: readonly RealCase[]): Promise<{ name: string; one: DriftCase; outcome: Outcome }[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-edits-')))
  try {
    const pathOf = (index: number) => `file${index}.txt`
    for (const [index, { one }] of cases.entries()) writeFileSync(join(root, pathOf(index)), one.file)
    const text = cases.map(({ one, format }, index) => answerOf(format, one, pathOf(index))).join('\nAnd now:\n\n')
    const hermes = new Hermes({
      root, relativePaths: true, editFormats: ['search-replace', 'v4a', 'unified'], gitCommit: false,
      limits: { maxBlocks: 1000 },
    })
    const { results, parseErrors } = await hermes.execute(text)
    await hermes[Symbol.asyncDispose]()
    if (results.length !== cases.length || parseErrors.length > 0) {
      const errors = JSON.stringify(parseErrors.slice(0, 3))
      throw new Error(`${results.length} of ${cases.length} blocks were read: ${errors}`)
    }
    return cases.map(({ one, format }, index) => {
      const { success, code, data } = results[index] ?? {}
      const outcome = success === true ? outcomeOf(data) : { code: code ?? 'INTERNAL' }
      return { name: format, one, outcome: { ...outcome, text: readFileSync(join(root, pathOf(index)), 'utf8') } }
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

interface Run {
  name: string
  mode: Mode
  one: DriftCase
  outcome: Outcome
}

/** Compares what became of an edit with what had to, and counts it. */
function record(figures: TrialFigures, by: Record<string, Figures>, run: Run, report: Report): void {
  const { name, mode, one, outcome } = run
  const own = (by[name] ??= emptyFigures())
  const verdict = verdictOf(run)
  const isChanged = outcome.text !== one.file
  const wrong = (what: 'wrongPlace' | 'wrongBytes' | 'wrongDecision' | 'wrongTier'): void => {
    figures[what]++
    report(what, { name, mode, ...one, outcome, kind: verdict.kind })
  }
  if (outcome.code !== undefined && isChanged) return wrong('wrongPlace')
  if (verdict.kind === 'found') {
    own[verdict.tier].cases++
    if (outcome.code !== undefined) return wrong('wrongDecision')
    const judged = fits(verdict, outcome.text)
    if (judged !== 'right') return wrong(judged === 'wrong place' ? 'wrongPlace' : 'wrongBytes')
    own[verdict.tier].applied++
    if (outcome.match !== undefined && outcome.match !== verdict.tier) wrong('wrongTier')
    return
  }
  const kind = verdict.kind === 'ambiguous' ? 'ambiguous' : 'refused'
  own[kind].cases++
  if (outcome.code !== undefined) own[kind].refused++
  // A diff has the number of its line: it may tell which of several is meant.
  else if (verdict.kind === 'missing' || !isStated(verdict, run)) wrong('wrongPlace')
}

function isStated({ choices }: Verdict & { kind: 'ambiguous' }, { name, one, outcome }: Run): boolean {
  if (name !== 'patch_unified' && name !== 'unified') return false
  return choices.some((choice) => (
    choice.kind === 'found' && choice.line === one.line && fits(choice, outcome.text) === 'right'
  ))
}

function verdictOf({ name, mode, one: { file, edit } }: Run): Verdict {
  if (name === 'file_replace_text') return judgeText(file, edit, replacedLines(edit), mode)
  return judge(file, { ...edit, ending: endingIn(name, edit) }, mode)
}

function emptyFigures(): Figures {
  const tiers = Object.fromEntries(TIERS.map((tier) => [tier, { cases: 0, applied: 0 }])) as Record<Tier, TierFigures>
  return { ...tiers, refused: { cases: 0, refused: 0 }, ambiguous: { cases: 0, refused: 0 } }
}

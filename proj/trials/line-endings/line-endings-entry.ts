/** The trial of line endings, as one module: edits of files of all kinds, through the real `execute`. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hermes } from '../../comp/5-executor/src/executor/index.js'
import { randomFrom } from '../edits/edits-cases.js'
import { declaration, MAKERS, type Random, type WrittenEdit } from './line-endings-edits.js'
import { difference, edited, type Ending, isBare, type Slot, slotsOf } from './line-endings-model.js'

const FILES = ['LF', 'CRLF', 'mixed'] as const
type FileKind = (typeof FILES)[number]

interface Counts {
  cases: number
  right: number
}

export interface TrialFigures {
  seed: number
  /** Files, each with one edit or several in one answer. */
  cases: number
  edits: number
  wrongBytes: number
  refused: number
  byVerb: Record<string, Counts>
  byFile: Record<string, Counts>
  byEdits: Record<string, Counts>
}

export type Report = (what: string, detail: object) => void

/** A file, its edits in one answer, and what it may be afterwards. */
interface Case {
  path: string
  kind: string
  bom: boolean
  before: string
  edits: { name: string; block: string }[]
  slots: readonly Slot[]
}

const PER_ANSWER = 25
const MOST_EDITS = 4

export async function runTrial(seed: number, cases: number, report: Report): Promise<TrialFigures> {
  const figures: TrialFigures = {
    seed, cases, edits: 0, wrongBytes: 0, refused: 0, byVerb: {}, byFile: {}, byEdits: {},
  }
  for (let number = 0; number < cases; number += PER_ANSWER) {
    const random = randomFrom(seed * 1_000_003 + number)
    const count = Math.min(PER_ANSWER, cases - number)
    const all = Array.from({ length: count }, (_each, index) => makeCase(random, index, number + index))
    await runAnswer(all, random, figures, report)
  }
  return figures
}

function makeCase(random: Random, index: number, number: number): Case {
  const path = `file${index}.ts`
  const kind = FILES[number % FILES.length] ?? 'LF'
  const bom = random() < 0.25
  const isCut = random() < 0.3
  let next = 0
  const fresh = (): string => declaration(next++)
  const lines = Array.from({ length: 2 + Math.floor(random() * 7) }, () => fresh() + endingOf(kind, random))
  const text = (bom ? '\ufeff' : '') + lines.join('').replace(isCut ? /\r?\n$/ : /(?!)/, '')
  let slots: readonly Slot[] = slotsOf(text)
  const edits: Case['edits'] = []
  const wanted = 1 + Math.floor(random() * MOST_EDITS)
  while (edits.length < wanted) {
    const make = MAKERS[Math.floor(random() * MAKERS.length)]
    if (!make || slots.length === 0) break
    const one = make({ slots, path, random, fresh })
    slots = edited(slots, one.edit)
    edits.push({ name: one.name, block: blockOf(one, random) })
    const isEndOpen = isBare(slots.at(-1)) && slots.at(-1)?.endings.size !== 1
    if (one.isLast || isEndOpen) break
  }
  const shown = `${kind}${bom ? ', BOM' : ''}${isCut ? ', no final break' : ''}`
  return { path, kind: shown, bom, before: text, edits, slots }
}

function endingOf(kind: FileKind, random: Random): Ending {
  return kind === 'LF' || (kind === 'mixed' && random() < 0.5) ? '\n' : '\r\n'
}

/** By a verb in one of the forms of blocks, or as it is. */
function blockOf({ name, args, text }: WrittenEdit, random: Random): string {
  if (args === undefined) return text ?? ''
  const form = Math.floor(random() * 3)
  if (form === 0) return `\`\`\`json hermes\n${JSON.stringify({ verb: name, arguments: args })}\n\`\`\`\n`
  if (form === 1) return `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>\n`
  return [
    '#!SHAM [@three-char-SHA-256: abc]', `action = "${name}"`, ...Object.entries(args).map(([key, value]) => (
      /\n/.test(String(value)) ? `${key} = <<'EOT_SHAM_abc'\n${value}\nEOT_SHAM_abc` : `${key} = "${value}"`
    )), '#!END_SHAM_abc', '',
  ].join('\n')
}

async function runAnswer(
  cases: readonly Case[], random: Random, figures: TrialFigures, report: Report,
): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-line-endings-')))
  try {
    for (const { path, before } of cases) writeFileSync(join(root, path), before)
    const order = inOrder(cases, random)
    const hermes = new Hermes({
      root, relativePaths: true, editFormats: ['search-replace', 'v4a', 'unified'], gitCommit: false,
      limits: { maxBlocks: 1000 },
    })
    const { results, parseErrors } = await hermes.execute(order.map(({ edit }) => edit.block).join('\nAnd now:\n\n'))
    await hermes[Symbol.asyncDispose]()
    if (results.length !== order.length || parseErrors.length > 0) {
      const errors = JSON.stringify(parseErrors.slice(0, 3))
      throw new Error(`${results.length} of ${order.length} blocks were read: ${errors}`)
    }
    const failed = new Map<Case, { name: string; code: string | undefined; message: string | undefined }>()
    for (const [index, { one, edit }] of order.entries()) {
      const result = results[index]
      if (result?.success === true || failed.has(one)) continue
      failed.set(one, { name: edit.name, code: result?.code, message: result?.error })
    }
    for (const one of cases) {
      const text = readFileSync(join(root, one.path), 'utf8')
      const refusal = failed.get(one)
      const wrong = refusal ? undefined : difference(one.slots, one.bom, text)
      if (refusal) figures.refused++
      if (wrong) figures.wrongBytes++
      if (refusal) report('refused', { ...shownCase(one), text, refusal })
      if (wrong) report('wrong bytes', { ...shownCase(one), text, wrong })
      tally(figures, one, !refusal && !wrong)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** The edits of a file one after the other, in half of the answers with those of others between. */
function inOrder(cases: readonly Case[], random: Random): { one: Case; edit: Case['edits'][number] }[] {
  const rows = cases.map((one) => one.edits.map((edit) => ({ one, edit })))
  if (random() < 0.5) return rows.flat()
  return Array.from({ length: MOST_EDITS }, (_each, turn) => rows.flatMap((row) => row.slice(turn, turn + 1))).flat()
}

function shownCase({ kind, before, edits }: Case): object {
  return { kind, before, blocks: edits.map(({ block }) => block) }
}

function tally(figures: TrialFigures, { edits, kind }: Case, isRight: boolean): void {
  figures.edits += edits.length
  const places = [
    ...new Set(edits.map(({ name }) => name)),
  ].map((name) => (figures.byVerb[name] ??= { cases: 0, right: 0 }))
  places.push(figures.byFile[kind] ??= { cases: 0, right: 0 })
  places.push(figures.byEdits[String(edits.length)] ??= { cases: 0, right: 0 })
  for (const counts of places) {
    counts.cases++
    if (isRight) counts.right++
  }
}

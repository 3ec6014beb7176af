import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { structuredPatch } from 'diff'
import { readGoldens } from '../../../../../test/support/goldens.js'
import { tempDir } from '../../../../../test/support/temp-dir.js'
import { contextFor, runVerb } from '../../../../5-executor/test/verbs/golden-harness.js'

/** A call of a structural verb on one file, as `test-data/structural` writes it. */
export interface StructuralCase {
  name: string
  file: string
  before: string
  verb: string
  symbol: string
  line?: number
  newText: string
  /** What the file has become, and the result. */
  change: string
  result: string
}

/**
 * Level-2 headings name the file; fences are `before` (else that of the case above), `call` (verb, symbol, line), `new`,
 * `change` (a difference with one line around; none: unchanged) and `result`.
 */
export function readStructuralCases(file: URL): StructuralCase[] {
  let before = ''
  return readGoldens(file).map(({ name, group, fences }) => {
    const body = (wanted: string): string | undefined =>
      fences.find(({ info }) => info.split(' ')[1] === wanted)?.body
    const own = body('before')
    if (own !== undefined) before = `${own}\n`
    const [verb = '', symbol = '', line] = (body('call') ?? '').split(' ')
    return {
      name: `${group}: ${name}`, file: group, before, verb, symbol, newText: body('new') ?? '',
      ...(line !== undefined && { line: Number(line) }),
      change: body('change') ?? '', result: body('result') ?? '',
    }
  })
}

export interface Outcome {
  after: string
  result: string
}

/** Runs a case on a file with this text. */
export async function runStructural(
  { file, verb, symbol, line, newText }: StructuralCase, text: string, kind: 'disk' | 'overlay' = 'disk',
): Promise<Outcome> {
  const root = tempDir()
  writeFileSync(join(root, file), text)
  const hints: string[] = []
  const context = { ...contextFor(root, kind), advise: (hint: string) => void hints.push(hint) }
  const args = { path: file, symbol, new_text: newText, ...(line !== undefined && { line }) }
  const outcome = await runVerb(verb, args, context) as Record<string, unknown>
  return { after: readFileSync(join(root, file), 'utf8'), result: shownResult(outcome, hints) }
}

function shownResult(outcome: Record<string, unknown>, hints: readonly string[]): string {
  const { data, code, message, hint } = outcome
  if (data === undefined) return `${String(code)} ${String(message)}\n${String(hint)}`
  const { symbol, startLine, endLine, alreadyApplied } = data as Record<string, string | number | boolean>
  const words = [String(symbol), `${Number(startLine)}-${Number(endLine)}`, ...(alreadyApplied ? ['already'] : [])]
  return [words.join(' '), ...hints].join('\n')
}

/** A difference without what is invisible: no space at line ends. */
export function shownChange(before: string, after: string): string {
  const { hunks } = structuredPatch('a', 'b', before, after, '', '', { context: 1 })
  return hunks.flatMap(({ newStart, lines }) => [`@@ ${newStart}`, ...lines.map((line) => line.trimEnd())]).join('\n')
}

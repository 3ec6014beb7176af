import { examine, type Finding, type FindingStatus } from '../../../doctor/src/index.js'
import { createPalette, plural, type Palette } from '../../../reports/src/index.js'
import { escapeControls, wrapWords } from '../../../text/src/index.js'
import type { Arguments } from '../arguments.js'
import { existingRoot } from '../existing-root.js'
import { EXIT } from '../exit-codes.js'
import { interruptible } from '../interrupt.js'
import { isTerminal, print, printJson, wantsColour } from '../output.js'

const MARKS: Readonly<Record<FindingStatus, string>> = { ok: '✓', note: '–', warning: '!', problem: '✗' }
const TITLE = 14

/** `hermes doctor`: what runs need, and what to do where something is missing. */
export async function doctor(args: Arguments): Promise<number> {
  const interrupt = interruptible()
  const queue = args.value('queue')
  const findings = await interrupt.during(() => examine({
    root: existingRoot(args), signal: interrupt.signal, ...(queue !== undefined && { queue }),
  }))
  const bad = findings.filter(({ status }) => status === 'warning' || status === 'problem')
  if (args.has('json')) printJson({ success: bad.length === 0, findings })
  else print(render(findings, bad))
  return interrupt.exitCode ?? (bad.length === 0 ? EXIT.ok : EXIT.failed)
}

function render(findings: readonly Finding[], bad: readonly Finding[]): string {
  const palette = createPalette(wantsColour())
  const width = isTerminal('stdout') ? process.stdout.columns || 80 : Infinity
  const problems = bad.filter(({ status }) => status === 'problem').length
  const counts = [
    ...(problems > 0 ? [palette.bad(plural(problems, 'problem'))] : []),
    ...(bad.length > problems ? [palette.note(plural(bad.length - problems, 'warning'))] : []),
  ]
  return [
    ...findings.map((finding) => line(finding, palette, width)),
    '',
    counts.length === 0 ? 'Nothing is in the way.' : counts.join(', '),
    '',
  ].join('\n')
}

function line({ status, title, detail, fix }: Finding, palette: Palette, width: number): string {
  const colour = { ok: palette.good, note: palette.faint, warning: palette.note, problem: palette.bad }[status]
  const text = (written: string, indent: number): string => wrapWords(escapeControls(written, true), indent, width)
  const found = `${colour(MARKS[status])}  ${title.padEnd(TITLE)}${text(detail, TITLE + 3)}`
  return fix === undefined ? found
    : `${found}\n${' '.repeat(TITLE + 3)}${palette.faint(`fix: ${text(fix, TITLE + 8)}`)}`
}

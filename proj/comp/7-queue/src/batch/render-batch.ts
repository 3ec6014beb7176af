import { createPalette, plural } from '../../../1-reports/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'
import type { BatchStatistics } from './statistics.js'
import type { RunAgain, ProgressScreen } from '../../../6-replay/src/index.js'

const MOST_SHOWN = 20
/** Most characters shown of names and messages, which a model or worker may have made up. */
const MOST_NAME = 100
const MOST_MESSAGE = 500

function shown(text: string, most: number): string {
  return escapeControls(clip(text, most))
}

/** The result of a batch, for people. */
export function renderBatch(
  {
    prompts, answered, stopped, stoppedBy: { loop = 0 }, failed, failures, notes, bad, tokens, tools, extensions,
  }: BatchStatistics,
  { colour }: { colour: boolean },
): string {
  const { bad: red, good, note: yellow, faint, strong } = createPalette(colour)
  const width = Math.max(0, ...Object.keys(tools).map((name) => shown(name, MOST_NAME).length))
  const lines = [
    ...Object.entries(tools).sort(([, a], [, b]) => b.calls - a.calls).map(([name, { calls, failure }]) => (
      `  ${shown(name, MOST_NAME).padEnd(width)}  `
        + `${plural(calls, 'call')}${failure === 0 ? '' : `, ${red(`${failure} failed`)}`}`
    )),
    ...Object.entries(extensions).map(([name, answers]) => (
      `  ${shown(name, MOST_NAME)}  changed ${plural(answers, 'answer')} before ${answers === 1 ? 'it' : 'they'} ran`
    )),
    ...failures.slice(0, MOST_SHOWN).map(({ name, code, message }) =>
      `${red('✗')} ${shown(name, MOST_NAME)}: ${shown(message, MOST_MESSAGE)} ${faint(code)}`),
    ...(failures.length > MOST_SHOWN
      ? [faint(`… ${failures.length - MOST_SHOWN} more failures in statistics.json`)] : []),
    ...notes.slice(0, MOST_SHOWN).map(({ name, note }) =>
      `${yellow('–')} ${shown(name, MOST_NAME)}: ${shown(note, MOST_MESSAGE)}`),
    ...bad.slice(0, MOST_SHOWN).map(({ line, problem }) => `${red('✗')} line ${line}: ${problem}`),
    [
      strong(plural(prompts, 'prompt')), good(`${answered} answered`),
      ...(stopped === 0 ? [] : [`${stopped} stopped before an answer${loop === 0 ? '' : ` (${loop} in a loop)`}`]),
      ...(failed === 0 ? [] : [red(`${failed} failed`)]),
      ...(bad.length === 0 ? [] : [red(`${bad.length} unreadable`)]),
      faint(`${tokens.input} tokens in, ${tokens.output} out`),
    ].join(' · '),
  ]
  return `${lines.join('\n')}\n`
}

/** Names that are shown for each reason. */
const MOST_NAMES = 5
const LONGEST_NAME = 60

/** Says which prompts would be paid for again, and why: a line with their number, and one for each reason. */
export function paidAgainLines(again: readonly RunAgain[]): string[] {
  const count = again.reduce((sum, { names }) => sum + names.length, 0)
  return [
    `${plural(count, 'prompt')} with a result would be run and paid for again`,
    ...again.map(({ changed, names }) => {
      const named = names.slice(0, MOST_NAMES).map((name) => shown(name, LONGEST_NAME))
      const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
      return `another ${changed}: ${names.length} (${named.join(', ')}${more})`
    }),
  ]
}

const EVERY_MS = { terminal: 100, plain: 10_000 }

/** Tells how far a batch is: at a terminal on one line, else a line every ten seconds. */
export function batchProgress(
  { isTerminal: isLive, write }: Pick<ProgressScreen, 'isTerminal' | 'write'>,
): { tell: (statistics: BatchStatistics) => void; end: () => void } {
  let toldAt = performance.now()
  let isShown = false
  return {
    tell({ prompts, failed, tokens }) {
      if (performance.now() - toldAt < (isLive ? EVERY_MS.terminal : EVERY_MS.plain)) return
      toldAt = performance.now()
      isShown = isLive
      const line = `${plural(prompts, 'prompt')} done, ${failed} failed, ${tokens.input + tokens.output} tokens`
      write(isLive ? `\r\u001b[2K${line}` : `${line}\n`)
    },
    end: () => {
      if (isShown) write('\r\u001b[2K')
      isShown = false
    },
  }
}

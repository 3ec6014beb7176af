import { createPalette, plural } from '../../../1-reports/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'
import type { BatchStatistics } from './statistics.js'

const MOST_SHOWN = 20
/** Most characters shown of names and messages, which a model or worker may have made up. */
const MOST_NAME = 100
const MOST_MESSAGE = 500

function shown(text: string, most: number): string {
  return escapeControls(clip(text, most))
}

function inLoops(count = 0): string {
  return count === 0 ? '' : ` (${count} in a loop)`
}

/** The result of a batch, for people. */
export function renderBatch(
  { prompts, answered, stopped, stoppedBy, failed, failures, notes, bad, tokens, tools, extensions }: BatchStatistics,
  { colour }: { colour: boolean },
): string {
  const { bad: red, good, note: yellow, faint, strong } = createPalette(colour)
  const width = Math.max(0, ...Object.keys(tools).map((name) => shown(name, MOST_NAME).length))
  const lines = [
    ...Object.entries(tools).sort(([, one], [, other]) => other.calls - one.calls).map(([name, { calls, failure }]) => (
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
      ...(stopped === 0 ? [] : [`${stopped} stopped before an answer${inLoops(stoppedBy.loop)}`]),
      ...(failed === 0 ? [] : [red(`${failed} failed`)]),
      ...(bad.length === 0 ? [] : [red(`${bad.length} unreadable`)]),
      faint(`${tokens.input} tokens in, ${tokens.output} out`),
    ].join(' · '),
  ]
  return `${lines.join('\n')}\n`
}

import { examineToolsets, type ExaminedToolset } from '../../doctor/src/index.js'
import { createPalette, plural } from '../../reports/src/index.js'
import type { Arguments } from './arguments.js'
import { existingRoot } from './existing-root.js'
import { EXIT } from './exit-codes.js'
import { print, printJson, wantsColour } from './output.js'

/** `hermes tools doctor`: each toolset, and what keeps it from being used. */
export async function toolsDoctor(args: Arguments): Promise<number> {
  const examined = await examineToolsets(existingRoot(args), args.values('toolset'))
  if (args.has('json')) printJson(examined)
  else print(text(examined))
  return examined.some(one => one.enabled && ['partly', 'unavailable'].includes(one.status)) ? EXIT.failed : EXIT.ok
}

const WORDS: Readonly<Record<ExaminedToolset['status'], string>> = {
  available: 'available', partly: 'partly available', unavailable: 'not available', off: 'switched off by the policy',
  empty: 'nothing is configured for it',
}

function text(examined: readonly ExaminedToolset[]): string {
  const { good, bad, note, faint, strong } = createPalette(wantsColour())
  const paint = { available: good, partly: note, unavailable: bad, off: faint, empty: faint }
  const width = Math.max(...examined.map(({ toolset }) => toolset.length)) + 2
  return examined.flatMap(({ toolset, status, verbs, enabled, problems }) => [
    [
      strong(toolset.padEnd(width)), paint[status](WORDS[status]), verbs > 0 ? faint(`, ${plural(verbs, 'verb')}`) : '',
      enabled ? '' : faint(', not in your settings'),
    ].join(''),
    ...problems.map(({ reason, fix, verbs: names }) => `  ${reason}: ${names.join(', ')}\n    ${fix}`),
  ]).join('\n').concat('\n')
}

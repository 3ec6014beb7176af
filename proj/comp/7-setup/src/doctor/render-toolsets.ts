import type { ExaminedToolset } from './check-toolsets.js'
import { createPalette, plural } from '../../../1-reports/src/index.js'

const WORDS: Readonly<Record<ExaminedToolset['status'], string>> = {
  available: 'available', partly: 'partly available', unavailable: 'not available', off: 'switched off by the policy',
  empty: 'nothing is configured for it',
}

/** Toolsets, and what keeps each from being used. */
export function renderToolsets(examined: readonly ExaminedToolset[], { colour }: { colour: boolean }): string {
  const { good, bad, note, faint, strong } = createPalette(colour)
  const paint = { available: good, partly: note, unavailable: bad, off: faint, empty: faint }
  const width = Math.max(...examined.map(({ toolset }) => toolset.length)) + 2
  return examined.flatMap(({ toolset, status, verbs, enabled, problems, commands }) => [
    [
      strong(toolset.padEnd(width)), paint[status](WORDS[status]), verbs > 0 ? faint(`, ${plural(verbs, 'verb')}`) : '',
      enabled ? '' : faint(', not in your settings'),
    ].join(''),
    ...(commands === undefined ? [] : [note(`  ${commands}`)]),
    ...problems.map(({ reason, fix, verbs: names }) => `  ${reason}: ${names.join(', ')}\n    ${fix}`),
  ]).join('\n').concat('\n')
}

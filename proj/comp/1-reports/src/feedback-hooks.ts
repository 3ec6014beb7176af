import type { ExecutionResult, HookMoment, HookResult } from '../../0-contracts/src/index.js'
import { hintLines, INDENT } from './block-frames.js'
import { plural } from './quantities.js'
import { oneLine, tail } from './safe-text.js'
import { namesOf } from './terminal-hooks.js'

const OUTPUT_LINES = 40
const MOST_NAMED = 20
const WHEN: Readonly<Record<HookMoment, string>> = {
  before: 'before the blocks', after_write: 'after the blocks had written files', after: 'after the blocks',
}

/** Feedback on hooks for the model: failed ones, and files that no longer hold what it wrote. */
export function hookFeedback({ hooks = [] }: ExecutionResult): string[] {
  return [...hooks.filter(({ success }) => !success).map(failed), ...changedFiles(hooks)]
}

function failed(hook: HookResult): string {
  return [...hookFrame(hook), ...outputFrame('output', hook.output)].join('\n')
}

/** The end of what was printed, below its name. */
export function outputFrame(name: string, output: string): string[] {
  const { lines, omitted, cut } = tail(output, OUTPUT_LINES)
  if (lines.length === 0) return []
  const left = cut ? 'the output before them is left out' : `${omitted} before them left out`
  const end = omitted > 0 ? ` (the last ${plural(lines.length, 'line')}, ${left})` : ''
  return [`${INDENT}${name}${end}:`, ...lines.map((line) => `${INDENT}| ${line}`)]
}

/** The failure of a hook, without its output. */
export function hookFrame(
  { name, on, command, code = 'FAILED', error = 'failed', hint, ignored, paths, blocks }: HookResult,
): string[] {
  const by = blocks === undefined ? ''
    : ` of ${blocks.length === 1 ? 'block' : 'blocks'} ${namesOf(blocks, MOST_NAMED)}`
  return [
    `HOOK FAILED ${oneLine(name, 40)} (${WHEN[on]}${ignored === true ? '; it counts as a warning' : ''}): `
      + `${oneLine(command, 400)}`,
    `${INDENT}${oneLine(code)}: ${oneLine(error, 1000)}`,
    ...(paths === undefined ? [] : [`${INDENT}It ran for ${namesOf(paths, MOST_NAMED)}${by}.`]),
    ...hintLines(hint),
  ]
}

/** Files that no longer hold what the blocks wrote. */
export function changedFiles(hooks: readonly Pick<HookResult, 'name' | 'changed'>[]): string[] {
  const names = new Map<string, Set<string>>()
  for (const { name, changed = [] } of hooks) {
    for (const path of changed) names.set(path, (names.get(path) ?? new Set()).add(name))
  }
  if (names.size === 0) return []
  const by = [...new Set([...names.values()].flatMap((all) => [...all]))]
  const isOne = names.size === 1
  return [
    `Changed after the blocks by ${by.length === 1 ? 'the hook' : 'the hooks'} ${namesOf(by, MOST_NAMED)}: `
    + `${namesOf([...names.keys()], MOST_NAMED)}. `
    + `Read ${isOne ? 'it' : 'them'} before you edit ${isOne ? 'it' : 'them'} again.`,
  ]
}

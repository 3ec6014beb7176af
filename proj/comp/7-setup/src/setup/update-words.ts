import { HermesError } from '../../../0-contracts/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import type { Installation } from './installation.js'
import type { SettingsState } from './settings-state.js'
import type { whyNoPull } from './update-clone.js'

/** What an update would do, for people. @param problem why it is not done */
export function describeUpdate(
  version: string, { words, source, update: commands, manual }: Installation, problem: string | undefined,
): string {
  const origin = source === undefined ? '' : `, from ${source}`
  return [
    `hermes ${version} is ${escapeControls(words + origin)}. This brings it up to date:`, '',
    ...commands.map((command) => `  ${escapeControls(command)}`), '',
    ...[manual, problem === undefined ? undefined : `${problem}.`].flatMap((line) =>
      (line === undefined ? [] : [escapeControls(line), ''])),
  ].join('\n')
}

/** What to do about settings that are not of this version. */
export function settingsAdvice(settings: SettingsState): string {
  if (settings === 'unreadable') return ' Your settings cannot be read: hermes config check says why.\n'
  return settings === 'old' ? ' Your settings are of an older version: hermes config migrate.\n' : '\n'
}

/** Refuses what hermes cannot do itself. @throws HermesError `NOT_UPDATED` */
export function requireUpdatable(
  { steps, manual, update: commands }: Installation, problem: ReturnType<typeof whyNoPull>,
): void {
  if (problem) throw new HermesError('NOT_UPDATED', problem.reason, { hint: problem.hint })
  if (steps.length > 0) return
  throw new HermesError('NOT_UPDATED', `Not updated. ${manual ?? ''}`.replace(/\.$/, ''), {
    hint: `Do it yourself: ${commands.join(' && ')}`,
  })
}

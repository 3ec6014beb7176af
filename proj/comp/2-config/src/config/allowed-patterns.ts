import { resolve } from 'node:path'
import { NEW_POLICY_FILE } from './config-version.js'
import { withEntries } from './list-entries.js'
import { shownOwnFile } from './hermes-home.js'
import { userPolicyFile } from './policy-files.js'

/** Lists of the user's file that answers add to. */
export type AllowedList = 'command_allowlist' | 'trusted_hooks'

/**
 * Adds an entry to a list of the user's policy file, which is made where there is none; comments and
 * order are kept. Written to a temporary file and renamed; a link keeps standing, and its target is replaced.
 *
 * @param pattern name of a dangerous pattern, or a project whose hooks are trusted
 * @param path of a policy file in place of `~/.hermes/config.yaml`
 * @throws HermesError `INVALID_POLICY` for a file that cannot be read, `LOCKED`;
 *   Node's errors for one that cannot be written
 */
export async function storeAllowedPattern(
  pattern: string, path?: string, list: AllowedList = 'command_allowlist',
): Promise<void> {
  const name = path ?? shownOwnFile()
  const file = { whose: 'user', path: resolve(path ?? userPolicyFile()), name, directory: undefined } as const
  // With what parses and changes settings, which no run needs at its start.
  const { rewritten } = await import('./change-config.js')
  await rewritten(file, ({ text }) => withEntries(text, [pattern], { key: list, name, heading: NEW_POLICY_FILE }))
}

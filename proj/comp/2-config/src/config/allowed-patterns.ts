import { resolve } from 'node:path'
import { NEW_POLICY_FILE } from './config-version.js'
import { withEntries } from './list-entries.js'
import { shownOwnFile } from './hermes-home.js'
import { whileLocked } from './lock-policy-file.js'
import { readPolicyFile, userPolicyFile } from './policy-files.js'
import { replacePolicyFile } from './replace-policy-file.js'

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
  const file = resolve(path ?? userPolicyFile())
  const name = path ?? shownOwnFile()
  for (;;) {
    const text = readPolicyFile(file, name, true) ?? ''
    const added = await withEntries(text, [pattern], { key: list, name, heading: NEW_POLICY_FILE })
    if (added === text) return
    const isWritten = await whileLocked(file, () => {
      if ((readPolicyFile(file, name, true) ?? '') !== text) return false
      replacePolicyFile(file, added)
      return true
    })
    if (isWritten) return
  }
}

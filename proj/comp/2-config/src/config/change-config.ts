import { readFileSync } from 'node:fs'
import { HermesError, type ReadFormat } from '../../../0-contracts/src/index.js'
import { readConfig, type ConfigFile } from './config-files.js'
import { NEW_POLICY_FILE } from './config-version.js'
import { withPolicyValue, type PolicyText } from './edit-policy.js'
import { withEntries } from './list-entries.js'
import { whileLocked } from './lock-policy-file.js'
import { parsePolicy } from './parse-policy.js'
import { replacePolicyFile } from './replace-policy-file.js'

/** Mode of a project's file, which everybody in the project reads. */
const PROJECT_MODE = 0o644

/**
 * Sets or removes one value.
 *
 * @returns the file's text before and after
 * @throws HermesError `INVALID_OPTION`, `INVALID_POLICY`, `LOCKED`; the code of the system
 */
export async function setValue(
  file: ConfigFile, key: string, values: readonly string[] | undefined,
): Promise<{ before: string; text: string }> {
  return rewritten(file, async (before) => withPolicyValue(before, key, values))
}

/**
 * Adds dialects to those in a file, and creates it if missing.
 *
 * @throws HermesError as `setValue`
 */
export async function addDialects(file: ConfigFile, formats: readonly ReadFormat[]): Promise<void> {
  await rewritten(file, async ({ text, name, directory }) => {
    const changed = await withEntries(text, formats, { key: 'dialects', name, heading: '' })
    const whole = text.trim() === '' ? NEW_POLICY_FILE + changed : changed
    await parsePolicy(whole, name, directory)
    return whole
  })
}

/** Changes a file, and changes it anew where somebody else wrote meanwhile, so that both changes are kept. */
export async function rewritten(
  file: Omit<ConfigFile, 'exists'>, change: (before: PolicyText) => Promise<string>,
): Promise<{ before: string; text: string }> {
  for (;;) {
    const before = readConfig(file)
    const text = await change(before)
    if (await isWritten(file, before.text, text)) return { before: before.text, text }
  }
}

/** @throws HermesError `CHANGED_ON_DISK` where somebody else wrote meanwhile */
export async function changeConfig(file: ConfigFile, before: string | Buffer, text: string): Promise<void> {
  if (await isWritten(file, before, text)) return
  throw new HermesError(
    'CHANGED_ON_DISK', `${file.name} was changed by someone else meanwhile`,
    { hint: 'Nothing was written: try again.' },
  )
}

/**
 * @returns false where somebody else wrote meanwhile
 * @throws HermesError with the code of the system, `LOCKED`
 */
async function isWritten(file: Omit<ConfigFile, 'exists'>, before: string | Buffer, text: string): Promise<boolean> {
  const isSame = (): boolean => (typeof before === 'string' ? readConfig(file).text === before
    : readFileSync(file.path).equals(before))
  if (text === before) return isSame()
  return whileLocked(file.path, () => {
    if (!isSame()) return false
    replacePolicyFile(file.path, text, file.whose === 'project' ? PROJECT_MODE : undefined)
    return true
  })
}

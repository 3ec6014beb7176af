import {
  readPolicyFile, replacePolicyFile, shownHome, storeEnvValues, userPolicyFile, whileLocked, withPolicyValue,
} from '../../../2-config/src/index.js'

/** What a setup changes; `undefined` as a value removes it. */
export interface SetupChanges {
  /** Fields of config.yaml. */
  settings: Record<string, string>
  /** Variables of .env. */
  variables: Record<string, string | undefined>
}

/**
 * Writes them: keys into `.env` (mode 600), the rest into `config.yaml`, comments kept.
 *
 * @returns the names of what was written
 * @throws HermesError as the files' own
 */
export async function writeSetup({ settings, variables }: SetupChanges): Promise<string[]> {
  // First what may be refused as a whole.
  const path = userPolicyFile()
  for (;;) {
    const before = readPolicyFile(path, shownHome(path), true) ?? ''
    let text = before
    for (const [key, value] of Object.entries(settings)) {
      text = await withPolicyValue({ text, name: shownHome(path), directory: undefined }, key, [value])
    }
    if (text === before) break
    const isWritten = await whileLocked(path, () => {
      if ((readPolicyFile(path, shownHome(path), true) ?? '') !== before) return false
      replacePolicyFile(path, text)
      return true
    })
    if (isWritten) break
  }
  if (Object.keys(variables).length > 0) await storeEnvValues(variables)
  return [...Object.keys(settings), ...Object.keys(variables)]
}

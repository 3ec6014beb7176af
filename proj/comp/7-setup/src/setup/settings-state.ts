import {
  CONFIG_VERSION, migratePolicy, readPolicyFile, shownHome, userPolicyFile,
} from '../../../2-config/src/index.js'
import { caughtLater, HermesError } from '../../../0-contracts/src/index.js'

export type SettingsState = 'none' | 'current' | 'old' | 'unreadable'

/** Whether the user's file is of this version. */
export async function settingsState(): Promise<SettingsState> {
  const path = userPolicyFile()
  return await caughtLater(HermesError, async () => {
    const text = readPolicyFile(path, shownHome(path), true)
    if (text === undefined) return 'none'
    // A file that never said a version was written for the first.
    if (!/^_config_version:/m.test(text)) return CONFIG_VERSION > 1 ? 'old' : 'current'
    return (await migratePolicy({ text, name: shownHome(path), directory: undefined })).steps.length > 0
      ? 'old' : 'current'
  }, () => 'unreadable')
}

import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import type { PolicyText } from './edit-policy.js'
import { projectPolicyFiles, readPolicyFile, userPolicyFile } from './policy-files.js'

/** A policy file that binds the root, or could. */
export interface ConfigFile {
  whose: 'user' | 'project'
  path: string
  /** What messages call it. */
  name: string
  /** That paths in it start from; `undefined` for the user's. */
  directory: string | undefined
  exists: boolean
}

/** The user's file, the root's own, and those above it that count. */
export function configFiles(directory: string): ConfigFile[] {
  const root = realpathSync(directory)
  const projects = projectPolicyFiles(root)
  const own = projects.find((one) => one.directory === root)
    ?? { path: join(root, 'hermes.yaml'), name: 'hermes.yaml', directory: root }
  const user = userPolicyFile()
  return [
    {
      whose: 'user', path: user, name: user.replace(homedir(), '~').replaceAll('\\', '/'), directory: undefined,
      exists: isThere(user),
    },
    { whose: 'project', ...own, exists: projects.includes(own) },
    ...projects.filter((one) => one !== own).map((one) => ({ whose: 'project' as const, ...one, exists: true })),
  ]
}

/** The root's own file, or the user's. */
export function chosenFile(directory: string, isProject: boolean): ConfigFile {
  const [user, project] = configFiles(directory)
  const file = isProject ? project : user
  if (!file) throw new Error(`no policy file below ${dirname(userPolicyFile())}`)
  return file
}

/**
 * @returns with an empty text where there is no file.
 * @throws HermesError `INVALID_POLICY` for one that cannot be read
 */
export function readConfig({ path, name, directory }: ConfigFile): PolicyText {
  return { text: readPolicyFile(path, name, directory === undefined) ?? '', name, directory }
}

/** Also what cannot be read: whoever reads it says why. */
function isThere(path: string): boolean {
  return orNothing(() => statSync(path, { throwIfNoEntry: false }) !== undefined, true)
}

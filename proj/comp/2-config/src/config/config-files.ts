import { realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import type { PolicyText } from './edit-policy.js'
import { shownHome } from './hermes-home.js'
import { projectPolicyFiles, readPolicyFile, userPolicyFile } from './policy-files.js'

/** A policy file that applies to the root, whether it exists or not. */
export interface ConfigFile {
  whose: 'user' | 'project'
  path: string
  /** Name in messages. */
  name: string
  /** Base of relative paths in it; `undefined` for the user's file. */
  directory: string | undefined
  exists: boolean
}

/** The user's file, the root's, and those of parent directories that apply. */
export function configFiles(directory: string): ConfigFile[] {
  const root = realpathSync(directory)
  const projects = projectPolicyFiles(root)
  const own = projects.find((project) => project.directory === root)
    ?? { path: join(root, 'hermes.yaml'), name: 'hermes.yaml', directory: root }
  const user = userPolicyFile()
  return [
    { whose: 'user', path: user, name: shownHome(user), directory: undefined, exists: isThere(user) },
    { whose: 'project', ...own, exists: projects.includes(own) },
    ...projects.filter((from) => from !== own).map((from) => ({ whose: 'project' as const, ...from, exists: true })),
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
 * @returns with an empty text where there is no file
 * @throws HermesError `INVALID_POLICY` for a file that cannot be read
 */
export function readConfig({ path, name, directory }: Pick<ConfigFile, 'path' | 'name' | 'directory'>): PolicyText {
  return { text: readPolicyFile(path, name, directory === undefined) ?? '', name, directory }
}

/** True also for a file that cannot be read; reading it reports why. */
function isThere(path: string): boolean {
  return orNothing(() => statSync(path, { throwIfNoEntry: false }) !== undefined, true)
}

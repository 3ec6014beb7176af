import { realpathSync, statSync } from 'node:fs'
import { HermesError } from '../../../contracts/src/index.js'
import { loadPolicy, projectPolicyFiles, userPolicyFile } from '../../../config/src/index.js'
import type { Check, Finding } from '../finding.js'
import { quoted } from '../quoted.js'

const title = 'policy files'
/** Others in the group, and all others. */
const WRITABLE_BY_OTHERS = 0o022

/** Whether the policy files that bind the root can be read, and do what they say. */
export const checkConfig: Check = async ({ root }) => {
  const files = [userPolicyFile(), ...projectPolicyFiles(realpathSync(root)).map(({ path }) => path)]
    .filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined)
  try {
    const { warnings } = await loadPolicy({ root: realpathSync(root), policy: undefined, wishes: { limits: {} } })
    const detail = files.length === 0 ? 'none: the defaults count' : files.join(', ')
    return [
      { id: 'config', status: 'ok', title, detail },
      ...warnings.map((warning): Finding => ({
        id: 'config', status: 'warning', title, detail: warning, fix: 'Change or remove it; docs/policy.md says what counts.',
      })),
      ...openToOthers(files),
    ]
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    return [{
      id: 'config', status: 'problem', title, detail: error.message,
      fix: (error.hint ?? 'docs/policy.md describes policy files.').replaceAll('\n', ' '),
    }]
  }
}

function openToOthers(files: readonly string[]): Finding[] {
  if (process.platform === 'win32') return []
  return files.filter((path) => path === userPolicyFile() && (statSync(path).mode & WRITABLE_BY_OTHERS) !== 0).map((path) => ({
    id: 'config-mode', status: 'problem', title, detail: `${path} can be changed by other users, and decides what runs`, fix: `chmod 600 ${quoted(path)}`,
  }))
}

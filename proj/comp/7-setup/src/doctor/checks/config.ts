import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { HermesError } from '../../../../0-contracts/src/index.js'
import {
  CONFIG_VERSION, isOpenToOthers, loadPolicy, parsePolicy, projectPolicyFiles, readPolicyFile, userPolicyFile,
} from '../../../../2-config/src/index.js'
import type { Check, Finding } from '../finding.js'
import { quoted } from '../../quoted.js'

const title = 'policy files'

/** Checks that the policy files for the root are readable and valid. */
export const checkConfig: Check = async ({ root }) => {
  const files = [userPolicyFile(), ...projectPolicyFiles(realpathSync(root)).map(({ path }) => path)]
    .filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined)
  const open = openToOthers(files)
  if (open.length > 0) return open
  try {
    const { warnings } = await loadPolicy({ root: realpathSync(root), policy: undefined, wishes: { limits: {} } })
    const detail = files.length === 0 ? 'none: the defaults count' : files.join(', ')
    return [
      { id: 'config', status: 'ok', title, detail },
      ...warnings.map((warning): Finding => ({
        id: 'config', status: 'warning', title, detail: warning,
        fix: 'Change or remove it; hermes help policy says what counts.',
      })),
      ...await newerFiles(files),
    ]
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    return [{
      id: 'config', status: 'problem', title, detail: error.message,
      fix: (error.hint ?? 'hermes help policy describes policy files.').replaceAll('\n', ' '),
    }]
  }
}

/** Files of a newer hermes may mean something else there. */
async function newerFiles(files: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const path of files) {
    const isUsers = path === userPolicyFile()
    const text = readPolicyFile(path, path, isUsers) ?? ''
    const { values: { _config_version: version = 0 } } = await parsePolicy(
      text, path, isUsers ? undefined : dirname(path),
    )
    if (version <= CONFIG_VERSION) continue
    findings.push({
      id: 'config-version', status: 'warning', title,
      detail: `${path} is of version ${version}, this hermes knows ${CONFIG_VERSION}`,
      fix: 'Update hermes; or look at what the newer one changed, and write the older version into _config_version.',
    })
  }
  return findings
}

function openToOthers(files: readonly string[]): Finding[] {
  return files.filter((path) => path === userPolicyFile() && isOpenToOthers(statSync(path))).map((path) => ({
    id: 'config-mode', status: 'problem', title, detail: `${path} can be changed by other users, and decides what runs`,
    fix: `chmod 600 ${quoted(path)}`,
  }))
}

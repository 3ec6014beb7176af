import { realpathSync } from 'node:fs'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { distrust } from '../../../2-processes/src/index.js'
import type { Check, Examined, Finding } from './finding.js'
import { checkAgent } from './checks/agent.js'
import { checkBroughtVerbs } from './checks/brought-verbs.js'
import { checkConfig } from './checks/config.js'
import { checkGit } from './checks/git.js'
import { checkInterpreters } from './checks/interpreters.js'
import { checkHosts } from './checks/named-hosts.js'
import { checkNode } from './checks/node.js'
import { checkPackages } from './checks/packages.js'
import { checkPath } from './checks/path.js'
import { checkQueue } from './checks/queue.js'
import { checkRoot } from './checks/root.js'
import { checkSandbox } from './checks/sandbox.js'

const CHECKS: readonly Check[] = [
  checkNode, checkGit, checkInterpreters, checkSandbox, checkHosts, checkRoot, checkConfig, checkAgent,
  checkPackages, checkBroughtVerbs, checkQueue, checkPath,
]

/** Examines everything that runs need here, by trying it where possible. Changes nothing in the root. */
export async function examine(examined: Examined): Promise<Finding[]> {
  // Models write there: from now on this process takes no git or interpreter from it.
  distrust([orNothing(() => realpathSync.native(examined.root), examined.root)])
  const findings: Finding[] = []
  for (const check of CHECKS) {
    if (examined.signal.aborted) break
    findings.push(...await checked(check, examined))
  }
  return findings
}

/** The findings of a check; if it throws, its error is the finding, and the others still run. */
async function checked(check: Check, examined: Examined): Promise<Finding[]> {
  try {
    return await check(examined)
  } catch (error) {
    if (examined.signal.aborted) return []
    if (!isNodeError(error) && !(error instanceof HermesError)) throw error
    const id = check.name.replace(/^check/, '').toLowerCase()
    return [{
      id, status: 'problem', title: id, detail: `cannot be examined: ${error.message}`,
      fix: (error instanceof HermesError ? error.hint : undefined)
        ?? 'Look at the path or the program it names; TMPDIR must be a directory that can be written.',
    }]
  }
}

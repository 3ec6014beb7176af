import type { Check, Examined, Finding } from './finding.js'
import { checkConfig } from './checks/config.js'
import { checkGit } from './checks/git.js'
import { checkInterpreters } from './checks/interpreters.js'
import { checkNode } from './checks/node.js'
import { checkPackages } from './checks/packages.js'
import { checkQueue } from './checks/queue.js'
import { checkRoot } from './checks/root.js'
import { checkSandbox } from './checks/sandbox.js'

const CHECKS: readonly Check[] = [
  checkNode, checkGit, checkInterpreters, checkSandbox, checkRoot, checkConfig, checkPackages, checkQueue,
]

/** Looks at all that runs need here, by trying it where it can be tried. Nothing in the root is changed. */
export async function examine(examined: Examined): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const check of CHECKS) {
    if (examined.signal.aborted) break
    findings.push(...await check(examined))
  }
  return findings
}

import { accessSync, constants, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isNodeError, orNothing } from '../../../../0-contracts/src/index.js'
import { isInside } from '../../../../2-files/src/index.js'
import { listRuns } from '../../../../3-transaction/src/index.js'
import { ownPackage } from '../../../../2-packages/src/index.js'
import type { Check, Examined, Finding } from '../finding.js'
import { quoted } from '../../quoted.js'

/** Permission bits of group and others: only the owner may read the journals. */
const NOT_OF_THE_OWNER = 0o077

/** Checks that files can be changed here, and that hermes' own directory is intact. */
export const checkRoot: Check = async (examined) => [
  writable(examined.root), ...installation(examined.root), ...stateDirectory(examined.root),
  ...await interruptedRuns(examined),
]

function writable(root: string): Finding {
  const finding = { id: 'root', title: 'root', detail: root }
  try {
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK)
    return { ...finding, status: 'ok' }
  } catch (error) {
    if (!isNodeError(error)) throw error
    return {
      ...finding, status: 'problem', detail: `${root} cannot be read and written (${error.code})`,
      fix: `chmod u+rwx ${quoted(root)}, or work elsewhere with --root.`,
    }
  }
}

/** Advises against an installation inside the root: its files are closed to verbs, but better out of reach. */
function installation(root: string): Finding[] {
  const place = ownPackage()
  if (place === undefined || !isInside(orNothing(() => realpathSync.native(root), root), place)) return []
  return [{
    id: 'installation', status: 'note', title: 'installation',
    detail: `hermes lies in the root (${place}): runs can write beside it, and npm ci fails in the sandbox`,
    fix: 'Install it outside of what models work in: npm pack in a clone, then npm install -g with the tarball.',
  }]
}

function stateDirectory(root: string): Finding[] {
  const path = join(root, '.hermes')
  const finding = { id: 'state', title: '.hermes' }
  const stat = orNothing(() => lstatSync(path), undefined)
  if (stat === undefined) return [{ ...finding, status: 'ok', detail: 'not there yet: the first run makes it' }]
  if (!stat.isDirectory()) {
    return [{
      ...finding, status: 'problem', detail: `${path} is no directory: every run fails`,
      fix: 'Remove it: hermes keeps its own files there.',
    }]
  }
  const journal = join(path, 'journal')
  if (orNothing(() => !lstatSync(journal).isDirectory(), false)) {
    return [{
      ...finding, status: 'problem', detail: `${journal} is no directory: every run fails`,
      fix: `mv ${quoted(journal)} ${quoted(`${journal}.old`)}`,
    }]
  }
  const findings: Finding[] = []
  const uid = process.getuid?.()
  if (uid !== undefined && stat.uid !== uid && uid !== 0) {
    findings.push({
      ...finding, status: 'problem', detail: `${path} belongs to another user (${stat.uid}): runs fail with EACCES`,
      fix: `sudo chown -R "$(id -u)" ${quoted(path)}`,
    })
  } else if (process.platform !== 'win32' && (stat.mode & NOT_OF_THE_OWNER) !== 0) {
    findings.push({
      ...finding, status: 'warning', detail: `${path} is open to other users: journals hold what files had before`,
      fix: `chmod 700 ${quoted(path)}`,
    })
  }
  const ignored = orNothing(() => readFileSync(join(path, '.gitignore'), 'utf8'), '*')
  if (!ignored.split('\n').includes('*')) {
    findings.push({
      ...finding, status: 'warning', detail: `${path}/.gitignore does not keep git out`,
      fix: `echo '*' > ${quoted(`${path}/.gitignore`)}`,
    })
  }
  return findings.length > 0 ? findings
    : [{ ...finding, status: 'ok', detail: 'only you can look in, and git ignores it' }]
}

async function interruptedRuns({ root }: Examined): Promise<Finding[]> {
  if (orNothing(() => !lstatSync(join(root, '.hermes', 'journal')).isDirectory(), true)) return []
  const runs = await listRuns(realpathSync(root))
  return runs.filter(({ state }) => state === 'open' || state === 'damaged').map(({ runId, state }) => ({
    id: 'runs', title: 'runs', status: 'problem',
    detail: state === 'open' ? `run ${runId} died: the next run waits for its recovery`
      : `the journal of run ${runId} cannot be read: it cannot be taken back`,
    fix: state === 'open' ? 'hermes recover' : `Remove .hermes/journal/${runId}, if you need no undo of it.`,
  }))
}

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError } from '../../../../0-contracts/src/index.js'
import { findWorkTree, operationInProgress, runGit } from '../../../../2-git/src/index.js'
import type { Check, Examined, Finding } from '../finding.js'
import { quoted } from '../../quoted.js'
import { firstLine } from '../first-line.js'

const title = 'git'
/** Age from which git's index lock counts as stale, in milliseconds. */
const STALE_MS = 10 * 60_000
const IDENTITY = 'git config --global user.name "Your Name" && git config --global user.email you@example.com'

/** Checks that runs can be committed, and that undo can know what commands changed. */
export const checkGit: Check = async (examined) => {
  const version = await firstLine('git', ['--version'], examined.signal)
  if (version === undefined) {
    return [{
      id: 'git', status: 'warning', title,
      detail: 'not found in PATH: runs make no commits, and undo knows nothing of what commands changed',
      fix: 'Install git (apt install git, brew install git), or go on without it.',
    }]
  }
  const finding: Finding = { id: 'git', status: 'ok', title, detail: version.replace(/^git version /, '') }
  return [finding, ...await workTree(examined)]
}

async function workTree({ root, signal }: Examined): Promise<Finding[]> {
  const run = { verb: 'doctor', cwd: root, signal }
  try {
    const { top, gitDirectory } = await findWorkTree(run)
    const place: Finding = { id: 'git-root', status: 'ok', title: 'work tree', detail: top }
    const operation = operationInProgress(gitDirectory)
    return [
      operation === undefined ? place : {
        ...place, status: 'warning', detail: `${top}: ${operation} is in progress, runs make no commit`,
        fix: 'End it, or abort it, with git.',
      },
      ...staleLock(gitDirectory),
      ...await identity(run),
    ]
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    if (error.code !== 'NOT_A_REPOSITORY') {
      return [{
        id: 'git-root', status: 'problem', title: 'work tree', detail: error.message,
        fix: error.hint ?? 'Mend the repository, or run with --no-git.',
      }]
    }
    return [{
      id: 'git-root', status: 'note', title: 'work tree',
      detail: `${root} is in no git work tree: runs make no commits; undo works all the same`,
      fix: 'git init, if you want each run to be a commit.',
    }]
  }
}

/** A killed git leaves its lock behind, which blocks every further commit. */
function staleLock(gitDirectory: string): Finding[] {
  const path = join(gitDirectory, 'index.lock')
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity)
  if (age < STALE_MS) return []
  const minutes = Math.floor(age / 60_000)
  return [{
    id: 'git-lock', status: 'problem', title: 'git lock',
    detail: `${path} is ${minutes} min old: no run can commit (LOCKED)`,
    fix: `See that no git works here (ps), then rm ${quoted(path)}`,
  }]
}

async function identity(run: { verb: string; cwd: string; signal: AbortSignal }): Promise<Finding[]> {
  const asked = await runGit(['var', 'GIT_COMMITTER_IDENT'], { ...run, env: { LC_ALL: 'C' } })
  const set = await runGit(['config', '--get-regexp', '^user\\.(name|email)$'], run)
  const keys = set.stdout.toString('utf8')
  const isNamed = (name: string): boolean => (
    keys.includes(`user.${name} `) || process.env[`GIT_COMMITTER_${name.toUpperCase()}`] !== undefined
  )
  if (asked.exitCode === 0 && isNamed('name') && isNamed('email')) return []
  return [{
    id: 'git-identity', status: 'warning', title: 'git identity',
    detail: 'user.name or user.email is not set: runs cannot commit (NO_IDENTITY)', fix: IDENTITY,
  }]
}

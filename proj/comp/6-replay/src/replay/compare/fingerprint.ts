import { createHash } from 'node:crypto'
import { usageError, valueAt } from '../../../../0-text/src/index.js'
import { gitFailure, runGit } from '../../../../2-git/src/index.js'
import type { Transcript } from '../../../../2-transcripts/src/index.js'
import { forName } from '../for-name.js'
import type { ReplayOptions } from '../replay-transcript.js'
import { hashOfTree, readTree, type ReadTreeOptions } from './tree-hash.js'

/** Options of a replay that influence its results. */
type Decided = Pick<ReplayOptions, 'workspace' | 'expect' | 'decides'>

/**
 * Everything that influences a transcript's results besides its content: setting names, with their values or hashes.
 */
export type DecidingSettings = Readonly<Record<string, string>>

/** A short name for a text: 64 bits of its SHA-256, in hex. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** SHA-256 in hex of settings, independent of their order. */
export function settingsHash(settings: DecidingSettings): string {
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
}

/**
 * Reads what influences the results of transcripts: the content of their fixture and of the expected tree, the commit,
 * and the options (`ReplayOptions.decides`). Directories shared by all transcripts are read once.
 */
export function settingsReader(): (
  options: Decided, transcript: Pick<Transcript, 'name' | 'format'>,
) => Promise<DecidingSettings> {
  const known = new Map<string, Promise<string>>()
  const treeAt = (written: string, name: string, how: ReadTreeOptions): Promise<string> => {
    const directory = forName(written, name)
    return directory === written ? valueAt(known, `${JSON.stringify(how)} ${directory}`, () => hashOf(directory, how))
      : hashOf(directory, how)
  }
  return async ({ workspace, expect, decides }, { name, format }) => ({
    ...decides, format,
    // A fixture's repository counts, since its `.git` is copied with it.
    ...(workspace.kind === 'fixture' && {
      fixture: await treeAt(workspace.directory, name, {
        leftOut: workspace.within === undefined ? ['.hermes'] : ['.hermes', '.git'], modes: true,
      }),
    }),
    ...(workspace.kind === 'git' && {
      git: await valueAt(known, `git ${workspace.repository}`, () => commitOf(workspace.repository, workspace.ref)),
    }),
    ...(expect !== undefined && { expect: expect.startsWith('sha256:') ? expect : await treeAt(expect, name, {}) }),
  })
}

/** Hash of a directory; if it is missing or unreadable, the replay itself reports that. */
async function hashOf(directory: string, how: ReadTreeOptions): Promise<string> {
  try {
    return shortHash(hashOfTree(await readTree(directory, how)))
  } catch (error) {
    return `unreadable: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The hash of a commit. @throws HermesError `INVALID_OPTION` where there is no repository, or not this commit in it */
export async function commitOf(repository: string, ref: string): Promise<string> {
  const gitOutput = await runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], {
    verb: 'replay', cwd: repository, signal: new AbortController().signal,
  })
  if (gitOutput.exitCode === 0) return gitOutput.stdout.toString('utf8').trim()
  if (/not a git repository/i.test(gitOutput.stderr)) {
    throw usageError(`${repository} is not in a git repository`, 'Give its directory with --repo.')
  }
  if (gitOutput.exitCode !== 1 || gitOutput.stderr !== '') throw gitFailure('replay', gitOutput)
  throw usageError(`There is no commit ${ref} in ${repository}`, 'Give a branch, a tag or a hash.')
}

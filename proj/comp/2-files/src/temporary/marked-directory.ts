import { lstatSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { isMarkGone, processMark } from '../../../2-processes/src/index.js'
import { removeMade } from './remove-made.js'

/** A directory of this process with mode 700. */
export interface MarkedDirectory {
  /** Absolute, links resolved. */
  path: string
  /** Never rejects: what cannot be removed now is left to a later process. */
  remove(): Promise<void>
}

export interface MarkedOptions {
  /** Default: the directory for temporary files. */
  parent?: string | undefined
  /** Called with each directory before it is removed, also those of killed processes. */
  beforeRemoval?: (path: string) => void
}

/**
 * Creates a directory whose name identifies this process. Directories left by killed processes are removed by the next
 * process that uses the same prefix.
 *
 * @param prefix of its name, e.g. `hermes-replays-`
 * @throws Node's errors where it cannot be created
 */
export async function openMarkedDirectory(
  prefix: string, { parent = tmpdir(), beforeRemoval = () => undefined }: MarkedOptions = {},
): Promise<MarkedDirectory> {
  const discard = async (path: string): Promise<void> => {
    beforeRemoval(path)
    await removeMade(path).catch(() => undefined)
  }
  await sweep(parent, prefix, discard)
  const path = realpathSync.native(mkdtempSync(join(parent, `${prefix}${processMark()}-`)))
  return { path, remove: () => discard(path) }
}

async function sweep(parent: string, prefix: string, discard: (path: string) => Promise<void>): Promise<void> {
  for (const name of orNothing(() => readdirSync(parent), [])) {
    const mark = name.startsWith(prefix) ? MARK.exec(name.slice(prefix.length))?.[1] : undefined
    const path = join(parent, name)
    if (mark !== undefined && isOwn(path) && isMarkGone(mark)) await discard(path)
  }
}

const MARK = /^([0-9a-f]+-\d+-\d+)-\w+$/

/** Whether a path is a directory of this user, and no link. */
function isOwn(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid())
}

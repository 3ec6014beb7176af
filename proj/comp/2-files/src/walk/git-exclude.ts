import { join, resolve } from 'node:path'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { readRegular } from '../store/index.js'

const MOST_BYTES = 1 << 20

/**
 * What `info/exclude` of a work tree says; `''` where there is none. Read without the gate, which keeps `.git` from
 * verbs: the text only decides which files a search passes over and is never shown.
 *
 * @param workTree directory that holds `.git`, which is a file in linked work trees and submodules
 */
export function readGitExclude(workTree: string): string {
  const dotGit = join(workTree, '.git')
  const link = /^gitdir: (.+)/.exec(readSmall(dotGit))?.[1]
  const gitDirectory = link === undefined ? dotGit : resolve(workTree, link)
  const common = readSmall(join(gitDirectory, 'commondir')).trim()
  return readSmall(join(resolve(gitDirectory, common), 'info', 'exclude'))
}

function readSmall(path: string): string {
  try {
    return Buffer.from(readRegular(path, MOST_BYTES)).toString('utf8')
  } catch (error) {
    // Rules that cannot be read do not count.
    if (error instanceof HermesError || isNodeError(error)) return ''
    throw error
  }
}

import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isNodeError } from '../../contracts/src/index.js'
import { nulFields } from '../../git/src/index.js'
import type { Repository } from './repository.js'

const NO_OBJECT = /^0+$/

/** What a path was in one snapshot and is in another. */
export interface TreeChange {
  /** Below the top of the work tree, with `/`. */
  path: string
  before?: { mode: string; object: string }
  after?: { mode: string; object: string }
}

/**
 * Snapshots of a work tree as git's tree objects: tracked and untracked files, but none that are ignored. They are
 * made with an index of their own, so that the user's is not touched.
 */
export class TreeSnapshots {
  readonly #repository: Repository
  readonly #index: string
  #prepared = false

  constructor(repository: Repository, runId: string) {
    this.#repository = repository
    this.#index = join(repository.gitDirectory, `hermes-snapshot-${runId}`)
  }

  /** @returns the id of the tree. @throws HermesError when git cannot read all of it */
  async take(): Promise<string> {
    if (!this.#prepared) {
      this.#prepared = true
      copyIfThere(join(this.#repository.gitDirectory, 'index'), this.#index)
    }
    const env = { GIT_INDEX_FILE: this.#index }
    await this.#repository.run(['-c', 'advice.addEmbeddedRepo=false', 'add', '--all', '--', ':/'], { env })
    return (await this.#repository.run(['write-tree'], { env })).toString('utf8').trim()
  }

  dispose(): void {
    rmSync(this.#index, { force: true })
    rmSync(`${this.#index}.lock`, { force: true })
  }
}

/** The paths in which two trees differ; submodules are left out. */
export async function compareTrees(repository: Repository, before: string, after: string): Promise<TreeChange[]> {
  if (before === after) return []
  const fields = nulFields(await repository.run(['diff-tree', '-r', '-z', '--no-renames', before, after]))
  const changes: TreeChange[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', mode = '', oldObject = '', object = ''] = fields[at]!.slice(1).split(' ')
    if (oldMode === '160000' || mode === '160000') continue
    changes.push({
      path: fields[at + 1]!,
      ...(!NO_OBJECT.test(oldObject) && { before: { mode: oldMode, object: oldObject } }),
      ...(!NO_OBJECT.test(object) && { after: { mode, object } }),
    })
  }
  return changes
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to)
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ENOENT') throw error
  }
}

import { nulFields } from '../../../2-git/src/index.js'
import type { Repository } from '../transaction/index.js'

const NOTHING = /^0+$/

export interface TreeDifference {
  /** From the top of the work tree. */
  path: string
  /** Whether the first tree has it. */
  before: boolean
  /** `mode object` in the second tree, as `update-index --index-info` takes them; `undefined` where it has none. */
  after: string | undefined
}

/** The paths in which two trees or commits differ, submodules included. */
export async function treeDifferences(repository: Repository, from: string, to: string): Promise<TreeDifference[]> {
  const fields = nulFields(await repository.run(['diff-tree', '-r', '-z', '--no-renames', from, to, '--']))
  const differences: TreeDifference[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    // :oldmode newmode oldobject newobject status
    const [, mode = '', oldObject = '', object = ''] = fields[at]?.split(' ') ?? []
    const after = NOTHING.test(object) ? undefined : `${mode} ${object}`
    differences.push({ path: fields[at + 1] ?? '', before: !NOTHING.test(oldObject), after })
  }
  return differences
}

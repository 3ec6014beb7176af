import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Git's own files that stand for something begun and not ended, in the order git asks for them. */
const OPERATIONS: readonly (readonly [file: string, operation: Operation])[] = [
  ['rebase-apply/applying', 'am'], ['rebase-apply', 'rebase'], ['rebase-merge', 'rebase'], ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'], ['REVERT_HEAD', 'revert'], ['sequencer', 'cherry-pick'],
  ['BISECT_LOG', 'bisect'],
]

export type Operation = 'am' | 'rebase' | 'merge' | 'cherry-pick' | 'revert' | 'bisect'
export const OPERATION_NAMES = ['am', 'rebase', 'merge', 'cherry-pick', 'revert', 'bisect'] as const

/** @param gitDirectory of the work tree, absolute; linked work trees have one each */
export function operationInProgress(gitDirectory: string): Operation | undefined {
  return OPERATIONS.find(([file]) => existsSync(join(gitDirectory, file)))?.[1]
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../../../0-contracts/src/index.js'
import type { Repository } from '../repository.js'

/**
 * What git has prepared for the user's next commit (`merge --squash`, `cherry-pick --no-commit`), and removes with any.
 *
 * @returns writes again what is gone
 */
export function preparedMessages({ gitDirectory }: Repository): () => void {
  const texts = ['SQUASH_MSG', 'MERGE_MSG'].map((name) => join(gitDirectory, name)).flatMap((path) => {
    const content = orNothing(() => readFileSync(path), undefined)
    return content ? [{ path, content }] : []
  })
  return () => {
    for (const { path, content } of texts) {
      // The commit is made, whatever happens to these.
      if (!existsSync(path)) orNothing(() => writeFileSync(path, content), undefined)
    }
  }
}

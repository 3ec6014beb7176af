import { createHash } from 'node:crypto'
import type { Rewrite } from '../../../0-contracts/src/index.js'
import { clip } from '../../../0-text/src/index.js'

/** Of a difference, in UTF-16 units: an answer that was written anew need not be kept twice. */
const MOST_DIFF = 64 * 1024

/**
 * What an extension made of an answer: who it was, what the text was and is. `diff` is empty where it takes too long
 * to tell.
 */
export async function describeRewrite(
  who: Pick<Rewrite, 'extension' | 'version' | 'command'>, before: string, after: string,
): Promise<Rewrite> {
  const { createTwoFilesPatch } = await import('diff')
  const diff = createTwoFilesPatch('answer', 'answer', before, after, undefined, undefined, {
    context: 3, timeout: 1000,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: false },
  })
  return { ...who, before: sha256(before), after: sha256(after), diff: clip(diff ?? '', MOST_DIFF) }
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

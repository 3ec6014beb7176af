import { HermesError } from '../../../0-contracts/src/index.js'
import type { ContentStore } from '../../../2-files/src/index.js'
import { MOST_BY_QUEUE, type Carried } from './job-form.js'

/**
 * Longest text that goes by the queue itself, in bytes: where there is a store for the others, and where there is none.
 * Redis holds all that waits in memory, and results also in the last thousands of its events.
 */
export const MOST_HERE = { withStore: 32 * 1024, withoutStore: MOST_BY_QUEUE } as const

/** @throws HermesError `FILE_TOO_LARGE` without a store, or as `ContentStore.put` */
export async function carry(text: string, what: string, store: ContentStore | undefined): Promise<Carried> {
  const bytes = Buffer.byteLength(text)
  if (bytes <= (store ? MOST_HERE.withStore : MOST_HERE.withoutStore)) return { kind: 'here', text }
  if (store) return { kind: 'content', content: await store.put(Buffer.from(text)) }
  throw new HermesError(
    'FILE_TOO_LARGE', `The ${what} is larger than what goes by the queue (${MOST_HERE.withoutStore / 1024} KB)`,
    { hint: 'Give workers the same --store as the command that gives them work.' },
  )
}

/** @throws HermesError as `requireStore` and `ContentStore.get` */
export async function unpack(carried: Carried, store: ContentStore | undefined): Promise<string> {
  if (carried.kind === 'here') return carried.text
  return (await requireStore(store).get(carried.content)).toString('utf8')
}

/** @throws HermesError `INVALID_OPTION` */
export function requireStore(store: ContentStore | undefined): ContentStore {
  if (store) return store
  throw new HermesError('INVALID_OPTION', 'This goes by a store, and there is none', {
    hint: 'Give the same --store to workers and to what gives them work: a directory that they share, '
      + 'or s3://bucket/prefix.',
  })
}

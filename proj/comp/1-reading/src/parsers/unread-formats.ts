import { READ_FORMATS, type ParseOutcome, type ReadFormat } from '../../../0-contracts/src/index.js'

const FLAG = /--(?:dialect|edit-format) ([a-z0-9-]+)/g

/** The formats that are off and that errors and skipped entries of a text name, as the flags that read them. */
export function unreadFormats(
  { errors, skipped }: { readonly [Kind in 'errors' | 'skipped']: readonly ParseOutcome[Kind][number][] },
): ReadFormat[] {
  const hints = errors.flatMap(({ error }) => (error.code === 'NOT_READ' ? [error.hint ?? ''] : []))
  // What a model wrote, such as a path, stands before the flag.
  const named = [...hints, ...skipped.map(({ reason }) => reason)].map((text) => [...text.matchAll(FLAG)].at(-1)?.[1])
  return READ_FORMATS.filter((format) => format !== 'auto' && named.includes(format))
}

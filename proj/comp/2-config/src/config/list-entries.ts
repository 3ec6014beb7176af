import type { Document } from 'yaml'
import { policyError } from './source.js'

/** A list of a file that gets new entries. */
interface ListPlace {
  key: string
  /** Name of the file in messages. */
  name: string
  /** First lines of a file without any value. */
  heading: string
}

/**
 * The text of a policy file with entries added to a list; comments and order stay.
 *
 * @returns the same text where all entries are there already
 * @throws HermesError `INVALID_POLICY`
 */
export async function withEntries(
  text: string, entries: readonly string[], { key, name, heading }: ListPlace,
): Promise<string> {
  const { isSeq, parseDocument } = await import('yaml')
  const document = parseDocument(text, { schema: 'core', version: '1.2', prettyErrors: false, logLevel: 'error' })
  const list: unknown = document.get(key, true)
  const before: unknown = document.toJS()
  if (document.errors.length > 0) {
    throw policyError('INVALID_POLICY', [`${name}: ${document.errors[0]?.message ?? 'cannot be read'}`])
  }
  if (isSeq(list)) {
    const known = new Set(list.items.map(String))
    const added = entries.filter((entry) => !known.has(entry))
    if (added.length === 0) return text
    for (const entry of added) list.add(document.createNode(entry))
  } else if (list === undefined || list === null || document.get(key) === null) {
    document.set(key, document.createNode(entries))
  } else {
    throw policyError('INVALID_POLICY', [`${name}: ${key} is not a list`])
  }
  return (before === null ? heading : '') + rendered(document, text)
}

/** The text of a document; lists and mappings on one line keep the file's spacing. */
export function rendered(document: Document, before: string): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] \S/.test(before) })
}

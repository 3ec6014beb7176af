import type { Document } from 'yaml'
import { policyError } from './source.js'

/** The list of a file that is added to. */
interface ListPlace {
  key: string
  /** What messages call the file. */
  name: string
  /** How a file without any value begins. */
  heading: string
}

/**
 * The text of a policy file with entries on a list; comments and order stay.
 *
 * @returns the same text where all of them are on it already
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

/** The text of a document, with lists and mappings on one line spaced as the file has them. */
export function rendered(document: Document, before: string): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] \S/.test(before) })
}

import type { Document } from 'yaml'
import { HermesError } from '../../../0-contracts/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { NEW_POLICY_FILE } from './config-version.js'
import { rendered } from './list-entries.js'
import { parsePolicy } from './parse-policy.js'
import { LISTS, namesAt, SECTIONS } from './policy-schema.js'

export interface PolicyText {
  text: string
  /** Name of the file in messages. */
  name: string
  /** Directory of a project's file; `undefined` for the user's. */
  directory: string | undefined
}

/**
 * The text of a policy file with one value set; comments, order and spelling of the rest stay.
 *
 * @param key `verbs.exec`, `deny`
 * @param written the value as YAML, or the entries of a list; `undefined` removes it
 * @throws HermesError `INVALID_OPTION` for an unknown key or an invalid value, `INVALID_POLICY` where the file is
 *   invalid already
 */
export async function withPolicyValue(
  { text, name, directory }: PolicyText, key: string, written: readonly string[] | undefined,
): Promise<string> {
  const path = pathOf(key)
  const document = await readDocument(text, name)
  if (written === undefined) {
    await remove(document, path)
  } else {
    await put(document, path, await valueOf(path, written))
  }
  const changed = document.contents === null || isEmpty(document.contents) ? commentsOf(text) : rendered(document, text)
  const result = text.trim() === '' ? NEW_POLICY_FILE + changed : changed
  try {
    await parsePolicy(result, name, directory)
  } catch (error) {
    if (!(error instanceof HermesError) || error.code !== 'INVALID_POLICY') throw error
    // If the file was already invalid, that is reported instead.
    await parsePolicy(text, name, directory)
    const why = error.message.replace(`${name}:`, '').replace(/^\d+:\d+: /, '')
    // A line number in a text that was never written would mislead, and the value may hold a key.
    throw new HermesError('INVALID_OPTION', why, { hint: 'Nothing was written.' })
  }
  return result
}

/** Sets a value; a scalar keeps the comment of the one it replaces. */
async function put(document: Document, path: readonly string[], value: unknown): Promise<void> {
  const { isScalar, isSeq, Scalar } = await import('yaml')
  for (const section of holdersOf(path)) {
    const holder = document.getIn(section, true)
    if (isSeq(holder) && section.join('.') === 'verbs') {
      // The short form (a list of modules) has no room for other keys.
      document.setIn(section, document.createNode({ modules: holder }))
    }
    if (!isScalar(holder)) continue
    // A section whose entries are all commented out is null, and cannot take any.
    const map = document.createNode({})
    map.commentBefore = [holder.commentBefore, holder.comment].filter(Boolean).join('\n') || null
    document.setIn(section, map)
  }
  const before = document.getIn(path, true)
  if (isScalar(before) && !Array.isArray(value)) {
    before.value = value
    before.type = Scalar.PLAIN
    delete before.source
  } else {
    const node = document.createNode(value, { flow: true })
    if (isCommented(before) && isCommented(node)) {
      node.comment = before.comment ?? null
      node.commentBefore = before.commentBefore ?? null
    }
    document.setIn(path, node)
  }
}

/** `[a]`, `[a, b]` for `[a, b, c]`. */
function holdersOf(path: readonly string[]): string[][] {
  return path.slice(0, -1).map((_, index) => path.slice(0, index + 1))
}

/** Removes a value; a comment at the beginning of the file stays. */
async function remove(document: Document, path: readonly string[]): Promise<void> {
  const { isMap } = await import('yaml')
  const top = document.contents
  const first = isMap(top) ? top.items[0]?.key : undefined
  if (document.hasIn(path)) document.deleteIn(path)
  for (const section of holdersOf(path).reverse()) {
    if (isEmpty(document.getIn(section, true))) document.deleteIn(section)
  }
  const isGone = isMap(top) && top.items[0]?.key !== first
  if (isGone && isCommented(first) && first.commentBefore) {
    document.commentBefore = [document.commentBefore, first.commentBefore].filter(Boolean).join('\n\n')
  }
}

function isCommented(node: unknown): node is { comment?: string | null; commentBefore?: string | null } {
  return typeof node === 'object' && node !== null
}

/** Names of all settings: `deny`, `verbs.exec`. */
export function settingNames(): string[] {
  const names = SECTIONS.flatMap((section) => namesAt(section.split('.')).map((name) => `${section}.${name}`))
  return [...namesAt([]), ...names].filter((name) => !SECTIONS.includes(name))
}

/** @throws HermesError `INVALID_OPTION` */
export function pathOf(key: string): string[] {
  const path = key.split('.')
  const known = settingNames()
  if (known.includes(key)) return path
  const meant = nearest(key, known) ?? known.find((name) => name.endsWith(`.${key}`))
  throw new HermesError('INVALID_OPTION', `Unknown setting: ${key}`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Settings: ${known.join(', ')}.`,
  })
}

/** The value parsed as YAML if valid, else the text itself: `*.sqlite` needs no quotes. */
async function valueOf(path: readonly string[], written: readonly string[]): Promise<unknown> {
  const { parseDocument } = await import('yaml')
  const read = (text: string): unknown => {
    const document = parseDocument(text, { schema: 'core', version: '1.2', prettyErrors: false, logLevel: 'silent' })
    if (document.errors.length > 0 || document.warnings.length > 0 || /^[*&!%@#]/.test(text) || text === '') return text
    const value: unknown = document.toJS()
    // Unquoted, YAML would end it at ` #`, or change its spaces.
    return typeof value === 'string' && !/^\s*["']/.test(text) ? text : value
  }
  const values = written.map(read)
  const [only] = values
  if (!LISTS.includes(path.join('.'))) return values.length === 1 ? only : values
  return values.length === 1 && Array.isArray(only) ? only
    : written.map((text) => (typeof read(text) === 'string' ? read(text) : text))
}

async function readDocument(text: string, name: string): Promise<Document> {
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text, { schema: 'core', version: '1.2', prettyErrors: false, logLevel: 'silent' })
  const [error] = document.errors
  if (error) {
    throw new HermesError('INVALID_POLICY', `${name}: ${error.message}`, { hint: 'Mend it first: hermes config edit.' })
  }
  return document
}

function isEmpty(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items)
    && node.items.length === 0
}

/** The comments of a file without any value. */
function commentsOf(text: string): string {
  return text.split('\n').filter((line) => /^\s*(?:#|$)/.test(line)).join('\n')
}

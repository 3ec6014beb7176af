import {
  CORE_SCHEMA, constructFromEvents, EVENT_ID, floatCoreTag, intCoreTag, NOT_RESOLVED, parseEvents, YAMLException,
  type Event, type ScalarTagDefinition, type Schema,
} from 'js-yaml'
import { bigInteger, isInexact, MAX_DEPTH } from './strict-json.js'
import type { Flaw } from './flaw.js'

export type YamlReading = { ok: true; value: unknown; itemStarts: number[] } | { ok: false; flaw: Flaw }

export const SEVERAL_DOCUMENTS = 'More than one YAML document'

class BigIntegerError extends Error {}

/** YAML 1.2 core schema without aliases, custom tags or merge keys; integers beyond 2^53 are errors. */
function strictSchema(): Schema {
  schema ??= CORE_SCHEMA.withTags(exact(intCoreTag), exact(floatCoreTag))
  return schema
}

let schema: Schema | undefined

function exact(tag: ScalarTagDefinition<number>): ScalarTagDefinition<number> {
  return {
    ...tag,
    resolve(source, isExplicit, tagName) {
      const value = tag.resolve(source, isExplicit, tagName)
      // `.inf` and `.nan` are exact.
      if (value !== NOT_RESOLVED && !/^[-+]?\./.test(source) && isInexact(value)) throw new BigIntegerError(source)
      return value
    },
  }
}

/** Reads one YAML document; `itemStarts`: offsets of the items where it is a sequence, -1 for an empty item. */
export function readStrictYaml(text: string): YamlReading {
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH })
    const documents = constructFromEvents(events, { source: text, schema: strictSchema(), maxAliases: 0 })
    if (documents.length > 1) {
      return { ok: false, flaw: { message: SEVERAL_DOCUMENTS, index: secondDocument(text), length: 0 } }
    }
    return { ok: true, value: documents[0], itemStarts: sequenceItems(events) }
  } catch (error) {
    if (error instanceof BigIntegerError) {
      const index = Math.max(0, text.indexOf(error.message))
      return { ok: false, flaw: { ...bigInteger(error.message, index), hint: 'Quote it to make it a string.' } }
    }
    if (error instanceof YAMLException) return { ok: false, flaw: yamlFlaw(text, error) }
    throw error
  }
}

/** Offset of the line that ends the first document. */
function secondDocument(text: string): number {
  for (const { index } of text.matchAll(/^(?:---|\.\.\.)(?=\s|$)/gm)) {
    if (/^(?!---(?:\s|$)|%)\s*[^\s#]/m.test(text.slice(0, index))) return index
  }
  return 0
}

function yamlFlaw(text: string, error: YAMLException): Flaw {
  const index = Math.min(error.mark?.position ?? 0, text.length)
  if (/maxAliases/.test(error.reason)) {
    return {
      message: 'Invalid YAML: aliases are not allowed', index: Math.max(0, text.lastIndexOf('*', index)), length: 1,
      hint: 'Write the value itself; quote a text that starts with *.',
    }
  }
  return { message: `Invalid YAML: ${error.reason}`, index, length: 1, hint: yamlHint(text, index) }
}

function yamlHint(text: string, index: number): string {
  const line = text.slice(text.lastIndexOf('\n', index - 1) + 1).split('\n', 1)[0]!
  if (line.includes('\t') && /^\s*\t/.test(line)) return 'Indent YAML with spaces, not tabs.'
  const value = /^\s*(?:- +)?([\w.-]+): +(?!["'|>])(.*(?:: |[*&!%@`#]).*)$/.exec(line)
  if (value) return `Quote the value, or write it as a block: ${value[1]}: |- and the text indented on the next lines.`
  return 'Write verb: and arguments: with two spaces of indentation; text of several lines goes in a block scalar (|).'
}

function sequenceItems(events: readonly Event[]): number[] {
  const starts: number[] = []
  let depth = 0
  let sequence = false
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      depth--
      continue
    }
    if (depth === 1 && event.type === EVENT_ID.SEQUENCE) sequence = true
    else if (depth === 2 && sequence) starts.push(startOf(event))
    if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) depth++
  }
  return starts
}

function startOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart
  return event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE ? event.start : 0
}

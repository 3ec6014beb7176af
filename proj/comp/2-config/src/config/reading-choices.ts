import type { KeptChoice, KeptReading, ReadFormat } from '../../../0-contracts/src/index.js'
import type { PolicyValues } from './policy-schema.js'
import type { PolicySource } from './source.js'

/** Value of `mapping` by which no project can choose one. */
export const NO_MAPPING = 'none'

/**
 * Settings of files for reading, checking and answering a model's text. Dialects of all files are combined, except that
 * an empty list in the user's file wins; other settings are the user's, else the nearest project's.
 */
export function keptReading(user: PolicySource | undefined, projects: readonly PolicySource[]): KeptReading {
  const formats = new Map<ReadFormat, KeptChoice<ReadFormat>>()
  for (const source of dialectSources(user, projects)) {
    source.values.dialects?.forEach((value, index) => {
      if (!formats.has(value)) {
        formats.set(value, { value, by: source.place('dialects', index), isOfProject: source !== user })
      }
    })
  }
  const sources = [...(user ? [user] : []), ...projects]
  /** The user's, else the nearest project's. */
  const first = <Value>(read: (values: PolicyValues) => Value | undefined, ...path: string[]) => (
    sources.flatMap((source): KeptChoice<Value>[] => {
      const value = read(source.values)
      return value === undefined ? [] : [{ value, by: source.place(...path), isOfProject: source !== user }]
    })[0]
  )
  const mapping = first((values) => values.mapping, 'mapping')
  const checks = first((values) => values.checks, 'checks')
  const replyTokens = first(({ reply }) => reply?.tokens, 'reply', 'tokens')
  const callTokens = first(({ reply }) => reply?.call_tokens, 'reply', 'call_tokens')
  return {
    formats: [...formats.values()],
    ...(mapping && mapping.value !== NO_MAPPING && { mapping: { ...mapping, value: mapping.value } }),
    ...(checks && { checks }), ...(replyTokens && { replyTokens }), ...(callTokens && { callTokens }),
  }
}

/** The files whose `dialects` apply. */
export function dialectSources(user: PolicySource | undefined, projects: readonly PolicySource[]): PolicySource[] {
  if (user?.values.dialects?.length === 0) return []
  return [...(user ? [user] : []), ...projects]
}

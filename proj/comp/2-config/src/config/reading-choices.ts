import type { KeptChoice, KeptReading, ReadFormat } from '../../../0-contracts/src/index.js'
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
  const source = sources.find(({ values }) => values.mapping !== undefined)
  const mapping = source?.values.mapping
  const checking = sources.find(({ values }) => values.checks !== undefined)
  const checks = checking?.values.checks
  const [replyTokens, callTokens] = [bound(sources, user, 'tokens'), bound(sources, user, 'call_tokens')]
  return {
    formats: [...formats.values()],
    ...(source && mapping !== undefined && mapping !== NO_MAPPING && {
      mapping: { value: mapping, by: source.place('mapping'), isOfProject: source !== user },
    }),
    ...(checking && checks !== undefined && {
      checks: { value: checks, by: checking.place('checks'), isOfProject: checking !== user },
    }),
    ...(replyTokens && { replyTokens }),
    ...(callTokens && { callTokens }),
  }
}

/** Most tokens of replies: the user's, else the nearest project's. */
function bound(
  sources: readonly PolicySource[], user: PolicySource | undefined, name: 'tokens' | 'call_tokens',
): KeptChoice<number> | undefined {
  const source = sources.find(({ values }) => values.reply?.[name] !== undefined)
  const value = source?.values.reply?.[name]
  return source && value !== undefined
    ? { value, by: source.place('reply', name), isOfProject: source !== user } : undefined
}

/** The files whose `dialects` apply. */
export function dialectSources(user: PolicySource | undefined, projects: readonly PolicySource[]): PolicySource[] {
  if (user?.values.dialects?.length === 0) return []
  return [...(user ? [user] : []), ...projects]
}

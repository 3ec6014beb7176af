import type { KeptChoice, KeptReading, ReadFormat } from '../../../0-contracts/src/index.js'
import type { PolicySource } from './source.js'

/** In `mapping`: no project chooses one. */
export const NO_MAPPING = 'none'

/**
 * How the files say that answers are read, checked and replied to. Dialects are those of all files, but an empty list
 * of the user's is the only one; all else is the user's choice, else that of the nearest project.
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

/** A bound of what models are told: the user's, else that of the nearest project. */
function bound(
  sources: readonly PolicySource[], user: PolicySource | undefined, name: 'tokens' | 'call_tokens',
): KeptChoice<number> | undefined {
  const source = sources.find(({ values }) => values.reply?.[name] !== undefined)
  const value = source?.values.reply?.[name]
  return source && value !== undefined
    ? { value, by: source.place('reply', name), isOfProject: source !== user } : undefined
}

/** The files whose `dialects` count. */
export function dialectSources(user: PolicySource | undefined, projects: readonly PolicySource[]): PolicySource[] {
  if (user?.values.dialects?.length === 0) return []
  return [...(user ? [user] : []), ...projects]
}

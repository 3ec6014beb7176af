/** The part of the platform's `Headers` that is used. */
export interface Headers {
  get(name: string): string | null
}

/** Kinds of limits in the headers of OpenAI's API. */
const KINDS = ['requests', 'tokens'] as const
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** Larger numbers are points in time, in milliseconds since the epoch. */
const EPOCH = 1e12

/**
 * How long a server asks to wait before the next request, in milliseconds: `retry-after-ms`, `retry-after` (seconds or
 * a date), or the reset of a limit that is used up.
 *
 * @param isRefused the limit was hit: then a reset counts even if the headers do not say how much remains
 */
export function askedWaitMs(headers: Headers, isRefused: boolean, now = Date.now()): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? NaN)
  if (exact >= 0) return exact
  const after = headers.get('retry-after')
  if (after !== null) return Number(after) >= 0 ? Number(after) * 1000 : untilDate(after, now)
  const resets = KINDS.flatMap((kind) => {
    const remaining = headers.get(`x-ratelimit-remaining-${kind}`)
    if (remaining === null ? !isRefused : Number(remaining) > 0) return []
    return durationMs(headers.get(`x-ratelimit-reset-${kind}`), now) ?? []
  })
  const atAll = isRefused ? durationMs(headers.get('x-ratelimit-reset'), now) : undefined
  const all = [...resets, ...(atAll === undefined ? [] : [atAll])]
  return all.length > 0 ? Math.max(...all) : undefined
}

function untilDate(text: string, now: number): number | undefined {
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Reads `1s`, `6m0s`, `120ms`, seconds, or a time since the epoch. */
function durationMs(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) > EPOCH ? Math.max(0, Number(text) - now) : Number(text) * 1000
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return undefined
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)
  return [...parts].reduce((sum, [, count, unit = 's']) => sum + Number(count) * (UNIT_MS[unit] ?? 0), 0)
}

const FIRST_MS = 500

/**
 * How long to wait before a retry, in milliseconds: exponential with jitter (half to all of it), so that many agents do
 * not return at the same time. At most `most`.
 *
 * @param attempt from 1
 */
export function backOffMs(attempt: number, most: number, random = Math.random()): number {
  return Math.round(Math.min(most, FIRST_MS * 2 ** (attempt - 1)) * (0.5 + random / 2))
}

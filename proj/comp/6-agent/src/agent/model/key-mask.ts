import { createMasker } from '../../../../0-text/src/index.js'
import type { Endpoint } from './endpoint.js'

/** Of a key that a server repeats in part. */
const SHORTEST_PART = 12
const WORD = /[\w.~+/-]+/g

/**
 * Takes keys out of what a server says: some, and proxies before them, repeat what they refuse, whole or cut. What is
 * masked: secrets of the environment, what has the form of one, the key, and the values of the user's own headers.
 */
export function keyMask(
  { apiKey }: Endpoint, headers: Readonly<Record<string, string>> = {},
): (text: string) => string {
  const own = Object.entries(headers).map(([name, value]) => [`${name} KEY`, value] as const)
  const masker = createMasker({ MODEL_API_KEY: apiKey, ...Object.fromEntries(own), ...process.env }, { shapes: true })
  const secrets = [apiKey, ...Object.values(headers)]
  const isPart = (word: string): boolean => word.length >= SHORTEST_PART && secrets.some((one) => one.includes(word))
  return (text) => masker.text(text).replace(WORD, (word) => (isPart(word) ? '[masked]' : word))
}

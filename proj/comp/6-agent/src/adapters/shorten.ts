import { clip } from '../../../0-text/src/index.js'

/** Texts up to this length are kept whole. */
const SHORTEST_TEXT = 64

/**
 * Shortens a value to at most `length` characters of JSON: whole if it fits, else without the middle of long texts and
 * the end of long lists and objects; each place says how much is left out.
 *
 * @throws TypeError, RangeError for values without a JSON form: cyclic, bigint, nested too deeply
 */
export function shorten(value: unknown, length: number): { value: unknown; isWhole: boolean } {
  const json: string | undefined = JSON.stringify(value)
  if (json === undefined) return { value: undefined, isWhole: true }
  if (json.length <= length) return { value: JSON.parse(json), isWhole: true }
  for (let most = length; most >= SHORTEST_TEXT; most = Math.floor(most / 2)) {
    const shorter = shortened(value, most)
    if (JSON.stringify(shorter).length <= length) return { value: shorter, isWhole: false }
  }
  // Escaping at most doubles the length of JSON, which holds no control characters.
  return { value: clip(json, Math.floor(length / 2) - 8), isWhole: false }
}

/** @param most characters of a text; lists and objects keep an eighth of that as items */
function shortened(value: unknown, most: number): unknown {
  if (typeof value === 'string') return withoutMiddle(value, most)
  const items = Math.max(2, Math.floor(most / 8))
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((item) => shortened(item, most))
    return value.length > items ? [...kept, `… ${value.length - items} more left out …`] : kept
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const kept = entries.slice(0, items).map(([key, item]) => [key, shortened(item, most)] as const)
  return Object.fromEntries(entries.length > items ? [...kept, ['…', `${entries.length - items} more left out`]] : kept)
}

function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text
  const [head, tail] = [Math.ceil(most * 0.6), Math.floor(most * 0.3)]
  const start = clip(text, head).slice(0, -1)
  const end = text.slice(-tail).replace(/^[\udc00-\udfff]/, '')
  return `${start}\n… ${text.length - start.length - end.length} characters left out …\n${end}`
}

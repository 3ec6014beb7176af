import { withoutColours } from './ansi-lines.js'
import type { PageItem } from './run-page-model.js'

const texts = new WeakMap<PageItem, string>()

/** Whether a card has the words, in whatever of it, folded or not. */
export function matches(item: PageItem, query: string, source: () => string | undefined): boolean {
  let text = texts.get(item)
  if (text === undefined) {
    text = textOf(item, source()).toLowerCase()
    texts.set(item, text)
  }
  return text.includes(query.toLowerCase())
}

function textOf(item: PageItem, source: string | undefined): string {
  const { blockId, action, subject, outcome, code, error, hint, reason, changes, output, result, hook } = item
  const parts = [
    blockId, action, subject, outcome, code, error, hint, reason,
    ...changes.flatMap(({ path, from, note, hunks }) => [
      from, path, note, ...hunks.flatMap(({ lines }) => lines.map((line) => line.slice(1))),
    ]),
    ...(output ? [withoutColours(output.stdout), withoutColours(output.stderr)] : []),
    result?.text, ...(hook?.paths ?? []), hook?.by, source ?? item.source,
  ]
  return parts.filter((part) => part !== undefined && part !== '').join('\n')
}

/**
 * 1-based numbers of the lines that have the words, the first of them.
 *
 * @param shown what stands in the place of some lines, by the first of them
 */
export function matchingLines(
  lines: readonly string[], query: string, shown: ReadonlyMap<number, string> = new Map(), most = 10_000,
): number[] {
  const wanted = query.toLowerCase()
  const has = (text: string | undefined): boolean => text?.toLowerCase().includes(wanted) === true
  const numbers: number[] = []
  for (let index = 0; index < lines.length && numbers.length < most; index++) {
    if (has(lines[index]) || has(shown.get(index + 1))) numbers.push(index + 1)
  }
  return numbers
}

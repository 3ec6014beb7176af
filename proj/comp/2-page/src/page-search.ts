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

/** 1-based numbers of the lines that have the words, the first of them. */
export function matchingLines(lines: readonly string[], query: string, most = 10_000): number[] {
  const wanted = query.toLowerCase()
  const found: number[] = []
  for (let index = 0; index < lines.length && found.length < most; index++) {
    if (lines[index]?.toLowerCase().includes(wanted)) found.push(index + 1)
  }
  return found
}

const MOST_LINES = 60
const MOST_EDITS = 2000

/**
 * Lines of a unified diff between what was expected and what came, without its head; the diff is loaded by this call.
 */
export async function loadDriftDiff(): Promise<(expected: string, actual: string) => string[]> {
  const { structuredPatch } = await import('diff')
  return (expected, actual) => {
    const patch = structuredPatch('', '', `${expected}\n`, `${actual}\n`, undefined, undefined, {
      context: 2, maxEditLength: MOST_EDITS,
    })
    const lines = patch?.hunks.flatMap((hunk) => hunk.lines) ?? [
      ...expected.split('\n').map((line) => `-${line}`), ...actual.split('\n').map((line) => `+${line}`),
    ]
    if (lines.length <= MOST_LINES) return lines
    return [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} more lines`]
  }
}

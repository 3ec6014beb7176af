/** What a model was shown before in the same conversation: what it has seen and is unchanged is named, not repeated. */
export interface SeenContents {
  /** @param key path and number of the first line: `src/a.ts:1` @returns whether just this text was shown under it */
  has(key: string, text: string): boolean
  add(key: string, text: string): void
}

/** Most that is kept of what was shown, in UTF-16 units; the oldest goes first. */
const MOST_KEPT = 4_000_000

/** Makes the memory of one conversation with one model. */
export function createSeenContents(): SeenContents {
  const texts = new Map<string, string>()
  let kept = 0
  const forget = (key: string): void => {
    kept -= texts.get(key)?.length ?? 0
    texts.delete(key)
  }
  return {
    has: (key, text) => texts.get(key) === text,
    add(key, text) {
      forget(key)
      texts.set(key, text)
      kept += text.length
      for (const oldest of texts.keys()) {
        if (kept <= MOST_KEPT) break
        forget(oldest)
      }
    },
  }
}

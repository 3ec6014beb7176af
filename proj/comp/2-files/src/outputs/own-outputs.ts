/** As `outputTarget` gives them. */
const growing = new Set<string>()

/**
 * Tells that hermes itself writes a file while runs are at work: no command of theirs is what changes it.
 *
 * @param target as `outputTarget` gives it
 * @returns what ends it: from then on it is a file like any other
 */
export function noteOwnOutput(target: string): () => void {
  growing.add(target)
  return () => growing.delete(target)
}

/** The files that hermes writes for the user now: recordings, which grow while commands run. */
export function ownOutputs(): readonly string[] {
  return [...growing]
}

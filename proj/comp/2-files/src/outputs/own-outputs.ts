/** Canonical, or as `outputTarget` gives it. Kept for the whole process, as run roots are. */
const written = new Set<string>()

/** Tells that hermes itself writes this file for the user: no command of a run is what changes it. */
export function noteOwnOutput(target: string): void {
  written.add(target)
}

/** The files that hermes writes for the user: recordings, which grow while commands run. */
export function ownOutputs(): readonly string[] {
  return [...written]
}

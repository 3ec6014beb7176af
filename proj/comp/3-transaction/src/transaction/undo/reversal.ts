/** A path relative to the root, and in words why an undo treats it in another way. */
export interface PathReason {
  path: string
  reason: string
}

/** What became of the paths that were not simply put back. */
export interface Reversal {
  /** Both changes are in them now; `marked` ones hold conflict markers. */
  merged: { path: string; marked: boolean }[]
  /** They stay as someone else wants them: there is nothing more to do about them. */
  kept: PathReason[]
  /** They could not be put back, but may be when the reason is gone. */
  left: PathReason[]
  /** Directories of the run that hold what others put there, one line each. */
  notes: string[]
}

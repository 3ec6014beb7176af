import type { ApprovedPath, PathAccess, PathGate } from './files.js'

/** What a block is about to use, before it does. */
export type Touch =
  /** `written`: the path as the model wrote it. */
  | { kind: 'path'; written: string; path: ApprovedPath; access: PathAccess; gate: PathGate }
  /** A path that was not approved. */
  | { kind: 'refused'; written: string }
  /** It runs a program, and may read and change whatever is there. */
  | { kind: 'all'; gate: PathGate }

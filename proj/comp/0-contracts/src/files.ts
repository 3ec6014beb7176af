
/**
 * Absolute path with links resolved, approved by the path gate for one kind of access. Only the gate (`2-files/policy`)
 * makes one, and `FileStore` accepts nothing else, so no file is touched without the gate.
 */
export type ApprovedPath = string & { readonly __approved: unique symbol }

/**
 * What a verb is about to do with a path; the gate decides by it. `remove` (also for moves), `list` (only name, kind,
 * size and time are shown) and `show` (content; for a link, where it points) act on a link itself, not on its target.
 */
export type PathAccess = 'read' | 'write' | 'remove' | 'list' | 'show'

/** Decides which paths a run may touch. Only paths that it approved reach the file store. */
export interface PathGate {
  /**
   * @param path as written by the model: absolute, relative to the root, or under a root alias
   * @throws HermesError `POLICY_DENIED` outside the roots or on a deny pattern, `INVALID_PARAMETER` for NUL bytes,
   *   `ELOOP` for looping links
   */
  approve(path: string, access: PathAccess): ApprovedPath
  /**
   * As `approve`, for an entry that a listing of an approved directory gave as no link: saves asking the disk.
   *
   * @throws HermesError `POLICY_DENIED`, `INVALID_PARAMETER`
   */
  approveEntry?(directory: ApprovedPath, name: string, access: 'read' | 'list'): ApprovedPath
}

/** What is at a path. As `lstat` gives it a link is of kind `link`; as `stat` it is followed. */
export interface FileStat {
  kind: 'file' | 'directory' | 'link' | 'other'
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch. */
  mtimeMs: number
  /**
   * Time of the last change to content or metadata, in milliseconds since the epoch. No program can set it; absent
   * where it is not known.
   */
  ctimeMs?: number
  /** Count of the file's names; over 1 means hard links. */
  links: number
}

/**
 * What is at an absolute path, without following links: `undefined` for nothing; `target` as stored in a link.
 *
 * @param below hint for a batch: names that will be asked for next, each inside the one before, if this is no link; the
 *   last name first
 */
export type PathProbe = (
  path: string, below?: readonly string[],
) => { kind: FileStat['kind']; target?: string } | undefined

/** An entry of a directory, by its name there; a link is not followed. */
export interface DirectoryEntry {
  name: string
  kind: FileStat['kind']
}

/** What a write of a whole file did. */
export interface WriteOutcome {
  /** Bytes now in the file. */
  bytes: number
  /** False where an existing file was replaced. */
  created: boolean
  /** The file had other names (hard links), which keep the old content. */
  brokeHardLink: boolean
}

/**
 * Checks a file that is about to be replaced, and throws to prevent it.
 *
 * @param size of the existing file, in bytes; 0 where there is none
 * @param read reads its content, without recording that the run has seen it
 */
export type OverwriteCheck = (size: number, read: () => Uint8Array) => void

/** A directory entry, for wanted files with their stat. */
export interface StatedEntry extends DirectoryEntry {
  stat?: FileStat
}

/** One change that a store made; `before` and `after` are absent where the file did not exist or is not text. */
export interface FileChange {
  kind: 'create' | 'modify' | 'delete' | 'move' | 'create-directory' | 'delete-directory'
  path: ApprovedPath
  from?: ApprovedPath
  before?: string
  after?: string
}

/**
 * The file system as verbs see it: the disk, or an overlay that keeps changes in memory for a dry run. All methods but
 * `chunks` and `readAhead` are synchronous (fastest for one small file at a time), and raise Node's own errors
 * (`ENOENT`, …).
 */
export interface FileStore {
  /**
   * `undefined` where nothing exists. Links are not followed: approved paths have none, so a link here was put there
   * since the approval.
   */
  stat(path: ApprovedPath): FileStat | undefined
  /** Does not follow a link in the last component. */
  lstat(path: ApprovedPath): FileStat | undefined
  /**
   * @throws HermesError `FILE_TOO_LARGE` over `maxBytes`; `EISDIR` for directories, `NOT_TEXT` for devices and pipes
   */
  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array
  /**
   * As `readBytes`, without recording that the run has seen the content: a change by someone else since the last
   * recorded read is still detected.
   */
  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array
  /** The text of a file that the store holds in memory; else `undefined`. Throws as `readBytes`. */
  heldText?(path: ApprovedPath, maxBytes: number): string | undefined
  /**
   * Replaces the only occurrence of `oldText` in a text file that the store holds in memory and has already changed.
   * Returns false, and does nothing, where the file or the occurrence is not so, or the result would be too large.
   */
  replaceOnly?(path: ApprovedPath, oldText: string, newText: string, maxBytes: number): boolean
  /** The content in chunks, for files of any size. */
  chunks(path: ApprovedPath): AsyncIterable<Uint8Array>
  /**
   * Atomic: writes a temporary file in the same directory, then renames it; keeps the mode. The parent must exist.
   *
   * @param check called first; where it throws, nothing is written
   */
  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome
  /**
   * Copies a file of any size in chunks; atomic as `write`, and replaces an existing file. The copy gets the permission
   * bits of `from`, without set-uid bits. The parent of `to` must exist.
   */
  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome
  /**
   * Makes a file executable for everybody who may read it, or for nobody. A file counts as executable if its owner may
   * execute it.
   *
   * @returns false where nothing had to change
   */
  setExecutable(path: ApprovedPath, executable: boolean): boolean
  /** Creates the directory and missing parents; returns the created ones, outermost first. */
  makeDirectories(path: ApprovedPath): string[]
  /**
   * Call it before a file is removed, replaced, copied or moved. The store reads now what it must keep of a large file,
   * in turns, so that the run can be cancelled meanwhile.
   *
   * @param call the context of the call: its signal is only looked at where the file is large
   * @throws HermesError `CANCELLED`
   */
  readAhead?(path: ApprovedPath, call: { readonly signal: AbortSignal }): Promise<void>
  /** Removes a file or a link, never a directory. */
  remove(path: ApprovedPath): void
  /** Removes an empty directory. */
  removeDirectory(path: ApprovedPath): void
  /** Renames, also across devices; replaces an existing file. The parent of `to` must exist. */
  move(from: ApprovedPath, to: ApprovedPath): void
  /** Sorted by name; hermes' own temporary files are left out. */
  list(path: ApprovedPath): DirectoryEntry[]
  /** As `list`, with the stats of the wanted files: one call in place of one for each file. */
  listStats?(path: ApprovedPath, wants: (name: string) => boolean): StatedEntry[]
  /** The changes made through this store so far, in order. */
  readonly changes: readonly FileChange[]
}

/** What a block is about to use, before it does. */
export type Touch =
  /** `written`: the path as the model wrote it. */
  | { kind: 'path'; written: string; path: ApprovedPath; access: PathAccess; gate: PathGate }
  /** A path that was not approved. */
  | { kind: 'refused'; written: string }
  /** It runs a program, and may read and change whatever is there. */
  | { kind: 'all'; gate: PathGate }

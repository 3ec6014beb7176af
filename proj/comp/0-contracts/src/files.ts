/**
 * Absolute, canonical path that the path gate has approved for one kind of access. Only `policy` mints it, and
 * `FileStore` takes nothing else: so the gate is the only way to touch a file.
 */
export type ApprovedPath = string & { readonly __approved: unique symbol }

/**
 * What a verb is about to do with a path; the gate decides by it. `remove` (also a move), `list` (only name, kind, size
 * and time are told) and `show` (its content, of a link where it leads) act on a link itself, not its target.
 */
export type PathAccess = 'read' | 'write' | 'remove' | 'list' | 'show'

export interface PathGate {
  /**
   * @param path as written by the model: absolute, relative to the root, or under a root alias
   * @throws HermesError `POLICY_DENIED` outside the roots or on a deny pattern, `INVALID_PARAMETER` for NUL bytes,
   *   `ELOOP` for looping links
   */
  approve(path: string, access: PathAccess): ApprovedPath
  /**
   * As `approve`, for what a listing of an approved directory named and said to be no link: its path is known without
   * asking the disk.
   *
   * @throws HermesError `POLICY_DENIED`, `INVALID_PARAMETER`
   */
  approveEntry?(directory: ApprovedPath, name: string, access: 'read' | 'list'): ApprovedPath
}

export interface FileStat {
  kind: 'file' | 'directory' | 'link' | 'other'
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch. */
  mtimeMs: number
  /**
   * When anything about it changed last, which no program can set; absent where that is not known. Milliseconds since
   * the epoch.
   */
  ctimeMs?: number
  /** Names of the same file; over 1 means hard links. */
  links: number
}

/**
 * What is at an absolute path, links not followed: `undefined` for nothing, `target` as stored in a link.
 *
 * @param below names that will be asked for next, each below the one before, if this is no link; last name first
 */
export type PathProbe = (
  path: string, below?: readonly string[],
) => { kind: FileStat['kind']; target?: string } | undefined

export interface DirectoryEntry {
  name: string
  kind: FileStat['kind']
}

export interface WriteOutcome {
  /** Bytes now in the file. */
  bytes: number
  /** False where an existing file was replaced. */
  created: boolean
  /** The file had other names, which keep the old content. */
  brokeHardLink: boolean
}

/**
 * Looks at what is about to be replaced, and throws where that should not be.
 *
 * @param size of the file there, in bytes; 0 where there is none
 * @param read its content; that is not on record as a look at it
 */
export type OverwriteCheck = (size: number, read: () => Uint8Array) => void

/** An entry of a directory, with what is known of a file. */
export interface StatedEntry extends DirectoryEntry {
  stat?: FileStat
}

/** One change a store made, in order; `before`/`after` are absent where the file did not exist or is not text. */
export interface FileChange {
  kind: 'create' | 'modify' | 'delete' | 'move' | 'create-directory' | 'delete-directory'
  path: ApprovedPath
  from?: ApprovedPath
  before?: string
  after?: string
}

/**
 * The file system as verbs see it: the disk, or an overlay that keeps changes in memory for a dry run. Every method
 * is synchronous (one small file at a time is fastest so) but `chunks`, and raises Node's own errors (`ENOENT`, …).
 */
export interface FileStore {
  /**
   * `undefined` where nothing is. Links are not followed: approved paths are canonical,
   * so that one was put there since.
   */
  stat(path: ApprovedPath): FileStat | undefined
  /** Does not follow a link in the last component. */
  lstat(path: ApprovedPath): FileStat | undefined
  /**
   * @throws HermesError `FILE_TOO_LARGE` over `maxBytes`; `EISDIR` for directories, `NOT_TEXT` for devices and pipes
   */
  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array
  /** The same, but not on record as a look at it: what someone else has changed since the last is still found out. */
  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array
  /** A whole text file, where the store keeps it in memory; throws as `readBytes`. */
  heldText?(path: ApprovedPath, maxBytes: number): string | undefined
  /**
   * Puts `newText` in the place of the only occurrence of `oldText` in a text file that the store keeps in memory and
   * has changed before. False, and nothing is done, where that is not so, or the file would be too large.
   */
  replaceOnly?(path: ApprovedPath, oldText: string, newText: string, maxBytes: number): boolean
  /** The file piece by piece, for files of any size. */
  chunks(path: ApprovedPath): AsyncIterable<Uint8Array>
  /**
   * Atomic: a temporary file in the same directory, then rename; mode kept. The parent must exist.
   *
   * @param check called first; where it throws, nothing is written
   */
  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome
  /**
   * Copies a file of any size, piece by piece; atomic as `write`, and replaces an existing file. The copy has the
   * permission bits of `from`, without set-uid bits. The parent of `to` must exist.
   */
  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome
  /**
   * Makes a file executable for all who may read it, or for nobody; executable is what its owner may execute.
   *
   * @returns false where it was so already, and nothing is changed
   */
  setExecutable(path: ApprovedPath, executable: boolean): boolean
  /** Creates the directory and missing parents; returns the created ones, outermost first. */
  makeDirectories(path: ApprovedPath): string[]
  /**
   * Before a file is removed, replaced, copied or moved: what the store keeps of a large one it reads now, in turns,
   * so that the run can be cancelled meanwhile.
   *
   * @param call the context of the call: its signal is looked at only where the file is large
   * @throws HermesError `CANCELLED`
   */
  readAhead?(path: ApprovedPath, call: { readonly signal: AbortSignal }): Promise<void>
  /** Removes a file or a link, never a directory. */
  remove(path: ApprovedPath): void
  /** Removes an empty directory. */
  removeDirectory(path: ApprovedPath): void
  /** Renames, across devices too; replaces an existing file. The parent of `to` must exist. */
  move(from: ApprovedPath, to: ApprovedPath): void
  /** Sorted by name; hermes' own temporary files are hidden. */
  list(path: ApprovedPath): DirectoryEntry[]
  /** As `list`, with the stats of those files that are wanted: one look at a directory instead of one for each. */
  listStats?(path: ApprovedPath, wants: (name: string) => boolean): StatedEntry[]
  /** What was changed so far through this store, in order. */
  readonly changes: readonly FileChange[]
}

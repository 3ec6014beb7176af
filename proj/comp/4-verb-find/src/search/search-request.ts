import type { ApprovedPath } from '../../../0-contracts/src/index.js'

/** A search for both engines of `search_files`. */
export interface SearchRequest {
  start: ApprovedPath
  /** Whether the start is a file, which is searched whatever its name. */
  isFile: boolean
  query: string
  isRegex: boolean
  caseSensitive: boolean
  /** Whether a match may span lines. */
  multiline: boolean
  /** Most matches to return. */
  most: number
  /** Which files to search, by relative path. */
  includes: (relative: string) => boolean
  /** Glob that the names of all those files match: a first filter. */
  nameGlob: string | undefined
  /** A file type of ripgrep's that includes all those files: a filter in place of `nameGlob`. */
  type: string | undefined
}

/** A file to search. */
export interface SearchedFile {
  path: ApprovedPath
  /** Relative to the start, with `/`; `''` for the start itself. */
  relative: string
}

/** A match within a given file. */
export type MatchInFile = Omit<FoundMatch, 'relative'>

/**
 * Searches one file; one that is not text has no matches.
 *
 * @param onMatch receives each match; if it returns false, the search ends
 * @returns false if the file turned out not to be text: then none of its matches count
 */
export type FileSearch = (file: ApprovedPath, onMatch: (match: MatchInFile) => boolean) => Promise<boolean>

export interface FoundMatch {
  /** Relative to the start, with `/`; `''` for the start itself. */
  relative: string
  /** 1-based. */
  line: number
  /** 1-based, in UTF-16 units. */
  column: number
  /** Last line of a match that spans lines. */
  endLine?: number
  /** The line, or all lines of the match; `…` where cut. */
  text: string
}

/** Number of matching lines of a file, or of matches where these may span lines. */
export interface FoundCount {
  relative: string
  count: number
}

export interface CountOutcome {
  /** A page of the files with a match, sorted by path. */
  files: FoundCount[]
  /** Number of all files with a match. */
  totalFiles: number
  totalMatches: number
  unreadable: string[]
}

export interface SearchOutcome {
  /** The first by path (component by component) and line. */
  matches: FoundMatch[]
  /** Whether there are more. */
  truncated: boolean
  /** Relative paths of files that could not be read. */
  unreadable: string[]
}

import type { ApprovedPath } from '../../../0-contracts/src/index.js'

/** What both engines of `search_files` take. */
export interface SearchRequest {
  start: ApprovedPath
  /** The start is a file, searched whatever its name. */
  isFile: boolean
  query: string
  isRegex: boolean
  caseSensitive: boolean
  /** A match may go over several lines. */
  multiline: boolean
  /** Most matches to return. */
  most: number
  /** Which files to search, by their path below the start. */
  includes: (relative: string) => boolean
  /** Glob that the names of all those files match; a first sieve. */
  nameGlob: string | undefined
  /** One of ripgrep's types of files, of which all those files are; a sieve in place of `nameGlob`. */
  type: string | undefined
}

/** A file that is searched. */
export interface SearchedFile {
  path: ApprovedPath
  /** Path below the start, with `/`; `''` for the start itself. */
  relative: string
}

/** A match, of a file that is known. */
export type MatchInFile = Omit<FoundMatch, 'relative'>

/**
 * Searches one file; one that is not text has no matches.
 *
 * @param onMatch gets one match after the other; once it says false, the search ends
 * @returns false where the file turned out not to be text: then no match in it counts
 */
export type FileSearch = (file: ApprovedPath, onMatch: (match: MatchInFile) => boolean) => Promise<boolean>

export interface FoundMatch {
  /** Path below the start, with `/`; `''` for the start itself. */
  relative: string
  /** 1-based. */
  line: number
  /** 1-based, in UTF-16 units. */
  column: number
  /** Of a match over several lines, the last of them. */
  endLine?: number
  /** The line, or all lines of the match; `…` for what is left out. */
  text: string
}

/** How many matching lines a file has, or matches where those may go over several lines. */
export interface FoundCount {
  relative: string
  count: number
}

export interface CountOutcome {
  /** A page of the files with a match, by path. */
  files: FoundCount[]
  /** Of all files with a match. */
  totalFiles: number
  totalMatches: number
  unreadable: string[]
}

export interface SearchOutcome {
  /** The first ones by path, name by name, and line. */
  matches: FoundMatch[]
  /** There are more. */
  truncated: boolean
  /** What could not be read, as paths below the start. */
  unreadable: string[]
}

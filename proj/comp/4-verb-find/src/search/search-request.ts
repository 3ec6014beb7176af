import type { ApprovedPath } from '../../../0-contracts/src/index.js'

/** What both engines of `search_files` take. */
export interface SearchRequest {
  start: ApprovedPath
  /** The start is a file, searched whatever its name. */
  isFile: boolean
  query: string
  isRegex: boolean
  caseSensitive: boolean
  /** Most matches to return. */
  most: number
  /** Which files to search, by their path below the start. */
  includes: (relative: string) => boolean
  /** Glob that the names of all those files match; a first sieve. */
  nameGlob: string | undefined
}

export interface FoundMatch {
  /** Path below the start, with `/`; `''` for the start itself. */
  relative: string
  /** 1-based. */
  line: number
  /** 1-based, in UTF-16 units. */
  column: number
  text: string
}

export interface SearchOutcome {
  /** The first ones by path, name by name, and line. */
  matches: FoundMatch[]
  /** There are more. */
  truncated: boolean
  /** What could not be read, as paths below the start. */
  unreadable: string[]
}

import type { HermesOptions } from '../../../0-contracts/src/index.js'
import type { ReplayOptions } from './replay-transcript.js'

/** Initial content of workspaces: a directory, or a commit; empty if neither is given. */
export interface WorkspaceWish {
  /** `{name}` in it stands for the transcript's name. */
  fixture?: string | undefined
  /** Any name of a commit. */
  git?: string | undefined
  /** Its repository; default: the working directory. */
  repo?: string | undefined
}

/** Toolsets to draw for each transcript. */
export interface ToolsetWish {
  toolsetDistribution?: string | undefined
  /** Whole number. */
  seed?: string | undefined
  /** Explicitly chosen toolsets exclude drawing. */
  execution: Pick<HermesOptions, 'toolsets'>
}

/** A user's settings for a replay, as written: they are checked before anything runs. */
export interface ReplaySetup extends WorkspaceWish, ToolsetWish {
  /** Files and folders of transcripts; `-` is standard input. */
  paths: readonly string[]
  /** Names of built-in mappings, and files; if empty, those of `replay.yaml`. */
  mappings: readonly string[]
  /** The expected final tree: a directory, or the `sha256:…` hash of one. */
  expect?: string | undefined
  /** Format of exported training data; `undefined` for no export. */
  exportAs?: string | undefined
  /** Whether to keep results, to replace the recorded ones. */
  keepResults: boolean
  /** Whether a queue runs it in other processes. */
  isQueued: boolean
  /** Options of each run; `replay.yaml` may set those that are unset or empty. */
  execution: ReplayOptions['execution']
  /** The running script of hermes. */
  program: string
}

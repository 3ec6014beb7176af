import type { HermesOptions } from '../../../0-contracts/src/index.js'
import type { ReplayOptions } from './replay-transcript.js'

/** What workspaces begin with: a directory, or a commit; nothing where neither is said. */
export interface WorkspaceWish {
  /** `{name}` in it stands for the name of the transcript. */
  fixture?: string | undefined
  /** A commit by any name. */
  git?: string | undefined
  /** Its repository; default: the working directory. */
  repo?: string | undefined
}

/** Toolsets that are drawn for each transcript. */
export interface ToolsetWish {
  toolsetDistribution?: string | undefined
  /** A whole number. */
  seed?: string | undefined
  /** Toolsets that are chosen leave nothing to draw. */
  execution: Pick<HermesOptions, 'toolsets'>
}

/** What a person says of a replay, as written: it is checked before anything runs. */
export interface ReplaySetup extends WorkspaceWish, ToolsetWish {
  /** Files and folders of transcripts; `-` is standard input. */
  paths: readonly string[]
  /** Names of shipped mappings, and files; without any, what `replay.yaml` says. */
  mappings: readonly string[]
  /** What is to come of it: a directory, or the `sha256:…` hash of one. */
  expect?: string | undefined
  /** Form of the training data; `undefined` where none is kept. */
  exportAs?: string | undefined
  /** Results are kept, to be put in the place of those recorded. */
  keepResults: boolean
  /** Others run it, by a queue. */
  isQueued: boolean
  /** Of each run; what is not said, or empty, `replay.yaml` may say. */
  execution: ReplayOptions['execution']
  /** The script of hermes that runs. */
  program: string
}
